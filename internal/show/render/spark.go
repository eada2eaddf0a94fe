package render

import (
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
)

// sparkWidth is the most columns of a sparkline.
const sparkWidth = 24

// sparkline draws one bar for each fork, in time order.
func sparkline(values []result.Number, median float64) string {
	xs := make([]float64, len(values))
	for i, v := range values {
		xs[i] = float64(v)
	}
	return termtext.Sparkline(xs, median, sparkWidth)
}
