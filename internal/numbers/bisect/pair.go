package bisect

import (
	"math"
	"slices"

	"github.com/tarebench/tare/stat"
)

const (
	pairForks = 10   // of each commit in a round that compares two
	pairAlpha = 0.01 // of all analyses of a pair together
	endsAgain = 0.1  // p of the ends, above which their difference was chance

	endsAgainForks = 160 // of each end, before which a difference may still hide
)

// pairLooks are the numbers of forks of each side at which a pair is analysed.
var pairLooks = []int{20, 40, 80, 160, 320}

// pair is the comparison of a candidate with the commit before it.
type pair struct {
	gap
	old, new []float64
	exact    bool
	analysed int // forks of the last analysis
}

func (s *Search) pairOf(g gap) *pair {
	key := [2]int{g.before, g.after}
	if s.pairs[key] == nil {
		s.pairs[key] = &pair{gap: g, exact: s.o.Exact}
	}
	return s.pairs[key]
}

func (p *pair) has(commit int) bool { return commit == p.before || commit == p.after }

func (p *pair) add(commit int, value float64) {
	switch commit {
	case p.before:
		p.old = append(p.old, value)
	case p.after:
		p.new = append(p.new, value)
	}
}

// next returns how many forks of each side the next round has.
func (p *pair) next() int {
	if p.exact {
		return exactForks
	}
	return pairForks
}

// due reports whether the pair is to be analysed: it has passed a number of pairLooks since the last time.
func (p *pair) due() bool {
	n := min(len(p.old), len(p.new))
	if p.exact {
		return n >= exactForks
	}
	return slices.ContainsFunc(pairLooks, func(at int) bool { return n >= at && p.analysed < at })
}

func (p *pair) last() bool {
	return p.exact || min(len(p.old), len(p.new)) >= pairLooks[len(pairLooks)-1]
}

// ratio returns the ratio of the two sides.
func (p *pair) ratio(confidence float64) stat.Estimate {
	if p.exact {
		return exactRatio(p.old, p.new)
	}
	return stat.HodgesLehmann(p.old, p.new, confidence)
}

// judgePair ends the search if the pair shows more than half of the step, or surely a quarter of it. A pair that surely shows less than half of it
// is none. One that is not decided at the last analysis leaves the search undecided.
func (s *Search) judgePair(p *pair) {
	if !p.due() {
		return
	}
	p.analysed = min(len(p.old), len(p.new))
	around := s.posterior()
	half := s.endsStep(around) / 2
	each := pairAlpha / float64(len(pairLooks))
	e := p.ratio(1 - each)
	change := func(ratio float64) float64 { // in the unit of half, in its direction
		x := math.Log(ratio)
		if !around.log {
			x = (ratio - 1) * stat.Median(p.old)
			if p.exact {
				x = stat.Median(p.new) - stat.Median(p.old)
			}
		}
		return x * math.Copysign(1, half)
	}
	least, most := change(e.Lo), change(e.Hi)
	if least > most {
		least, most = most, least
	}
	size := math.Abs(half)
	switch {
	case s.probable(p, around) && (least > 0 && change(e.Value) > size || least > size/2):
		s.state = Found
		s.part = s.part || s.differs(0, p.before) || s.differs(p.after, s.n)
	case most < size:
		s.cannotBe(p.gap)
	case p.last() && s.probable(p, around):
		s.state = Undecided
	}
}

// endsStep returns the step between the ends, in the unit of levels. With logarithms it is that of Hodges and Lehmann, as the
// step of the pair: the difference of medians is another one if forks have two groups.
func (s *Search) endsStep(p *posterior) float64 {
	if !p.log {
		return p.new - p.old
	}
	return math.Log(stat.HodgesLehmann(s.values[s.lo], s.values[s.hi], resultConfidence).Value)
}

// differs reports whether two commits surely have different levels, by more than the threshold and a quarter of the
// difference of GOOD and BAD: they were not interleaved with each other, so that drift may be in it.
func (s *Search) differs(a, b int) bool {
	old, new := s.values[a], s.values[b]
	if a == b || min(len(old), len(new)) == 0 {
		return false
	}
	if s.o.Exact {
		return exactRatio(old, new).Value != 1
	}
	e := stat.HodgesLehmann(old, new, middleConfidence)
	least := max(math.Log1p(s.o.Threshold), math.Abs(math.Log(s.endsRatio().Value))/4)
	return (e.Lo > 1 || e.Hi < 1) && math.Abs(math.Log(e.Value)) > least
}

// probable reports whether the gap of a pair is still the most probable one.
func (s *Search) probable(p *pair, now *posterior) bool {
	b := now.best()
	return b.before == p.before && b.after == p.after
}

// cannotBe takes a gap from the candidates. Without any left nothing is decided.
func (s *Search) cannotBe(g gap) {
	s.Join(g.before, g.after)
	if s.candidates() == 0 {
		s.state = Undecided
	}
}

// exactForks is the number of forks of a commit, where they hardly differ.
const exactForks = 2

// exactRatio returns the ratio of medians of values that need no interval. 0 to 0 is 1.
func exactRatio(old, new []float64) stat.Estimate {
	a, b := stat.Median(old), stat.Median(new)
	r := b / a
	if a == b {
		r = 1
	}
	return stat.Estimate{Value: r, Lo: r, Hi: r, Confidence: 1}
}
