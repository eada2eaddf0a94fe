// A load run as its record has it: an interval each second, with histograms.
import { readHistogram } from "./histogram.js";
import { recordLines } from "./records.js";

// loadLines are the beginnings of the lines that a load run is drawn from.
const loadLines = ['{"k":"load"', '{"k":"marks"', '{"k":"hist"', '{"k":"stall"'];

// readLoad returns the intervals of a record's run; see LoadRun.
export async function readLoad(record) {
  const run = new LoadRun();
  run.add(await recordLines(record, loadLines));
  return run.intervals();
}

// LoadRun gathers the lines of a load run, all at once or as they are written.
export class LoadRun {
  constructor() {
    this.phases = new Map(); // by name, of intervals by their start
    this.last = new Map(); // the last line of each phase
    this.stalls = []; // lines of stalls
    this.waiting = new Map(); // lines of histograms that were not read, by their start
    this.marks = new Map(); // lines of marks, by their start
  }

  add(lines) {
    for (const l of lines.filter((l) => l.k === "load" && !l.final).sort((a, b) => a.start - b.start)) {
      if (!this.phases.has(l.phase)) this.phases.set(l.phase, new Map());
      this.phases.get(l.phase).set(l.start, interval(l, this.last.get(l.phase) ?? {}));
      this.last.set(l.phase, l);
    }
    this.stalls.push(...lines.filter((l) => l.k === "stall"));
    for (const l of lines.filter((l) => l.k === "marks")) this.marks.set(l.start, l);
    for (const l of lines.filter((l) => l.k === "hist" && l.unit === "ns")) {
      if (!this.waiting.has(l.start)) this.waiting.set(l.start, []);
      this.waiting.get(l.start).push(l);
    }
  }

  // intervals returns those of the phase that was measured, in order. Each has its time from the beginning of the phase in
  // seconds, its rates, its marks, and its histograms by operation and kind. The list has the stalls of the system, as seconds from and to.
  async intervals() {
    const phase = ["run", "load"].find((p) => this.phases.has(p)) ?? this.phases.keys().next().value;
    const found = [...(this.phases.get(phase) ?? [])]; // as it is now: lines may come while histograms are read
    const first = Math.min(...found.map(([start]) => start));
    await Promise.all(found.map(async ([start, i]) => {
      i.at = (start - first) / 1e9;
      i.marks = this.marks.get(start);
      const lines = this.waiting.get(start) ?? [];
      this.waiting.delete(start);
      i.histograms.push(...(await Promise.all(lines.map(async (l) => ({ name: l.name, kind: l.tag, histogram: await readHistogram(l.data) })))));
    }));
    const intervals = found.map(([, i]) => i);
    intervals.stalls = this.stalls.map((s) => ({ by: s.by, from: (s.start - first) / 1e9, to: (s.start + s.length - first) / 1e9 }));
    return intervals;
  }
}

// interval returns what happened between two lines, whose counts are since the beginning of the phase.
function interval(now, before) {
  const seconds = now.length / 1e9;
  const sum = (errors) => Object.values(errors ?? {}).reduce((a, b) => a + b, 0);
  return {
    seconds, asked: now.asked, did: now.did, unsent: now.unsent,
    errors: (sum(now.errors) - sum(before.errors)) / seconds,
    dropped: now.dropped - (before.dropped ?? 0),
    histograms: [],
  };
}
