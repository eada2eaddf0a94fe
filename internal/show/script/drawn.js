// Charts that the page has as elements: their axes and their baseline, and taking them out as files.
import { Bars } from "./bars.js";
import { save, savePNG } from "./copy.js";
import { button, element } from "./elements.js";
import { choice, choose } from "./state.js";

// addDrawn adds the tools of a chart. Its state is kept under keys with its number.
export function addDrawn(figure, number) {
  const tools = element("div", { class: "tools" });
  if (figure.classList.contains("bars")) addBars(tools, figure, number);
  else if (figure.querySelector(".linear")) addAxes(tools, figure, "axes" + number);
  addSave(tools, figure, `tare-chart-${number + 1}`);
  figure.querySelector(":scope > details").before(tools);
}

// addBars adds the choice of the axis and of a baseline.
function addBars(tools, figure, number) {
  const bars = new Bars(figure.querySelector("svg")), labels = bars.labels();
  const said = element("span", { role: "status" });
  const keys = { axis: "axis" + number, base: "base" + number };
  const select = element("select", { "aria-label": "baseline" }, element("option", { value: "" }, "no baseline"), ...labels.map((l) => element("option", { value: l }, "baseline: " + l)));
  const axis = button("", () => {
    choose(keys.axis, choice(keys.axis) === "log" ? "" : "log");
    show();
  });
  const show = () => {
    const log = choice(keys.axis) === "log", base = labels.includes(choice(keys.base)) ? choice(keys.base) : "";
    select.value = base;
    axis.textContent = log ? "axis: logarithmic" : "axis: linear";
    said.textContent = bars.draw(log, base);
  };
  select.addEventListener("change", () => {
    choose(keys.base, select.value);
    show();
  });
  show();
  tools.append(axis, select, said);
}

// addAxes adds the switch between logarithmic and linear axes, which the page has both.
function addAxes(tools, figure, key) {
  const [log, linear] = figure.querySelectorAll(":scope > .scroll");
  const show = () => {
    linear.hidden = choice(key) !== "linear";
    log.hidden = !linear.hidden;
    b.textContent = linear.hidden ? "axes: logarithmic" : "axes: linear";
  };
  const b = button("", () => {
    choose(key, choice(key) === "linear" ? "" : "linear");
    show();
  });
  show();
  tools.append(b);
}

// addSave adds what offers the chart as it is shown as a file.
function addSave(tools, figure, name) {
  const shown = () => standalone(figure.querySelector(":scope > .scroll:not([hidden]) > svg"));
  const png = button("PNG", () => {
    const image = element("img");
    image.addEventListener("load", () => savePNG(name + ".png", image, png));
    image.src = shown();
  });
  tools.append(button("SVG", () => save(name + ".svg", shown())), png);
}

const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight"];

// standalone returns an SVG element as the address of an image of its own, with the look that it has now.
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const parts = copy.querySelectorAll("rect, path, text, circle");
  svg.querySelectorAll("rect, path, text, circle").forEach((e, i) => {
    const style = getComputedStyle(e);
    for (const look of looks) parts[i].setAttribute(look, style.getPropertyValue(look));
  });
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  for (const [key, value] of Object.entries({ width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor })) paper.setAttribute(key, value);
  copy.prepend(paper);
  return "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
}
