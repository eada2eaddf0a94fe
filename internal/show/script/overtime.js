// A load run over time: rates and latencies of each interval. Readers draw over a stretch of it, and the percentiles below are
// those of that stretch, from the histograms of its intervals.
import { button, element } from "./elements.js";
import { axis, colour, drawChart, line } from "./charts.js";
import { addUp, beyond, highest, percentile, steps } from "./histogram.js";
import { readLoad } from "./loadrun.js";
import { drawLane, drawMarks, laneHeight, laneOf, markData, marksOf, showLaneKey } from "./marks.js";
import { choice, choose } from "./state.js";
import { digits, duration, percent } from "./words.js";

const few = 10; // values beyond a percentile, below which another run would have a different one
const columns = 400; // of a curve of percentiles

// addOverTime shows the run of a record in a section, in place of the pictures there. It returns what redraws it.
export async function addOverTime(section, number) {
  const record = document.querySelectorAll("script.tare-record")[Number(section.dataset.record)];
  const intervals = await readLoad(record);
  if (intervals.length < 2) return () => {};
  const run = new Run(section, number, intervals);
  for (const picture of section.querySelectorAll("figure")) picture.classList.add("replaced");
  return () => run.redraw();
}

// growOverTime returns what shows the run of a load that goes on in a section: show takes its intervals so far.
export function growOverTime(section, number) {
  let run = null;
  return {
    section,
    show(intervals) {
      if (intervals.length < 2) return;
      if (run?.fits(intervals)) {
        run.grow(intervals);
        return;
      }
      run?.remove();
      run = new Run(section, number, intervals);
    },
    redraw() { run?.redraw(); },
  };
}

// namesIn returns the operations of intervals.
function namesIn(intervals) {
  return [...new Set(intervals.flatMap((i) => i.histograms.map((h) => h.name)))];
}

// partsIn returns the operations that are parts of others: GET/first-byte of GET, and the steps of a scenario. Their time is in that of the whole.
function partsIn(names) {
  return new Set(names.filter((n) => names.some((whole) => n.startsWith(whole + "/"))));
}

// shape distinguishes runs that need other curves.
function shape(intervals) {
  const any = (key) => intervals.some((i) => i[key] > 0);
  return JSON.stringify([namesIn(intervals), any("errors"), any("unsent"), intervals.some((i) => i.histograms.some((h) => h.kind === "response")), marksOf(intervals).map((k) => k.label)]);
}

class Run {
  constructor(into, number, intervals) {
    const section = this.box = element("div");
    into.append(section);
    this.take(intervals);
    this.key = "range" + number;
    this.shape = shape(intervals);
    this.names = namesIn(intervals);
    this.parts = partsIn(this.names);
    this.name = this.names.includes(choice("operation" + number)) ? choice("operation" + number) : "";
    this.cursor = { sync: { key: "time" + number }, drag: { x: true, y: false, setScale: false } };
    this.addTools(section, number);
    this.marks = marksOf(intervals);
    this.charts = [this.drawRates(section), this.drawLatencies(section)];
    if (this.marks.length > 0) this.charts.push(drawMarks(section, this.marks, (rest) => this.options(rest), this.markData()));
    this.percentiles = this.drawPercentiles(section);
    this.said = element("p", { class: "below", role: "status" });
    section.append(this.said);
    const [from, to] = choice(this.key).split("-").map(Number);
    if (to > from) this.setRange(from, to);
    else this.setRange(0, this.end);
    new ResizeObserver(() => requestAnimationFrame(() => this.showRange())).observe(section); // also once at first, when the charts have their size
  }

  // take keeps intervals, and how long they are together.
  take(intervals) {
    this.intervals = intervals;
    this.end = intervals.at(-1).at + intervals.at(-1).seconds;
  }

  // fits reports whether the same charts can show intervals.
  fits(intervals) {
    return shape(intervals) === this.shape;
  }

  // grow shows more intervals of the run. A stretch that the reader chose stays.
  grow(intervals) {
    const whole = this.isWhole() || this.range[1] > intervals.at(-1).at + intervals.at(-1).seconds;
    this.take(intervals);
    this.charts[0].setData(this.rateData());
    this.charts[1].setData(this.latencyData());
    this.charts[2]?.setData(this.markData());
    if (whole) this.setRange(0, this.end);
    else this.showRange();
  }

