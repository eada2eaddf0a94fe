// What scripts add to the page. Without them it shows the same figures.
import { addFlame } from "./flame.js";
import { element } from "./elements.js";
import { addPicture } from "./pictures.js";
import { choice, choose } from "./state.js";
import { addTable } from "./tables.js";
import { addTheme } from "./theme.js";

const tools = element("div", { class: "tools" });
document.querySelector("header").append(tools);
addTheme(tools, () => {});
document.querySelectorAll("main table").forEach(addTable);
document.querySelectorAll("figure").forEach(addPicture);
document.querySelectorAll("svg.flame").forEach((svg, number) => addFlame(svg, number, { choice, choose }));
