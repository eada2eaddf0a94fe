// The functions of a flame graph as a tree that folds, for reading and for the keyboard: callers above callees.
import { button, element } from "./elements.js";
import { shareText } from "./flame.js";

const orders = {
  total: (a, b) => b.now - a.now,
  self: (a, b) => b.nowSelf - a.nowSelf || b.now - a.now,
  name: (a, b) => (a.name < b.name ? -1 : 1),
};

// addCallTree adds the tree of calls below a flame graph, unfolded as far as most of the time is in one callee.
export function addCallTree(to, flame) {
  const open = new Set(), list = element("div", { role: "tree", class: "calltree", "aria-label": "call tree" });
  const least = 0.001; // of all: what is less is summed up by its caller
  let order = "total", at = null; // the function that has the keyboard
  for (let f = flame.root; f; f = heavy(f)) open.add(f);

  function heavy(f) {
    return f.below.find((c) => c.now > 0.5 * flame.root.now) ?? null;
  }

  function callees(f) {
    return f.below.filter((c) => flame.share(Math.max(c.now, c.other ?? 0)) >= least).sort(orders[order]);
  }

  function rows(f, out = []) {
    out.push(f);
    if (open.has(f)) for (const c of callees(f)) rows(c, out);
    return out;
  }

  function line(f) {
    const more = callees(f).length > 0, item = element("div", { role: "treeitem", "aria-level": f.depth + 1, tabindex: f === at ? "0" : "-1", title: f.title });
    if (more) item.setAttribute("aria-expanded", open.has(f));
    item.append(element("span", { class: "number" }, shareText(flame.share(f.now))));
    if (flame.sides) {
      const now = flame.share(f.now), other = flame.share(f.other, flame.state.old ? 1 : 0), points = 100 * (flame.state.old ? other - now : now - other);
      item.append(element("span", { class: "number" }, shareText(other)), element("span", { class: "number" }, (points > 0.05 ? "+" : points < -0.05 ? "−" : "") + Math.abs(points).toFixed(1)));
    } else {
      item.append(element("span", { class: "number" }, shareText(flame.share(f.nowSelf))));
    }
    const indent = element("span", { class: "indent", "aria-hidden": "true" }, "  ".repeat(f.depth) + (more ? (open.has(f) ? "▾ " : "▸ ") : "  "));
    item.append(indent, swatch(flame.svg.namespaceURI, f.rect.getAttribute("class")), element("span", { class: "name" }, f.name));
    item.addEventListener("click", () => {
      at = f;
      if (more) fold(f, !open.has(f));
      else show(true);
    });
    return item;
  }

  function fold(f, unfold) {
    if (unfold) open.add(f);
    else open.delete(f);
    show(true);
  }

  function show(focus) {
    const shown = rows(flame.root);
    if (!shown.includes(at)) at = flame.root;
    const items = shown.map(line);
    list.replaceChildren(head(), ...items);
    if (focus) items[shown.indexOf(at)].focus();
  }

  function head() {
    const titles = flame.sides ? flame.state.old ? [flame.sides[0], flame.sides[1], "points"] : [flame.sides[1], flame.sides[0], "points"] : ["total", "self"];
    return element("div", { class: "head", role: "presentation" }, ...titles.map((t) => element("span", { class: "number" }, t)), element("span", {}, "function"));
  }

  list.addEventListener("keydown", (e) => {
    const shown = rows(flame.root), i = shown.indexOf(at);
    const go = (f) => { if (f) { at = f; show(true); } };
    const keys = {
      ArrowDown: () => go(shown[i + 1]), ArrowUp: () => go(shown[i - 1]), Home: () => go(shown[0]), End: () => go(shown.at(-1)),
      ArrowRight: () => (open.has(at) ? go(callees(at)[0]) : callees(at).length && fold(at, true)),
      ArrowLeft: () => (open.has(at) && callees(at).length ? fold(at, false) : go(at.above)),
      Enter: () => callees(at).length && fold(at, !open.has(at)), " ": () => callees(at).length && fold(at, !open.has(at)),
      "*": () => { const all = (f) => { open.add(f); callees(f).forEach(all); }; all(at); show(true); },
    };
    if (i < 0 || !keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });

  const sort = element("select", { "aria-label": "order of callees" }, ...Object.keys(orders).map((o) => element("option", { value: o }, "by " + o)));
  sort.addEventListener("change", () => { order = sort.value; show(false); });
  const all = button("unfold all", () => { flame.frames.forEach((f) => open.add(f)); show(false); });
  const none = button("fold all", () => { open.clear(); show(false); });
  to.append(element("details", { class: "tree" }, element("summary", {}, "call tree"), element("div", { class: "tools" }, sort, all, none), list));
  flame.changed.push(() => show(false));
  show(false);
}

// swatch returns a piece of the colour of a class of flame graphs.
function swatch(space, name) {
  const svg = document.createElementNS(space, "svg"), rect = document.createElementNS(space, "rect");
  for (const [key, value] of Object.entries({ class: "flame swatch", width: 10, height: 10, "aria-hidden": "true" })) svg.setAttribute(key, value);
  for (const [key, value] of Object.entries({ class: name, width: 10, height: 10 })) rect.setAttribute(key, value);
  svg.append(rect);
  return svg;
}
