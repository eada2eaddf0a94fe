package histfiles

import (
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result/latencies"
)

// scaleHistogram multiplies all values by a unit. They stay exact to the histogram's digits.
func scaleHistogram(h *hist.Histogram, unit int64) *hist.Histogram {
	out := hist.New(hist.Config{Digits: h.Config().Digits, Lowest: h.Config().Lowest})
	for b, n := range h.Buckets() {
		out.RecordN(latencies.Times(b.Lowest+(b.Highest-b.Lowest)/2, unit), n)
	}
	return out
}
