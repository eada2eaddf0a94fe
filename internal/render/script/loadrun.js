// A load run as its record has it: an interval each second, with histograms.
import { readHistogram } from "./histogram.js";
import { recordLines } from "./records.js";

// readLoad returns the intervals of the phase that was measured, in order. Each has its time from the beginning of the phase
// in seconds, its rates, and its histograms by operation and kind.
export async function readLoad(record) {
  const all = await recordLines(record, ['{"k":"load"', '{"k":"hist"']);
  const loads = all.filter((l) => l.k === "load" && !l.final);
  const phase = ["run", "insert"].find((p) => loads.some((l) => l.phase === p)) ?? loads[0]?.phase;
  const intervals = new Map();
  let before = {};
  for (const l of loads.filter((l) => l.phase === phase).sort((a, b) => a.start - b.start)) {
    intervals.set(l.start, interval(l, before));
    before = l;
  }
  const first = Math.min(...intervals.keys());
  await Promise.all(all.filter((l) => l.k === "hist" && intervals.has(l.start)).map(async (l) => {
    if (l.unit === "ns") intervals.get(l.start).histograms.push({ name: l.name, kind: l.tag, histogram: await readHistogram(l.data) });
  }));
  for (const [start, i] of intervals) i.at = (start - first) / 1e9;
  return [...intervals.values()];
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
