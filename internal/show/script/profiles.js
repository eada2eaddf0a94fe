// The tools of a flame graph in a page: search, focus, ignore, the widths of the other side, and the tree of calls.
import { addCallTree } from "./calltree.js";
import { button, element } from "./elements.js";
import { addFlame } from "./flame.js";

// addProfile makes a flame graph and what stands around it work.
export function addProfile(svg, number, memory) {
  const flame = addFlame(svg, number, memory), figure = svg.closest("figure");
  if (!flame.root) return;
  const said = element("span", { role: "status" }), tools = element("div", { class: "tools" });
  const set = (key, value) => { said.textContent = flame.set(key, value); };
  const input = (key, hint, label) => {
    const i = element("input", { type: "search", placeholder: hint, "aria-label": label, spellcheck: "false" });
    i.value = flame.state[key];
    i.addEventListener("input", () => set(key, i.value));
    return i;
  };
  tools.append(
    input("search", "search", "mark functions whose name matches"),
    input("focus", "focus", "keep only stacks that have a function whose name matches"),
    input("ignore", "ignore", "drop stacks that have a function whose name matches"),
    button("all", () => set("zoom", ""), { title: "show all of the width again (Escape)" }),
  );
  if (flame.sides) {
    const [before, after] = flame.sides, words = () => `widths: ${flame.state.old ? before : after}`;
    const b = button(words(), () => {
      set("old", flame.state.old ? "" : "1");
      b.textContent = words();
    }, { class: "sides" });
    tools.append(b);
  }
  tools.append(said);
  said.textContent = flame.said ?? "";
  svg.closest(".scroll").before(tools);

  // The picture is as wide as there is room, so that names can be read on small screens, too.
  const height = svg.viewBox.baseVal.height;
  new ResizeObserver(([entry]) => {
    const wide = Math.max(300, Math.floor(entry.contentRect.width));
    if (wide === svg.viewBox.baseVal.width) return;
    flame.left = 1;
    flame.width = wide - 2;
    svg.setAttribute("viewBox", `0 0 ${wide} ${height}`);
    svg.setAttribute("width", wide);
    flame.show();
  }).observe(figure);
  addCallTree(figure, flame);
}
