// Bars with whiskers on another axis, or as multiples of a row. The page has them on a linear axis; their elements have the values.
import { digits } from "./words.js";

const prefixes = [["G", 1e9], ["M", 1e6], ["k", 1e3], ["", 1], ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9]];

// Bars is a chart of bars in an SVG element that package chart drew.
export class Bars {
  constructor(svg) {
    this.svg = svg;
    this.drawn = svg.cloneNode(true);
  }

  // labels returns those of the rows, each once, in their order.
  labels() {
    return [...new Set([...this.drawn.querySelectorAll(".item")].map((g) => g.dataset.label))];
  }

  // draw draws the bars, on a logarithmic axis or not, as multiples of the row with the label base in their group unless that is
  // "". It returns the sentence that belongs below.
  draw(log, base) {
    this.svg.replaceChildren(...this.drawn.cloneNode(true).childNodes);
    if (!log && !base) return "";
    const items = [...this.svg.querySelectorAll(".item")].map(readItem);
    for (const i of items) i.one = base ? items.find((x) => x.group === i.group && x.label === base)?.value || NaN : 1;
    for (const i of items) for (const key of ["value", "lo", "hi"]) i[key] /= i.one;
    const axis = this.axis(items, log, base);
    this.drawTicks(axis);
    for (const i of items) drawItem(i, axis);
    return base ? `multiples of ${base}${items.some((i) => i.group) ? ", in each group" : ""}; how sure that row is, is not in the whiskers` : "";
  }

  // axis returns the scale for all items.
  axis(items, log, base) {
    const ticks = this.svg.querySelector(".ticks").dataset;
    const from = Number(ticks.from), to = Number(ticks.to);
    const all = items.flatMap((i) => [i.value, i.lo, i.hi]).filter((v) => v > 1e-30 && Number.isFinite(v)); // what is less is as good as 0
    const most = Math.max(...all, 0) || 1, plain = base !== "" || ticks.plain === "true", unit = base ? "" : ticks.unit;
    if (!log) {
      const step = nice(most / 5), top = step * Math.ceil(most / step - 1e-9), scaled = prefix(top, unit, plain);
      return { log, at: (v) => from + ((to - from) * v) / top, from, to, ticks: range(Math.round(top / step) + 1, (i) => i * step), text: (v) => digits(v / scaled.one), tick: (v) => round(v / scaled.one), unit: scaled.name };
    }
    const lo = niceBelow(Math.min(...all, most)), hi = nice(most * 1.0001);
    const text = (v, show) => { const s = prefix(v * 1.0001, unit, plain); return `${show(v / s.one)} ${s.name}`.trim(); };
    return { log, at: (v) => from + ((to - from) * Math.log(Math.min(Math.max(v, lo), hi) / lo)) / Math.log(hi / lo), from, to, ticks: logTicks(lo, hi), text: (v) => text(v, digits), tick: (v) => text(v, round), unit: "" };
  }

  drawTicks(axis) {
    const g = this.svg.querySelector(".ticks"), { top, bottom } = g.dataset;
    const texts = axis.ticks.flatMap((v) => {
      const x = axis.at(v).toFixed(2);
      return [part("path", { class: "grid", d: `M${x} ${top}L${x} ${bottom}` }), part("text", { class: "minor", x, y: Number(bottom) + 18, "text-anchor": "middle" }, axis.tick(v))];
    });
    g.replaceChildren(...texts);
    this.svg.querySelector(".axis + text").textContent = axis.unit; // beside the last tick
  }
}

function readItem(g) {
  const number = (text) => (text === "" ? NaN : Number(text));
  return { g, label: g.dataset.label, group: g.dataset.group, y: Number(g.dataset.y), value: number(g.dataset.value), lo: number(g.dataset.lo), hi: number(g.dataset.hi) };
}

// drawItem moves the parts of a bar. On a logarithmic axis the value is a square: a length would mean nothing.
function drawItem(i, axis) {
  const rect = i.g.querySelector("rect"), [whisker, ...ends] = i.g.querySelectorAll(".whisker"), known = i.value > 0 || (!axis.log && i.value === 0);
  if (rect) {
    const x = axis.at(i.value), box = axis.log ? [x - 4, i.y - 4, 8, 8] : [axis.from, i.y - 8, x - axis.from, 16];
    if (known) ["x", "y", "width", "height"].forEach((a, k) => rect.setAttribute(a, box[k].toFixed(2)));
    else rect.remove();
  }
  for (const end of ends) end.remove(); // the first becomes all of it
  const spans = whisker && known && Number.isFinite(i.lo) && Number.isFinite(i.hi);
  if (spans) {
    const lo = axis.at(Math.max(i.lo, 0)).toFixed(2), hi = axis.at(Math.max(i.hi, 0)).toFixed(2);
    whisker.setAttribute("d", `M${lo} ${i.y}H${hi}M${lo} ${i.y - 4}V${i.y + 4}M${hi} ${i.y - 4}V${i.y + 4}`);
  } else whisker?.remove();
  i.g.querySelector(".minor").textContent = !known ? "–" : spans ? `${axis.text(i.value)} (${axis.text(i.lo)} … ${axis.text(i.hi)})` : axis.text(i.value);
}

const space = "http:" + "//www.w3.org/2000/svg"; // a name, not an address: pages have none

// part returns an element of an SVG image.
export function part(name, attributes, text = "") {
  const e = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.textContent = text;
  return e;
}

// nice returns the smallest of 1, 2 and 5 times a power of ten that is at least x.
function nice(x) {
  const ten = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((m) => m * ten).find((v) => v >= x * (1 - 1e-9));
}

// niceBelow returns the largest of those that is at most x.
function niceBelow(x) {
  const ten = 10 ** Math.floor(Math.log10(x) + 1e-12);
  return [5, 2, 1].map((m) => m * ten).find((v) => v <= x * (1 + 1e-9));
}

// logTicks returns powers of ten, and 2 and 5 times them where there are few.
function logTicks(lo, hi) {
  const decades = Math.log10(hi / lo), every = Math.max(Math.ceil(decades / 8), 1), out = [];
  for (let e = Math.floor(Math.log10(lo) + 1e-9); e <= Math.log10(hi) + 1e-9; e++) {
    for (const m of decades > 2 ? [1] : [1, 2, 5]) {
      const v = m * 10 ** e;
      if (e % every === 0 && v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9)) out.push(v);
    }
  }
  return out;
}

function range(n, f) {
  return Array.from({ length: n }, (_, i) => f(i));
}

function round(v) {
  return String(Number(v.toPrecision(6)));
}

// prefix returns the name of a unit for values up to one, and how many of the unit it is. There are no kiloseconds.
function prefix(top, name, plain) {
  const [p, one] = (!plain && prefixes.find(([, one]) => top >= one && (name !== "s" || one <= 1))) || ["", 1];
  return { name: p + name, one };
}
