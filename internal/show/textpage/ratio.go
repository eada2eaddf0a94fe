package textpage

import (
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// RatioOf says what a ratio is of, if not of the medians beside it; else "".
func RatioOf(c *result.Comparison) string {
	const not = ": they are not those of the medians beside them"
	switch {
	case c.Undisturbed != nil && c.By == stat.ByUndisturbed:
		return "ratios are of the undisturbed iterations (the best of each fork)" + not
	case c.Sample == result.SampleWindows:
		return "ratios are the middle of the ratios of pairs of windows" + not
	case c.Sample == result.SampleStarts:
		return "ratios are the middle of the ratios of starts of both servers" + not
	case c.Sample == result.SampleIntervals:
		return "ratios are of the geometric means of intervals" + not
	}
	return ""
}
