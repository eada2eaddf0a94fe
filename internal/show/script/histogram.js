// Histograms of HdrHistogram's V2 format, as package hist writes them: read, added without loss, asked for percentiles.
import { bytesOf, unpack } from "./records.js";

// readHistogram returns the histogram that base64 text holds: counts by the index of their bucket, and the layout of buckets.
// It fails for what is none.
export async function readHistogram(base64) {
  const packed = bytesOf(base64);
  if (new DataView(packed.buffer).getUint32(0) !== 0x1c849314) throw new Error("no histogram of the V2 compressed format");
  const plain = new DataView(await unpack(packed.subarray(8), "deflate").arrayBuffer());
  if (plain.getUint32(0) !== 0x1c849313) throw new Error("no counts of the V2 format");
  const digits = plain.getUint32(12), lowest = Number(plain.getBigInt64(16));
  return {
    unit: Math.floor(Math.log2(lowest)),
    half: Math.ceil(Math.log2(2 * 10 ** digits)) - 1,
    counts: readCounts(plain, 40, 40 + plain.getUint32(4)),
  };
}

// readCounts reads numbers of 7-bit groups, the lowest first, the sign in the lowest bit. Negative ones are runs of zeros.
function readCounts(bytes, at, end) {
  const counts = new Map();
  let index = 0;
  while (at < end) {
    let u = 0, scale = 1;
    for (let group = 0; ; group++) {
      const b = bytes.getUint8(at++);
      if (group === 8) { // the ninth byte has 8 bits
        u += b * scale;
        break;
      }
      u += (b & 0x7f) * scale;
      if (b < 0x80) break;
      scale *= 128;
    }
    const n = u % 2 ? -(u + 1) / 2 : u / 2;
    if (n < 0) index -= n;
    else {
      if (n > 0) counts.set(index, n);
      index++;
    }
  }
  return counts;
}

// addUp returns the sum of histograms; null of none. Their buckets must be the same. Nothing is lost.
export function addUp(histograms) {
  if (histograms.length === 0) return null;
  const { unit, half } = histograms[0], counts = new Map();
  for (const h of histograms) {
    if (h.unit !== unit || h.half !== half) throw new Error("histograms of different precision");
    for (const [index, n] of h.counts) counts.set(index, (counts.get(index) ?? 0) + n);
  }
  return { unit, half, counts };
}

// highest returns the largest value of a bucket.
export function highest(h, index) {
  const slots = 2 ** h.half, page = Math.floor(index / slots), slot = index % slots;
  const lowest = page === 0 ? slot * 2 ** h.unit : (slot + slots) * 2 ** (h.unit + page - 1);
  return lowest + 2 ** (h.unit + Math.max(page, 1) - 1) - 1;
}

// steps returns the values of a histogram in ascending order, each with the count of values up to it.
export function steps(h) {
  let seen = 0;
  return [...h.counts].sort((a, b) => a[0] - b[0]).map(([index, n]) => ({ value: highest(h, index), count: (seen += n) }));
}

// percentile returns the value that so many per cent of the values do not exceed: that with the rank ⌈p/100 × count⌉, at
// least the first. p is its decimal form: 99.9 is 999/1000.
export function percentile(all, p) {
  if (all.length === 0) return NaN;
  const rank = Math.max(Math.ceil(Number(((p * all.at(-1).count) / 100).toPrecision(14))), 1);
  return all.find((s) => s.count >= rank).value;
}

// beyond returns how many values are above a percentile.
export function beyond(all, p) {
  const count = all.at(-1)?.count ?? 0;
  return count - Math.ceil(Number(((p * count) / 100).toPrecision(14)));
}
