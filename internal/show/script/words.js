// Figures in words.

const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

// duration returns nanoseconds in three digits, with a unit.
export function duration(ns) {
  if (ns === 0 || !Number.isFinite(ns)) return ns === 0 ? "0" : "–";
  const [size, unit] = units.find(([size]) => ns >= size * 0.9995) ?? units.at(-1);
  return digits(ns / size) + " " + unit;
}

// digits returns a number with three digits.
export function digits(x) {
  const places = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(x) || 1)), 0), 20);
  return x.toFixed(places);
}

// percent returns 1 - 10^-nines in percent: 90 %, 99 %, 99.9 %.
export function percent(nines) {
  if (nines < 1) return nines === 0 ? "0 %" : "50 %";
  return nines === 1 ? "90 %" : "99" + (nines > 2 ? "." + "9".repeat(nines - 2) : "") + " %";
}
