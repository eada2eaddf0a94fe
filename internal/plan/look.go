package plan

import (
	"math"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
	"github.com/tarebench/tare/summary"
)

// Look is one planned look at the results.
type Look struct {
	Round      int     // after this round
	Of         int     // looks planned
	Confidence float64 // of the intervals to look at
}

// MaxRounds is the most that a precision may cost where --forks says nothing:
// looks after 10, 20, 40 and 80 rounds.
const MaxRounds = 80

// looks are planned only where a precision is asked for. Looking often and
// stopping when one likes what one sees spoils the confidence of the intervals,
// so the error is spent over the looks, see [stat.Looks].
func (p *Plan) looks() []Look {
	if p.Config.Precision <= 0 {
		return nil
	}
	at := stat.Looks(p.Config.Forks, p.Config.Confidence)
	out := make([]Look, len(at))
	for i, l := range at {
		out[i] = Look{Round: l.Forks, Of: len(at), Confidence: l.Confidence}
	}
	return out
}

// Judge looks at a summary: does the widest interval satisfy the precision? The
// width is the larger distance of a bound from the median, relative to the
// median. Results that failed do not hold the run up.
func Judge(s *summary.Summary, l Look, precision float64) record.Look {
	out := record.Look{Round: l.Round, Of: l.Of, Confidence: l.Confidence}
	for _, r := range s.Results {
		if r.Forks == 0 {
			continue
		}
		w := halfWidth(r.Interval)
		if w < 0 || (out.Widest >= 0 && w > out.Widest) {
			out.Widest, out.Case = w, r.Case
		}
	}
	out.Stop = out.Widest >= 0 && out.Widest <= precision
	return out
}

// halfWidth is -1 if the interval is infinite.
func halfWidth(iv summary.Interval) float64 {
	m, lo, hi := float64(iv.Median), float64(iv.Lo), float64(iv.Hi)
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || math.IsNaN(m) {
		return -1
	}
	if hi == lo {
		return 0
	}
	if m == 0 {
		return -1
	}
	return math.Max(hi-m, m-lo) / math.Abs(m)
}
