// What scripts add to the page. Without them it shows the same figures.
import { addFlame } from "./flame.js";
import { element } from "./elements.js";
import { addOverTime } from "./overtime.js";
import { addPicture } from "./pictures.js";
import { choice, choose } from "./state.js";
import { addTable } from "./tables.js";
import { addTheme } from "./theme.js";

const tools = element("div", { class: "tools" });
document.querySelector("header").append(tools);
const redraws = [];
const redraw = () => redraws.forEach((r) => r());
addTheme(tools, redraw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
document.querySelectorAll("main table").forEach(addTable);
document.querySelectorAll("figure").forEach(addPicture);
document.querySelectorAll("svg.flame").forEach((svg, number) => addFlame(svg, number, { choice, choose }));
document.querySelectorAll("section[data-record]").forEach((section, number) => {
  addOverTime(section, number).then((r) => redraws.push(r));
});