  isWhole() {
    return this.range[0] === 0 && this.range[1] === this.end;
  }

  remove() {
    for (const u of [...this.charts, this.percentiles]) u.destroy();
    this.box.remove();
  }

  addTools(section, number) {
    const field = (label) => {
      const input = element("input", { type: "number", min: 0, step: "any", "aria-label": label });
      input.addEventListener("change", () => this.setRange(Number(this.from.value), Number(this.to.value)));
      return input;
    };
    this.from = field("from this second");
    this.to = field("to this second");
    const tools = element("div", { class: "tools" }, "from", this.from, "to", this.to, "s", button("all", () => this.setRange(0, this.end)));
    if (this.names.length > 1) {
      const select = element("select", { "aria-label": "operation" }, element("option", { value: "" }, "all operations"), ...this.names.map((n) => element("option", { value: n }, n)));
      select.value = this.name;
      select.addEventListener("change", () => {
        this.name = select.value;
        choose("operation" + number, this.name);
        this.charts[1].setData(this.latencyData());
        this.setRange(...this.range);
      });
      tools.append(select);
    }
    section.append(tools, element("p", { class: "below" }, "draw over a stretch of time: the percentiles below are of that stretch"));
  }

  times() {
    return this.intervals.map((i) => i.at + i.seconds / 2);
  }

  options(rest) {
    return { cursor: this.cursor, padding: rest.padding, scales: { x: { time: false, range: () => [0, this.end] }, ...rest.scales }, hooks: { setSelect: [(u) => this.select(u)], ...rest.hooks }, series: [{ label: "second", value: (u, v) => (v == null ? "" : digits(v)) }, ...rest.series], axes: [axis({ label: rest.x }), axis(rest.y)] };
  }

  drawRates(section) {
    const rate = (u, v) => (v == null ? "" : digits(v) + "/s");
    const series = [line("target", 7, { value: rate, dash: [6, 4] }), line("achieved", 0, { value: rate })];
    if (this.any("errors")) series.push(line("errors", 4, { value: rate }));
    if (this.any("unsent")) series.push(line("backlog", 1, { value: (u, v) => (v == null ? "" : String(v)), dash: [2, 3] }));
    return drawChart(section, "operations per second over time: asked and done", 180, this.options({ series, y: { label: "operations per second", size: 64 }, scales: { y: { range: (u, min, max) => [0, (max || 1) * 1.08] } }, hooks: { drawClear: [(u) => this.drawStalls(u)] } }), this.rateData());
  }

  any(key) {
    return this.intervals.some((i) => i[key] > 0);
  }

  rateData() {
    const keys = ["asked", "did", ...["errors", "unsent"].filter((key) => this.any(key))];
    return [this.times(), ...keys.map((key) => this.intervals.map((i) => i[key]))];
  }

  // histograms returns those of an interval that are of a kind and of the operation that was chosen, or of all: each is counted once,
  // without its parts.
  histograms(interval, kind) {
    const shown = (name) => (this.name ? name === this.name : !this.parts.has(name));
    return interval.histograms.filter((h) => h.kind === kind && shown(h.name)).map((h) => h.histogram);
  }

  // kind is that of the latencies over time: a closed loop has service times alone.
  kind() {
    return this.intervals.some((i) => this.histograms(i, "response").length > 0) ? "response" : "service";
  }

  // sumOf returns the latencies of an interval, which are added once.
  sumOf(interval, kind) {
    const of = `${kind} ${interval.histograms.length} ${this.name}`;
    if (interval.sum?.of !== of) {
      const histogram = addUp(this.histograms(interval, kind));
      interval.sum = { of, histogram, steps: histogram ? steps(histogram) : [] };
    }
    return interval.sum;
  }

  latencyData() {
    const kind = this.kind(), each = this.intervals.map((i) => this.sumOf(i, kind)), all = each.map((s) => s.steps);
    this.heat = each.map((s) => s.histogram);
    const at = (p) => all.map((s) => (s.length > 0 ? percentile(s, p) || null : null));
    const p99 = at(99);
    this.lane = laneOf(this.marks, this.intervals, p99);
    showLaneKey(this.laneKey, this.lane);
    return [this.times(), at(50), p99, at(100)];
  }

