// What happened beside the operations of a load run in each interval, as its record has it: in tare's own process, and in the
// server's.
import { axis, colour, drawChart, line } from "./charts.js";
import { duration } from "./words.js";

const total = (m, of) => (m.servers ?? []).reduce((sum, p) => sum + (of(p) ?? 0), 0);

// kinds are the marks: their label, their colour, and how long they took in an interval, in ns.
const kinds = [
  { label: "server: stopped", hue: 4, of: (m) => total(m, (p) => p.stopped) },
  { label: "server: waited for a processor", hue: 1, of: (m) => total(m, (p) => p.delay) },
  { label: "server: garbage collection", hue: 2, of: (m) => m.server_gc?.pause },
  { label: "tare: waited for a processor", hue: 7, of: (m) => m.generator.process?.delay },
  { label: "tare: garbage collection", hue: 3, of: (m) => m.generator.gc.pause },
  { label: "tare: longest wait of a goroutine", hue: 5, of: (m) => m.generator.sched_max },
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
  const series = marks.map((k) => line(k.label, k.hue, { value: words, points: { show: true, size: 5 } }));
  const y = { label: "time in each interval", size: 72, filter: (u, s) => s, values: (u, s) => s.map((v) => (Math.log10(v) % 1 === 0 ? duration(v) : "")) };
  return drawChart(section, "what happened beside the operations over time: stops, waits and garbage collections of the server and of tare", 200,
    options({ series, y, x: "seconds since the start", scales: { y: { distr: 3, log: 10 } } }), data);
}

// drawTicks marks at the foot of a chart of latencies the intervals in which something took at least half as long as their p99: a row for each
// kind, in its colour.
export function drawTicks(u, marks, intervals, p99) {
  const { ctx, bbox } = u, height = 4 * devicePixelRatio;
  ctx.save();
  marks.forEach((kind, row) => {
    ctx.fillStyle = colour("hue" + kind.hue);
    intervals.forEach((i, n) => {
      if (!(markTime(kind, i) >= p99[n] / 2)) return;
      const x0 = u.valToPos(i.at, "x", true), x1 = u.valToPos(i.at + i.seconds, "x", true);
      ctx.fillRect(x0, bbox.top + bbox.height - (row + 1) * 1.5 * height, Math.max(x1 - x0 - 1, 1), height);
    });
  });
  ctx.restore();
}
