package bisect

import (
	"math"

	"github.com/tarebench/tare/stat"
)

// A commit is in the middle if the interval of its level lies between these parts of the step.
const (
	middleLow        = 0.25
	middleHigh       = 0.75
	middleForks      = 20    // that it takes at least
	middleConfidence = 0.999 // of the interval
)

// judgeMiddle searches for a commit whose level is neither the old nor the new one: there are two steps at least. The search
// goes on in the part with the larger one.
func (s *Search) judgeMiddle() {
	p := s.posterior()
	step := p.new - p.old
	for _, c := range p.measurable[1 : len(p.measurable)-1] {
		lo, hi, ok := s.levelOf(c, p)
		if !ok {
			continue
		}
		lo, hi = (lo-p.old)/step, (hi-p.old)/step
		if lo > hi {
			lo, hi = hi, lo
		}
		if lo <= middleLow || hi >= middleHigh {
			continue
		}
		s.part, s.pairing = true, nil
		if (lo+hi)/2 >= 0.5 {
			s.hi = c
		} else {
			s.lo = c
		}
		if s.candidates() == 0 {
			s.state = Undecided
		}
		return
	}
}

// levelOf returns the interval of a commit's level, and whether enough is known of it.
func (s *Search) levelOf(c int, p *posterior) (lo, hi float64, ok bool) {
	if s.o.Exact {
		m := stat.Median(s.values[c])
		return m, m, len(s.values[c]) >= exactForks
	}
	if len(s.values[c]) < middleForks {
		return 0, 0, false
	}
	xs := make([]float64, len(s.values[c]))
	for i, x := range s.values[c] {
		xs[i] = p.scaled(x)
	}
	e := stat.MedianInterval(xs, middleConfidence)
	return e.Lo, e.Hi, !math.IsInf(e.Hi-e.Lo, 0)
}
