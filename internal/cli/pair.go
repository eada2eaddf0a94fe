package cli

import (
	"slices"

	"github.com/tarebench/tare/record"
)

// pairUp keeps in the plan what can be compared. A benchmark that the base or
// all other sides lack is recorded, so that reports can list it, but not
// measured; nor is a side whose binary and environment are those of the base.
//
// all are the cases of all sides, those that failed before their forks included.
func (s *benchSession) pairUp(all []*record.Case) {
	if len(s.sides) < 2 {
		return
	}
	s.plan.Cases = slices.DeleteFunc(s.plan.Cases, func(c *record.Case) bool {
		if s.alone(c, all) || s.twin(c, all) {
			s.apart = append(s.apart, c)
			return true
		}
		return false
	})
}

// alone reports whether there is nothing to compare a case with.
func (s *benchSession) alone(c *record.Case, all []*record.Case) bool {
	return !slices.ContainsFunc(all, func(x *record.Case) bool {
		return x.Side != c.Side && sameBenchmark(x, c) && (s.base(x.Side) || s.base(c.Side))
	})
}

// twin reports whether the base runs the same binary in the same environment.
func (s *benchSession) twin(c *record.Case, all []*record.Case) bool {
	if s.base(c.Side) {
		return false
	}
	b := s.bins[c.Bin-1]
	for _, x := range all {
		base := s.bins[x.Bin-1]
		if s.base(x.Side) && sameBenchmark(x, c) && base.SHA256 == b.SHA256 && slices.Equal(base.side.Setenv, b.side.Setenv) {
			return true
		}
	}
	return false
}