  markData() {
    return [this.times(), ...markData(this.marks, this.intervals)];
  }

  drawLatencies(section) {
    const value = (u, v) => (v == null ? "" : duration(v));
    const series = [line("p50", 0, { value }), line("p99", 1, { value }), line("max", 4, { value })];
    const y = { label: this.kind() + " time", size: 72, filter: (u, s) => s, values: (u, s) => s.map((v) => (isRound(v) ? duration(v) : "")) };
    const padding = [() => 12 + laneHeight(this.lane), null, null, null];
    this.laneKey = element("p", { class: "below lane" });
    const u = drawChart(section, `${this.kind()} times over time: median, p99 and largest; the ground shows how often each occurred`, 260,
      this.options({ series, y, x: "seconds since the start", scales: { y: { distr: 3, log: 10 } }, hooks: { drawClear: [(u) => this.drawStalls(u), (u) => this.drawHeat(u)], draw: [(u) => drawLane(u, this.lane)] }, padding }), this.latencyData());
    section.append(this.laneKey);
    return u;
  }

  // drawStalls draws bands where the system itself says that it answered no request.
  drawStalls(u) {
    const stalls = this.intervals.stalls ?? [];
    if (stalls.length === 0) return;
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("hue4");
    ctx.globalAlpha = 0.2;
    for (const s of stalls) {
      const x0 = u.valToPos(s.from, "x", true), x1 = u.valToPos(s.to, "x", true);
      ctx.fillRect(x0, bbox.top, Math.max(x1 - x0, 1), bbox.height);
    }
    ctx.restore();
  }

  // drawHeat draws the share of each latency in its interval, in ten rows to a decade, behind the curves.
  drawHeat(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("hue0");
    this.heat.forEach((h, n) => {
      if (!h) return;
      const rows = new Map();
      let count = 0;
      for (const [index, k] of h.counts) {
        const row = Math.floor(10 * Math.log10(Math.max(highest(h, index), 1)));
        rows.set(row, (rows.get(row) ?? 0) + k);
        count += k;
      }
      const i = this.intervals[n], x0 = u.valToPos(i.at, "x", true), x1 = u.valToPos(i.at + i.seconds, "x", true);
      for (const [row, k] of rows) {
        const y0 = u.valToPos(10 ** ((row + 1) / 10), "y", true), y1 = u.valToPos(10 ** (row / 10), "y", true);
        ctx.globalAlpha = 0.08 + 0.5 * Math.sqrt(k / count);
        ctx.fillRect(x0, y0, Math.max(x1 - x0, 1), y1 - y0);
      }
    });
    ctx.restore();
  }

  drawPercentiles(section) {
    const value = (u, v) => (v == null ? "" : duration(v));
    const series = [{ label: "percentile", value: (u, v) => (v == null ? "" : `${Number((100 - 100 * 10 ** -v).toPrecision(5))} %`) }];
    for (const [kind, hue] of [["response", 0], ["service", 1]]) {
      series.push(line(kind, hue, { value }), line(`${kind}, fewer than ${few} beyond`, hue, { value, dash: [2, 4] }));
    }
    return drawChart(section, "latency by percentile, of the stretch that is chosen", 300, {
      scales: { x: { time: false, range: (u) => [0, this.nines ?? 1] }, y: { distr: 3, log: 10 } }, cursor: { drag: { x: false, y: false } }, series,
      axes: [
        axis({ label: "percentile", filter: (u, s) => s, splits: () => this.splits(), values: (u, s) => s.map((v) => percent(v)) }),
        axis({ label: "latency", size: 72, filter: (u, s) => s, values: (u, s) => s.map((v) => (isRound(v) ? duration(v) : "")) }),
      ],
    }, [[0, 1], ...Array(4).fill([null, null])]);
  }

  splits() {
    const out = [0, Math.log10(2)];
    for (let n = 1; n <= (this.nines ?? 1); n++) out.push(n);
    return out;
  }

