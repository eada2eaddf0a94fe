// A flame graph: a click on a function widens it to all of the width, what called it stays below; Escape, or a click on the
// ground, shows all again. / or a click on "search" asks for a name, and says which share of the width it has.

// addFlame makes an SVG image of a flame graph interactive. memory, if given, keeps what is shown: {choice, choose} of state.js.
export function addFlame(svg, number, memory) {
  const [left, width, char] = ["left", "width", "char"].map((key) => Number(svg.dataset[key]));
  const frames = [...svg.querySelectorAll("g[data-n]")].map((g) => {
    const rect = g.querySelector("rect");
    const [x, y, w] = ["x", "y", "width"].map((a) => Number(rect.getAttribute(a)));
    return { g, rect, text: g.querySelector("text"), name: g.dataset.n, x, y, w };
  });
  const found = svg.querySelector(".found"), least = 0.02;

  function place(f, x, w) {
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

  function show(to) {
    const x = to ? to.x : left, w = to ? to.w : width;
    for (const f of frames) {
      const below = to && f.y > to.y && f.x <= x + least && f.x + f.w >= x + w - least;
      const inside = f.x >= x - least && f.x + f.w <= x + w + least && (!to || f.y <= to.y);
      f.g.style.display = below || inside ? "" : "none";
      f.g.style.opacity = below ? 0.5 : "";
      if (below) place(f, left, width);
      else if (inside) place(f, left + ((f.x - x) * width) / w, (f.w * width) / w);
    }
  }

  function search(what) {
    let expression = null;
    try {
      if (what) expression = new RegExp(what);
    } catch (e) {
      found.textContent = e.message;
      return;
    }
    const spans = [];
    for (const f of frames) {
      const hit = !!expression && expression.test(f.name);
      f.rect.style.fill = hit ? "#d6409f" : "";
      if (hit) spans.push([f.x, f.x + f.w]);
    }
    found.textContent = expression ? `${what}: ${((100 * union(spans)) / width).toFixed(1)} % in ${spans.length} ${spans.length === 1 ? "place" : "places"}` : "search";
  }

  function zoom(f) {
    show(f);
    memory?.choose("zoom" + number, f ? f.name : "");
  }

  function ask() {
    const what = prompt("functions whose name matches (a regular expression):") ?? "";
    search(what);
    memory?.choose("search" + number, what);
  }

  for (const f of frames) {
    f.g.style.cursor = "pointer";
    f.g.addEventListener("click", (e) => { e.stopPropagation(); zoom(f); });
  }
  svg.addEventListener("click", () => zoom(null));
  svg.addEventListener("keydown", (e) => {
    if (e.key === "Escape") zoom(null);
    if (e.key === "/") { e.preventDefault(); ask(); }
    if (e.key === "Enter") frames.find((f) => f.g === document.activeElement)?.g.dispatchEvent(new MouseEvent("click"));
  });
  found.removeAttribute("display");
  found.style.cursor = "pointer";
  found.addEventListener("click", (e) => { e.stopPropagation(); ask(); });

  const searched = memory?.choice("search" + number), zoomed = memory?.choice("zoom" + number);
  if (searched) search(searched);
  if (zoomed) show(frames.find((f) => f.name === zoomed) ?? null);
}

// cut shortens a name to so many characters: first it loses the path of its package, then its end.
function cut(name, room) {
  if (name.length <= room) return name;
  const head = name.split("[")[0], short = name.slice(head.lastIndexOf("/") + 1);
  return short.length <= room ? short : room < 3 ? "" : short.slice(0, room - 1) + "…";
}

// union returns the length that spans cover together: calls inside of others that match count once.
export function union(spans) {
  let sum = 0, end = 0;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (to > end) {
      sum += to - Math.max(from, end);
      end = to;
    }
  }
  return sum;
}
