package plan

import "github.com/tarebench/tare/stat"

// Analysis is one planned interim analysis of the results.
type Analysis struct {
	Round      int     // after this round
	Total      int     // analyses planned
	Confidence float64 // of its intervals
}

// MaxRounds limits the rounds of a run with a precision and without --forks: interim analyses after 10, 20, 40 and 80
// rounds.
const MaxRounds = 80

// analyses returns the interim analyses, or nil if the run has no precision. Stopping at the first satisfying result
// would reduce the confidence of intervals, so the error is spent over the analyses; see [stat.InterimAnalyses].
func (p *Plan) analyses() []Analysis {
	if p.Config.Precision <= 0 {
		return nil
	}
	at := stat.InterimAnalyses(p.Config.Forks, p.Config.Confidence)
	out := make([]Analysis, len(at))
	for i, l := range at {
		out[i] = Analysis{Round: l.Forks, Total: len(at), Confidence: l.Confidence}
	}
	return out
}
