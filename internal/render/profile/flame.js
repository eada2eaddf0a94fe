// Makes the image interactive where a browser opens it by itself: a click on a function
// widens it to all of the width, what called it stays below; Escape, or a click on the
// ground, shows all again. / or a click on "search" asks for a name, and says which share
// of the width it has. In a page that embeds it as a picture nothing runs.
(function () {
  "use strict";
  var svg = document.documentElement, left = LEFT, width = WIDTH, char = CHAR;
  var frames = [].map.call(svg.querySelectorAll("g[data-n]"), function (g) {
    var rect = g.querySelector("rect"), text = g.querySelector("text");
    return { g: g, rect: rect, text: text, name: g.getAttribute("data-n"), x: +rect.getAttribute("x"), y: +rect.getAttribute("y"), w: +rect.getAttribute("width") };
  });
  var found = document.getElementById("found"), least = 0.02;

  function cut(name, room) {
    if (name.length <= room) return name;
    var head = name.split("[")[0], short = name.slice(head.lastIndexOf("/") + 1);
    return short.length <= room ? short : room < 3 ? "" : short.slice(0, room - 1) + "…";
  }

  function place(f, x, w) {
    f.rect.setAttribute("x", x.toFixed(2));
    f.rect.setAttribute("width", w.toFixed(2));
    var label = cut(f.name, Math.floor((w - 6) / char));
    if (!f.text && label) {
      f.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      f.text.setAttribute("y", f.y + 12);
      f.g.appendChild(f.text);
    }
    if (f.text) {
      f.text.setAttribute("x", (x + 3).toFixed(2));
      f.text.textContent = label;
    }
  }

  function show(to) {
    var x = to ? to.x : left, w = to ? to.w : width;
    frames.forEach(function (f) {
      var below = to && f.y > to.y && f.x <= x + least && f.x + f.w >= x + w - least;
      var inside = f.x >= x - least && f.x + f.w <= x + w + least && (!to || f.y <= to.y);
      f.g.style.display = below || inside ? "" : "none";
      f.g.style.opacity = below ? 0.5 : "";
      if (below) place(f, left, width);
      else if (inside) place(f, left + (f.x - x) * width / w, f.w * width / w);
    });
  }

  function search() {
    var what = prompt("functions whose name matches (a regular expression):");
    var re = null;
    try { if (what) re = new RegExp(what); } catch (e) { found.textContent = String(e.message); return; }
    var spans = [];
    frames.forEach(function (f) {
      var hit = !!re && re.test(f.name);
      f.rect.style.fill = hit ? "#d6409f" : "";
      if (hit) spans.push([f.x, f.x + f.w]);
    });
    if (!re) { found.textContent = "search"; return; }
    spans.sort(function (a, b) { return a[0] - b[0]; });
    var sum = 0, end = 0; // calls inside of others that match count once
    spans.forEach(function (s) { if (s[1] > end) { sum += s[1] - Math.max(s[0], end); end = s[1]; } });
    found.textContent = what + ": " + (100 * sum / width).toFixed(1) + " % in " + spans.length + (spans.length === 1 ? " place" : " places");
  }

  frames.forEach(function (f) {
    f.g.style.cursor = "pointer";
    f.g.addEventListener("click", function (e) { e.stopPropagation(); show(f); });
  });
  svg.addEventListener("click", function () { show(null); });
  svg.addEventListener("keydown", function (e) {
    if (e.key === "Escape") show(null);
    if (e.key === "/") { e.preventDefault(); search(); }
  });
  found.style.display = "";
  found.style.cursor = "pointer";
  found.addEventListener("click", function (e) { e.stopPropagation(); search(); });
})();
