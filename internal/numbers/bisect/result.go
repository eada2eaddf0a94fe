package bisect

import (
	"slices"

	"github.com/tarebench/tare/stat"
)

// Done returns what the search knows, at any time.
func (s *Search) Done() Result {
	r := Result{State: s.state, Probabilities: make([]float64, s.n+1), Ratio: 1, Hi: 1, Lo: 1, Part: s.part, Forks: s.forks}
	for _, xs := range s.values {
		if len(xs) > 0 {
			r.Built++
		}
	}
	r.Ends = s.endsRatio()
	r.Ratio, r.Lo, r.Hi = r.Ends.Value, r.Ends.Lo, r.Ends.Hi
	if s.ends != nil || s.state == Unusable || s.candidates() == 0 {
		return r
	}
	p := s.posterior()
	for _, g := range p.gaps {
		for _, a := range s.members(g) {
			r.Probabilities[a] = g.mass / float64(s.open(g))
		}
	}
	best := p.best()
	r.Group = s.members(best)
	r.First = slices.Max(r.Group)
	if x := s.pairs[[2]int{best.before, best.after}]; x != nil && min(len(x.old), len(x.new)) > 0 {
		e := x.ratio(resultConfidence)
		r.Ratio, r.Lo, r.Hi = e.Value, e.Lo, e.Hi
	}
	return r
}

// resultConfidence is the level of the intervals of a Result.
const resultConfidence = 0.95

// endsRatio returns BAD over GOOD by all forks of both.
func (s *Search) endsRatio() stat.Estimate {
	if s.o.Exact {
		return exactRatio(s.values[0], s.values[s.n])
	}
	return stat.HodgesLehmann(s.values[0], s.values[s.n], resultConfidence)
}
