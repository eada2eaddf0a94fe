package result

import (
	"math"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// CheckPrecision returns the widest interval of a result, and whether it satisfies the precision. The intervals must
// have the confidence of the analysis l. The width of an interval is the larger distance of a bound from the median,
// relative to the median. If sides are compared, it is the half-width of the ratio's interval on a logarithmic scale.
// Failed results are ignored.
func (s *Result) CheckPrecision(l plan.Analysis, precision float64) record.InterimAnalysis {
	out := record.InterimAnalysis{Round: l.Round, Of: l.Total, Confidence: l.Confidence}
	addWidth := func(w float64, caseID int) {
		if out.Case == 0 || (out.Widest >= 0 && (w < 0 || w > out.Widest)) {
			out.Widest, out.Case = w, caseID
		}
	}
	for _, c := range s.Comparisons {
		if c.Main && c.OldN > 0 && c.NewN > 0 {
			addWidth(ratioWidth(c), c.Case)
		}
	}
	for _, r := range s.Results {
		if r.Forks > 0 && len(s.Comparisons) == 0 {
			addWidth(halfWidth(r.Interval), r.Case)
		}
	}
	out.Stop = out.Widest >= 0 && out.Widest <= precision
	return out
}

// ratioWidth returns the half-width of a ratio's interval on a logarithmic scale, or -1 if it is infinite or unknown.
func ratioWidth(c Comparison) float64 {
	w := math.Log(float64(c.Hi)/float64(c.Lo)) / 2
	if math.IsInf(w, 0) || math.IsNaN(w) {
		return -1
	}
	return w
}

// halfWidth returns the relative half-width of an interval, or -1 if it is infinite or its median is 0.
func halfWidth(iv Interval) float64 {
	m, lo, hi := float64(iv.Median), float64(iv.Lo), float64(iv.Hi)
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || math.IsNaN(m) {
		return -1
	}
	if hi == lo {
		return 0
	}
	w := math.Max(hi-m, m-lo) / math.Abs(m)
	if math.IsInf(w, 0) || math.IsNaN(w) {
		return -1
	}
	return w
}
