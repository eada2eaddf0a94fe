package render

import (
	"math"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

// sparkBars are the bars of a sparkline, the lowest first.
var sparkBars = [...]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

const (
	sparkWidth = 24   // columns at most
	sparkFlat  = 0.04 // least height of the bars' scale, relative to the median
)

// sparkline draws one bar for each fork, in time order, from the lowest to the
// highest of the row. A scale of a few percent around the median is the least,
// so that a quiet series looks quiet. More forks than columns are drawn by those
// furthest from the median: a lone slow fork must not vanish.
func sparkline(values []result.Number, median float64) string {
	xs := thin(values, median)
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

// thin returns at most sparkWidth of the values.
func thin(values []result.Number, median float64) []float64 {
	n := min(len(values), sparkWidth)
	xs := make([]float64, n)
	for i := range xs {
		part := values[i*len(values)/n : (i+1)*len(values)/n]
		xs[i] = float64(part[0])
		for _, v := range part[1:] {
			if math.Abs(float64(v)-median) > math.Abs(xs[i]-median) || math.IsNaN(xs[i]) {
				xs[i] = float64(v)
			}
		}
	}
	return xs
}
