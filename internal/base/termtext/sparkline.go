package termtext

import (
	"math"
	"strings"
)

// sparkBars are the bars of a sparkline, the lowest first.
var sparkBars = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// sparkFlat is the least height of the bars' scale, relative to the median.
const sparkFlat = 0.04

// Sparkline draws one bar for each value, in order, from the lowest to the highest. NaN is a blank. The bars span at
// least sparkFlat of the median, so that small noise looks flat. If there are more values than columns, each column shows the
// value that is furthest from the median, so that a single high value stays visible.
func Sparkline(values []float64, median float64, columns int) string {
	xs := thin(values, median, columns)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi {
		return ""
	}
	if span := sparkFlat * math.Abs(median); hi-lo < span {
		// The median in the middle of a bar: between two, noise would flip it.
		lo = max(min(lo, median-span*3/7), hi-span)
		hi = lo + span
	}
	var b strings.Builder
	for _, x := range xs {
		b.WriteString(sparkBar(x, lo, hi))
	}
	return b.String()
}

func sparkBar(x, lo, hi float64) string {
	top := len(sparkBars) - 1
	switch {
	case math.IsNaN(x):
		return " "
	case hi == lo:
		return sparkBars[top/2]
	}
	i := math.Round((x - lo) / (hi - lo) * float64(top))
	if !(i >= 0) {
		i = 0
	}
	return sparkBars[int(min(i, float64(top)))]
}

// thin returns at most n of the values.
func thin(values []float64, median float64, n int) []float64 {
	n = min(len(values), n)
	xs := make([]float64, n)
	for i := range xs {
		part := values[i*len(values)/n : (i+1)*len(values)/n]
		xs[i] = part[0]
		for _, v := range part[1:] {
			if math.Abs(v-median) > math.Abs(xs[i]-median) || math.IsNaN(xs[i]) {
				xs[i] = v
			}
		}
	}
	return xs
}
