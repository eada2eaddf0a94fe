// The frame of a page, and what scripts add to its parts. Without them it shows the same figures.
import { addDrawn } from "./drawn.js";
import { element } from "./elements.js";
import { addPicture } from "./pictures.js";
import { addPrint } from "./print.js";
import { addProfile } from "./profiles.js";
import { choice, choose } from "./state.js";
import { addStrips } from "./strips.js";
import { addTable } from "./tables.js";
import { addTheme } from "./theme.js";

// addFrame adds the tools of the whole page. It returns their element, and the list of functions that draw anew when colours
// change.
export function addFrame() {
  const tools = element("div", { class: "tools" }), redraws = [];
  document.querySelector("header").append(tools);
  const redraw = () => redraws.forEach((r) => r());
  addTheme(tools, redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addPrint();
  return { tools, redraws };
}

// addParts adds to the tables and pictures of the page what readers work with.
export function addParts() {
  document.querySelectorAll("main .scroll > table").forEach(addTable);
  document.querySelectorAll("main figure").forEach(addPicture);
  document.querySelectorAll("main figure.drawn").forEach(addDrawn);
  addStrips(document.querySelector("main"));
  document.querySelectorAll("main figure svg.flame[data-row]").forEach((svg, number) => addProfile(svg, number, { choice, choose }));
}
