// What happened beside the operations of a load run in each interval, as its record has it: in tare's own process, and in the
// server's.
import { colour, drawChart, line } from "./charts.js";
import { element } from "./elements.js";
import { duration } from "./words.js";

const total = (m, of) => (m.servers ?? []).reduce((sum, p) => sum + (of(p) ?? 0), 0);

// kinds are the marks: their label, their colour, which no curve of latencies has, and how long they took in an interval, in ns.
const kinds = [
  { label: "server: stopped", colour: "hue6", of: (m) => total(m, (p) => p.stopped) },
  { label: "server: waited for a processor", colour: "hue3", of: (m) => total(m, (p) => p.delay) },
  { label: "server: garbage collection", colour: "hue2", of: (m) => m.server_gc?.pause },
  { label: "tare: waited for a processor", colour: "hue7", of: (m) => m.generator.process?.delay },
  { label: "tare: garbage collection", colour: "hue5", of: (m) => m.generator.gc.pause },
  { label: "tare: longest wait of a goroutine", colour: "hue8", of: (m) => m.generator.sched_max },
];

const markTime = (kind, interval) => (interval.marks && kind.of(interval.marks)) || null;

// marksOf returns the kinds of marks that intervals have.
export function marksOf(intervals) {
  return kinds.filter((k) => intervals.some((i) => markTime(k, i) > 0));
}

// markData returns the times of marks in intervals, a list for each kind.
export function markData(marks, intervals) {
  return marks.map((k) => intervals.map((i) => markTime(k, i)));
}

// drawMarks draws how long each mark took in each interval. options adds what the charts over time have in common.
export function drawMarks(section, marks, options, data) {
  const words = (u, v) => (v == null ? "–" : duration(v));
  const series = marks.map((k) => line(k.label, 0, { stroke: () => colour(k.colour), value: words, points: { show: true, size: 5 } }));
  const y = { label: "time in each interval", size: 72, filter: (u, s) => s, values: (u, s) => s.map((v) => (Math.log10(v) % 1 === 0 ? duration(v) : "")) };
  return drawChart(section, "what happened beside the operations over time: stops, waits and garbage collections of the server and of tare", 200,
    options({ series, y, x: "seconds since the start", scales: { y: { distr: 3, log: 10 } } }), data);
}

const rowHeight = 8; // of the lane, in CSS pixels

// laneOf returns the rows of the lane above a chart of latencies: the kinds of marks that took at least half as long as the p99 of an
// interval, each with those intervals.
export function laneOf(marks, intervals, p99) {
  const rows = marks.map((kind) => ({ kind, intervals: intervals.filter((i, n) => markTime(kind, i) >= p99[n] / 2) }));
  return rows.filter((row) => row.intervals.length > 0);
}

// laneHeight returns how much room the lane takes, in CSS pixels.
export function laneHeight(rows) {
  return rows.length > 0 ? rows.length * rowHeight + 6 : 0;
}

// drawLane draws the rows above the curves, where these never are.
export function drawLane(u, rows) {
  const { ctx, bbox } = u, height = rowHeight * devicePixelRatio;
  const top = bbox.top - laneHeight(rows) * devicePixelRatio;
  ctx.save();
  rows.forEach((row, n) => {
    const y = top + n * height;
    ctx.fillStyle = colour("line");
    ctx.fillRect(bbox.left, y, bbox.width, height - 2 * devicePixelRatio);
    ctx.fillStyle = colour(row.kind.colour);
    for (const i of row.intervals) {
      const x0 = u.valToPos(i.at, "x", true), x1 = u.valToPos(i.at + i.seconds, "x", true);
      ctx.fillRect(x0, y, Math.max(x1 - x0 - 1, 1), height - 2 * devicePixelRatio);
    }
  });
  ctx.restore();
}

// showLaneKey says in an element what the rows of the lane are.
export function showLaneKey(into, rows) {
  into.hidden = rows.length === 0;
  into.replaceChildren("bars above the chart, from the top, mark seconds in which this took at least half as long as the p99: ", ...rows.map((row) => {
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = `var(--${row.kind.colour})`;
    return element("span", { class: "key" }, swatch, row.kind.label);
  }));
}