  // select takes over what was drawn over one of the charts.
  select(u) {
    if (this.setting || u.select.width < 2) return;
    this.setRange(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
  }

  // setRange shows the percentiles of the intervals that have their middle between two seconds.
  setRange(from, to) {
    from = Math.max(from, 0) || 0;
    to = Math.min(to, this.end) || this.end;
    if (!(to > from)) return;
    this.range = [from, to];
    for (const [input, at] of [[this.from, from], [this.to, to]]) input.value = Number(at.toFixed(2));
    choose(this.key, this.isWhole() ? "" : `${this.from.value}-${this.to.value}`);
    this.showRange();
    this.showPercentiles(this.intervals.filter((i) => i.at + i.seconds / 2 >= from && i.at + i.seconds / 2 <= to));
  }

  // showRange marks what is chosen in the charts over time.
  showRange() {
    if (!this.box.isConnected) return; // it was replaced
    const [from, to] = this.range, whole = this.isWhole();
    this.setting = true;
    for (const u of this.charts) {
      const left = u.valToPos(from, "x"), height = u.over.clientHeight;
      u.setSelect(whole ? { left: 0, width: 0, top: 0, height: 0 } : { left, width: u.valToPos(to, "x") - left, top: 0, height }, false);
    }
    this.setting = false;
  }

  showPercentiles(inside) {
    const sum = (kind) => {
      const h = addUp(inside.flatMap((i) => this.histograms(i, kind)));
      return h ? steps(h) : [];
    };
    const response = sum("response"), service = sum("service");
    const most = Math.max(response.at(-1)?.count ?? 0, service.at(-1)?.count ?? 0);
    this.nines = Math.max(Math.log10(Math.max(most, 1)), 1);
    const x = Array.from({ length: columns + 1 }, (_, i) => (i * this.nines) / columns);
    this.percentiles.setData([x, ...curves(response, x), ...curves(service, x)]);
    this.said.textContent = this.words(inside, response.length > 0 ? response : service, response.length > 0 ? "response" : "service");
  }

  words(inside, all, kind) {
    const count = all.at(-1)?.count ?? 0;
    let text = `${duration(this.range[0] * 1e9)} to ${duration(this.range[1] * 1e9)}: ${count} ${count === 1 ? "answer" : "answers"}`;
    if (count > 0) {
      text += ` · ${kind}`;
      for (const p of [50, 90, 99, 99.9, 99.99]) {
        if (beyond(all, p) >= few) text += ` p${p} ${duration(percentile(all, p))} ·`;
      }
      text += ` max ${duration(all.at(-1).value)}`;
    }
    const stalls = (this.intervals.stalls ?? []).filter((s) => s.to > this.range[0] && s.from < this.range[1]);
    if (stalls.length > 0) text += ` · ${stalls.length} ${stalls.length === 1 ? "stall" : "stalls"} of ${stalls[0].by} (bands)`;
    for (const kind of ["failed", "unanswered"]) {
      const h = addUp(inside.flatMap((i) => this.histograms(i, kind)));
      if (h) text += ` · ${steps(h).at(-1)?.count ?? 0} ${kind}${kind === "unanswered" ? ": the percentiles are lower bounds" : ""}`;
    }
    return text;
  }

  redraw() {
    for (const u of [...this.charts, this.percentiles]) u.redraw(true, true);
  }
}

// curves returns the values at columns of nines: those that are firm, and those with few values beyond.
function curves(all, x) {
  const firm = [], weak = [];
  const count = all.at(-1)?.count ?? 0;
  let k = 0;
  for (const nines of x) {
    const left = count * 10 ** -nines; // how many are beyond
    while (k < all.length - 1 && count - all[k].count > left + 1e-9) k++;
    const v = count > 0 && left >= 1 - 1e-9 ? all[k].value || null : null;
    firm.push(left >= few ? v : null);
    weak.push(left < few * 1.05 ? v : null);
  }
  return [firm, weak];
}

// isRound reports whether a value is 1, 2 or 5 times a power of ten: those of a logarithmic axis that have a label.
function isRound(v) {
  return ["1", "2", "5"].includes(v.toExponential(6).replace(/\.?0*e.*$/, ""));
}
