// Charts that readers work with. uPlot draws them; the page has it as a script of its own, as the global uPlot.
import { element } from "./elements.js";

// colour returns what a variable of the style stands for, in the theme that holds now.
export function colour(name) {
  const probe = element("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}

// axis returns the options of an axis. splits and label may say where labels stand, and what they are.
export function axis(options) {
  return {
    stroke: () => colour("minor"), grid: { stroke: () => colour("line"), width: 1 }, ticks: { stroke: () => colour("line"), width: 1 },
    font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 18, ...options,
  };
}

// line returns the options of a curve.
export function line(label, hue, options = {}) {
  return { label, stroke: () => colour("hue" + hue), width: 1.6, points: { show: false }, ...options };
}

// drawChart draws one into an element, as wide as that is, and keeps it so. What it shows is said in words for those who do not
// see it.
export function drawChart(into, words, height, options, data) {
  const box = element("div", { class: "chart" });
  into.append(box);
  const u = new uPlot({ width: box.clientWidth, height, ...options }, data, box);
  const canvas = u.root.querySelector("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", words);
  new ResizeObserver(() => {
    if (box.isConnected && box.clientWidth !== u.width) u.setSize({ width: box.clientWidth, height });
  }).observe(box);
  return u;
}
