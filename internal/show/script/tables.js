// Tables: sort by a column, show only rows whose name matches, copy as Markdown or CSV.
import { copyText } from "./copy.js";
import { button, element } from "./elements.js";
import { choice, choose } from "./state.js";

// Tables of fewer rows have no filter.
const filterFrom = 8;

// partOf has for each row of a table the rows that stand with it: itself first, and those below that are about it.
export const partOf = new WeakMap();

// addTable adds the tools of a table. Their state is kept under keys with its number.
export function addTable(table, number) {
  const bodies = [...table.tBodies].map((body) => ({ body, rows: parts(body) }));
  for (const { rows } of bodies) for (const part of rows) partOf.set(part[0], part);
  const tools = element("div", { class: "tools" });
  if (bodies.reduce((n, b) => n + b.rows.length, 0) >= filterFrom) addFilter(tools, bodies, "find" + number);
  addCopy(tools, table);
  table.closest(".scroll").before(tools);
  addSort(table, bodies, "sort" + number);
}

// parts returns the rows of a body that have a name, each with the detail rows below it. The heading stays where it is.
function parts(body) {
  const out = [];
  for (const row of body.rows) {
    if (row.classList.contains("group")) continue;
    if (row.classList.contains("detail") && out.length > 0) out.at(-1).push(row);
    else out.push([row]);
  }
  return out;
}

function addFilter(tools, bodies, key) {
  const input = element("input", { type: "search", placeholder: "names that match", "aria-label": "show only rows whose name matches", spellcheck: "false" });
  const said = element("span", { role: "status" });
  input.value = choice(key);
  const show = () => {
    const match = matcher(input.value);
    said.textContent = match ? "" : "no regular expression";
    if (!match) return;
    let shown = 0, all = 0;
    for (const { rows } of bodies) {
      for (const part of rows) {
        const hit = match(textOf(part[0].cells[0]));
        all++;
        if (hit) shown++;
        for (const row of part) row.hidden = !hit;
      }
    }
    if (input.value) said.textContent = `${shown} of ${all} rows`;
    choose(key, input.value);
  };
  input.addEventListener("input", show);
  if (input.value) show();
  tools.append(input, said);
}

// matcher returns a function that tells whether a text matches a regular expression, in any case; nothing if it is none.
export function matcher(pattern) {
  try {
    const expression = new RegExp(pattern, "i");
    return (text) => expression.test(text);
  } catch {
    return null;
  }
}

// addSort makes the titles of columns buttons: ascending, descending, and the order of the record again.
function addSort(table, bodies, key) {
  const heads = [...table.tHead.rows[0].cells];
  const show = (column, order) => {
    heads.forEach((h, i) => {
      if (i === column && order) h.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
      else h.removeAttribute("aria-sort");
    });
    for (const { body, rows } of bodies) {
      const sorted = order ? rows.toSorted((a, b) => order * compareCells(a[0].cells[column], b[0].cells[column])) : rows;
      for (const part of sorted) body.append(...part);
    }
  };
  const [column, order] = choice(key).split(".").map(Number);
  const now = { column: heads[column] ? column : -1, order: Math.sign(order) || 0 };
  heads.forEach((head, i) => {
    const title = head.firstChild;
    if (title?.nodeType !== Node.TEXT_NODE) return;
    const b = button(title.textContent, () => {
      now.order = now.column !== i ? 1 : now.order === 1 ? -1 : now.order === -1 ? 0 : 1;
      now.column = i;
      show(i, now.order);
      choose(key, now.order ? `${i}.${now.order}` : "");
    }, { class: "sort" });
    title.replaceWith(b);
  });
  if (now.order && now.column >= 0) show(now.column, now.order);
}

// compareCells orders cells with values by them, others by their text. Cells without anything are last in ascending order.
export function compareCells(a, b) {
  const x = value(a), y = value(b);
  if (typeof x === "number" && typeof y === "number") return x - y;
  if (typeof x === "number") return -1;
  if (typeof y === "number") return 1;
  return x.localeCompare(y, "en", { numeric: true });
}

function value(cell) {
  const v = cell?.dataset.value;
  return v === undefined ? textOf(cell) || "\uffff" : Number(v);
}

// textOf returns what a cell says, without drawings and marks.
function textOf(cell) {
  if (!cell) return "";
  const copy = cell.cloneNode(true);
  for (const e of copy.querySelectorAll("svg, .marks, .axis")) e.remove();
  return copy.textContent.trim().replace(/\s+/g, " ");
}

function addCopy(tools, table) {
  for (const [name, write] of [["Markdown", toMarkdown], ["CSV", toCSV]]) {
    const b = button("copy as " + name, () => copyText(write(lines(table)), b));
    tools.append(b);
  }
}

// lines returns the cells of the rows that are shown, the titles first.
function lines(table) {
  const out = [[...table.tHead.rows[0].cells].map(textOf)];
  for (const body of table.tBodies) {
    for (const row of body.rows) {
      if (!row.hidden && !row.classList.contains("strip")) out.push([...row.cells].map(textOf));
    }
  }
  for (const line of out) while (line.length < out[0].length) line.push("");
  const used = out[0].map((_, i) => out.slice(1).some((line) => line[i] !== ""));
  return out.map((line) => line.filter((_, i) => used[i])); // without columns of drawings alone
}

// toMarkdown writes lines of cells as a table of Markdown.
export function toMarkdown(all) {
  const line = (cells) => "| " + cells.map((c) => c.replace(/[\\|`*_<>[\]]/g, "\\$&")).join(" | ") + " |\n";
  return line(all[0]) + "|" + " --- |".repeat(all[0].length) + "\n" + all.slice(1).map(line).join("");
}

// toCSV writes lines of cells as RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe.
export function toCSV(all) {
  const cell = (c) => {
    if (/^[=+@-]/.test(c) && !/^[-+]?[\d.,]+\s?%?$/.test(c)) c = "'" + c;
    return /[",\n]/.test(c) ? '"' + c.replaceAll('"', '""') + '"' : c;
  };
  return all.map((line) => line.map(cell).join(",") + "\r\n").join("");
}
