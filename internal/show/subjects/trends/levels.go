package trends

import (
	"math"

	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/stat"
)

// levels returns the stretches of a row that have values, divided by its suspects.
func levels(r *trend.Row) (out []level) {
	ends := []int{0}
	for _, s := range r.Suspects {
		ends = append(ends, s.At)
	}
	ends = append(ends, len(r.Medians))
	for i := 1; i < len(ends); i++ {
		var known []float64
		for _, x := range r.Medians[ends[i-1]:ends[i]] {
			if !math.IsNaN(x) {
				known = append(known, x)
			}
		}
		if len(known) > 0 {
			out = append(out, level{ends[i-1], ends[i], stat.Median(known)})
		}
	}
	return out
}
