package hist

// Percentiles are the numbers of a latency distribution that reports show. All
// values are in the Histogram's unit; all are 0 if it is empty.
type Percentiles struct {
	Count int64   `json:"count"`
	Min   int64   `json:"min"`
	Mean  float64 `json:"mean"`
	P50   int64   `json:"p50"`
	P90   int64   `json:"p90"`
	P99   int64   `json:"p99"`
	P999  int64   `json:"p99.9"`
	P9999 int64   `json:"p99.99"`
	Max   int64   `json:"max"`

	Saturated int64 `json:"saturated,omitempty"` // values above Config.Highest: Mean and the upper percentiles are too low
	Negative  int64 `json:"negative,omitempty"`  // values below 0, counted as 0
}

// Percentiles returns the figures for a report. They are those of ValueAtPercentile,
// limited to the exact Min and Max: a percentile is the bound of a bucket and could
// exceed the maximum.
func (h *Histogram) Percentiles() Percentiles {
	of := [...]float64{50, 90, 99, 99.9, 99.99}
	var ranks, values [len(of)]int64
	for i, p := range of {
		ranks[i] = rank(p, h.count)
	}
	var seen int64
	found := 0
	for p, n := range h.counts() {
		seen += n
		for found < len(of) && seen >= ranks[found] {
			values[found] = min(max(h.highest(p), h.min), h.max)
			found++
		}
	}
	return Percentiles{
		Count: h.Count(), Min: h.Min(), Mean: h.Mean(),
		P50: values[0], P90: values[1], P99: values[2], P999: values[3], P9999: values[4], Max: h.Max(),
		Saturated: h.Saturated(), Negative: h.Negative(),
	}
}

// Beyond returns how many values are above the percentile p, as
// [Histogram.CountBeyond] does. A P9999 with Beyond(99.99) = 3 depends on 3 values.
func (p Percentiles) Beyond(percentile float64) int64 { return p.Count - rank(percentile, p.Count) }
