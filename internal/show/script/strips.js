// The forks of a row in the order in which they ran, below the row, when the reader asks for them.
import { element } from "./elements.js";
import { part } from "./bars.js";
import { partOf } from "./tables.js";

const listening = new WeakSet(); // parts of the page whose content is replaced while its run goes on

// addStrips makes the dots of forks in a part of the page open and close their strips.
export function addStrips(within) {
  for (const svg of within.querySelectorAll("svg[data-series]")) {
    svg.setAttribute("role", "button");
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-expanded", "false");
  }
  if (listening.has(within)) return;
  listening.add(within);
  const act = (event) => {
    const svg = event.target.closest?.("svg[data-series]");
    if (!svg || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    toggle(svg);
  };
  within.addEventListener("click", act);
  within.addEventListener("keydown", act);
}

function toggle(svg) {
  const row = svg.closest("tr"), rows = partOf.get(row) ?? [row];
  const open = rows.find((r) => r.classList.contains("strip"));
  svg.setAttribute("aria-expanded", String(!open));
  if (open) {
    rows.splice(rows.indexOf(open), 1);
    open.remove();
    return;
  }
  const strip = element("tr", { class: "strip" }, element("td", { colspan: row.cells.length }));
  strip.cells[0].append(...drawn(svg));
  row.after(strip);
  rows.splice(1, 0, strip);
}

const [width, height, left, right, top, bottom] = [640, 120, 90, 12, 12, 24];

// drawn returns the picture of the forks, and their figures.
function drawn(svg) {
  const unit = svg.dataset.unit, texts = svg.dataset.series.split(" "), values = texts.map(Number);
  const finite = values.filter(Number.isFinite).sort((a, b) => a - b);
  const figures = element("details", { class: "figures" }, element("summary", {}, "the figures"), tableOf(texts, unit));
  if (finite.length === 0) return [figures];
  const [lo, hi] = [finite[0], finite.at(-1)], median = (finite[(finite.length - 1) >> 1] + finite[finite.length >> 1]) / 2;
  const x = (i) => left + ((width - left - right) * (i + 0.5)) / values.length;
  const y = (v) => top + (height - top - bottom) * (hi > lo ? (hi - v) / (hi - lo) : 0.5);
  const name = svg.closest("tr").cells[0].textContent.trim();
  const picture = part("svg", { class: "picture", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${values.length} forks of ${name} in the order of time: from ${show(lo)} to ${show(hi)} ${unit}, median ${show(median)}` });
  for (const v of new Set([hi, median, lo])) {
    picture.append(part("path", { class: v === median ? "axis" : "grid", d: `M${left} ${y(v)}H${width - right}` }));
  }
  for (const [v, at] of labels([hi, median, lo], y)) picture.append(part("text", { class: "minor", x: left - 6, y: at + 4, "text-anchor": "end" }, `${show(v)} ${unit}`));
  const points = values.map((v, i) => (Number.isFinite(v) ? `${x(i).toFixed(1)} ${y(v).toFixed(1)}` : "")).filter((p) => p);
  picture.append(part("path", { class: "joined", d: "M" + points.join("L") }), part("path", { class: "dots", d: points.map((p) => `M${p}h0`).join("") }));
  picture.append(part("text", { class: "minor", x: left, y: height - 6 }, "first fork"), part("text", { class: "minor", x: width - right, y: height - 6, "text-anchor": "end" }, `last of ${values.length}`));
  return [picture, figures];
}

// labels returns which values have a label and where: none that another would cover.
function labels(values, y) {
  const out = [];
  for (const v of values) {
    if (out.every(([, at]) => Math.abs(at - y(v)) >= 13)) out.push([v, y(v)]);
  }
  return out;
}

function show(v) {
  return String(Number(v.toPrecision(4)));
}

function tableOf(texts, unit) {
  const rows = texts.map((t, i) => element("tr", {}, element("th", { scope: "row" }, `fork ${i + 1}`), element("td", { class: "number" }, t), element("td", { class: "unit" }, unit)));
  return element("table", {}, element("tbody", {}, ...rows));
}
