// A flame graph: a click on a function widens it to all of the width, what called it stays below; Escape, or a click on the
// ground, shows all again. / or a click on "search" asks for a name, and says which share it has. Stacks with a function can be
// kept alone, or dropped. Of two profiles, the widths are those of the new one or of the old one.

// addFlame makes an SVG image of a flame graph interactive, and returns what works on it. memory, if given, keeps what is shown:
// {choice, choose} of state.js.
export function addFlame(svg, number, memory) {
  const measure = (what) => Number(svg.dataset[what]);
  const char = measure("char"), row = measure("row"), sides = svg.dataset.old ? [svg.dataset.base, svg.dataset.side] : null;
  const flame = { svg, sides, left: measure("left"), width: measure("width"), root: null, frames: [], changed: [] };
  const state = { zoom: "", search: "", focus: "", ignore: "", old: "" }; // as texts, as addresses keep them
  flame.state = state;
  const path = []; // of the frame before, the outermost first
  const bottom = Math.max(...[...svg.querySelectorAll("g[data-n] > rect")].map((r) => Number(r.getAttribute("y"))));
  for (const g of svg.querySelectorAll("g[data-n]")) {
    const rect = g.querySelector("rect"), y = Number(rect.getAttribute("y"));
    const f = { g, rect, text: g.querySelector("text"), title: g.querySelector("title").textContent, name: g.dataset.n, y, below: [], now: 0 };
    f.values = [Number(g.dataset.o ?? 0), Number(rect.getAttribute("width"))]; // old, new
    f.depth = Math.round((bottom - y) / row);
    path.length = f.depth;
    f.above = path.at(-1) ?? null;
    f.above?.below.push(f);
    path.push(f);
    g.removeAttribute("display");
    g.style.cursor = "pointer";
    g.addEventListener("click", (e) => { e.stopPropagation(); flame.zoom(f); });
    flame.frames.push(f);
  }
  if (flame.frames.length === 0) return flame;
  flame.root = flame.frames[0];

  // key names a place: by the function, and where it is at several by the number of the frame as well.
  const key = (f) => (flame.frames.find((x) => x.name === f.name) === f ? f.name : `${f.name} ${flame.frames.indexOf(f)}`);
  const side = () => (state.old ? 0 : 1);
  // share returns the part of all time that a width of the whole record's picture stands for, of the side that is shown.
  flame.share = (w, of = side()) => (w * Number(svg.dataset[of ? "kept" : "old"])) / (flame.root.values[of] || 1);
  flame.self = (f, of = side()) => Math.max(0, f.values[of] - f.below.reduce((sum, c) => sum + c.values[of], 0));

  // keep computes what focus and ignore leave of a function.
  function keep(f, focus, ignore, inside, of, to) {
    const dropped = ignore?.test(f.name) && f !== flame.root;
    inside = !dropped && (inside || !focus || (f !== flame.root && focus.test(f.name)));
    let sum = 0;
    for (const c of f.below) sum += dropped ? clear(c, to) : keep(c, focus, ignore, inside, of, to);
    f[to] = inside ? flame.self(f, of) + sum : sum;
    f[to + "Self"] = inside ? flame.self(f, of) : 0;
    return f[to];
  }

  function clear(f, to) {
    f[to] = f[to + "Self"] = 0;
    for (const c of f.below) clear(c, to);
    return 0;
  }

  function place(f, x, w, shade) {
    f.g.style.display = "";
    f.g.style.opacity = shade ? 0.5 : "";
    f.rect.setAttribute("x", x.toFixed(2));
    f.rect.setAttribute("width", w.toFixed(2));
    const label = cut(f.name, Math.floor((w - 6) / char));
    if (!f.text && label) {
      f.text = document.createElementNS(svg.namespaceURI, "text");
      f.text.setAttribute("y", f.y + 12);
      f.g.append(f.text);
    }
    if (f.text) {
      f.text.setAttribute("x", (x + 3).toFixed(2));
      f.text.textContent = label;
    }
  }

  function spread(f, x, scale) {
    const w = f.now * scale;
    if (w < 0.1) return;
    place(f, x, w, false);
    for (const c of f.below) {
      spread(c, x, scale);
      x += c.now * scale;
    }
  }

  // matched returns the share of all that the functions which match have, and in how many places.
  function matched(f, expression, inside) {
    const hit = f.now > 0 && expression.test(f.name);
    f.rect.style.fill = hit ? "#d6409f" : "";
    const of = [hit && !inside ? f.now : 0, hit ? 1 : 0];
    for (const c of f.below) matched(c, expression, inside || hit).forEach((n, i) => { of[i] += n; });
    return of;
  }

  // show draws what the state says. It returns what to say about it, and throws for an expression that is none.
  flame.show = () => {
    const [focus, ignore, search] = [state.focus, state.ignore, state.search].map((e) => (e ? new RegExp(e) : null));
    keep(flame.root, focus, ignore, false, side(), "now");
    if (sides) keep(flame.root, focus, ignore, false, 1 - side(), "other");
    for (const f of flame.frames) {
      f.g.style.display = "none";
      f.rect.style.fill = "";
    }
    const zoomed = flame.frames.find((f) => state.zoom && key(f) === state.zoom);
    const to = zoomed?.now > 0 ? zoomed : flame.root;
    for (let f = to.above; f; f = f.above) place(f, flame.left, flame.width, true);
    if (to.now > 0) spread(to, flame.left, flame.width / to.now);
    const said = [];
    if (focus || ignore) said.push(`kept: ${shareText(flame.share(flame.root.now))} of all`);
    if (search) {
      const [width, places] = matched(flame.root, search, false);
      said.push(`${state.search}: ${shareText(flame.share(width))} in ${places} ${places === 1 ? "place" : "places"}`);
    }
    if (state.old) said.push(`widths of ${sides[0]}`);
    flame.changed.forEach((f) => f());
    return said.join(" · ");
  };

  // set changes the state and keeps it. It returns what to say.
  flame.set = (what, value) => {
    const before = state[what];
    state[what] = value;
    try {
      const said = flame.show();
      memory?.choose(what + number, value);
      return say(said);
    } catch (e) {
      state[what] = before;
      flame.show();
      return say(e.message);
    }
  };
  flame.zoom = (f) => flame.set("zoom", f && f !== flame.root ? key(f) : "");

  const found = svg.querySelector(".found");
  function say(text) {
    if (found) found.textContent = text || "search";
    return text;
  }

  const ask = (what, question) => flame.set(what, prompt(question, state[what]) ?? "");
  const search = () => ask("search", "functions whose name matches (a regular expression):");
  svg.addEventListener("click", () => flame.zoom(null));
  svg.addEventListener("keydown", (e) => {
    if (e.key === "Escape") flame.zoom(null);
    if (e.key === "/" && found) { e.preventDefault(); search(); }
  });
  if (found) {
    found.removeAttribute("display");
    const tool = (element, act) => {
      element.style.cursor = "pointer";
      element.addEventListener("click", (e) => { e.stopPropagation(); act(element); });
    };
    tool(found, search);
    const more = [["focus", () => ask("focus", "keep only stacks that have a function whose name matches:")], ["ignore", () => ask("ignore", "drop stacks that have a function whose name matches:")]];
    if (sides) more.push(["old widths", (e) => { flame.set("old", state.old ? "" : "1"); e.textContent = state.old ? "new widths" : "old widths"; }]);
    let x = flame.left + flame.width;
    for (const [text, act] of more.toReversed()) {
      const e = found.cloneNode();
      e.setAttribute("class", "minor tool");
      e.setAttribute("x", x);
      e.setAttribute("y", 65);
      e.textContent = text;
      svg.append(e);
      tool(e, act);
      x -= 12 + 6.4 * Math.max(text.length, 6);
    }
  }

  for (const what of Object.keys(state)) state[what] = memory?.choice(what + number) || "";
  if (!sides) state.old = "";
  try {
    flame.said = say(flame.show());
  } catch { // an address that somebody edited
    for (const what of Object.keys(state)) state[what] = "";
    flame.show();
  }
  return flame;
}

// shareText writes a share.
export function shareText(share) { return (100 * share).toFixed(1) + " %"; }

// cut shortens a name to so many characters: first it loses the path of its package, then its end.
function cut(name, room) {
  if (name.length <= room) return name;
  const head = name.split("[")[0], short = name.slice(head.lastIndexOf("/") + 1);
  return short.length <= room ? short : room < 3 ? "" : short.slice(0, room - 1) + "…";
}
