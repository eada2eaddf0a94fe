package bisect

import (
	"math"
	"slices"
)

const (
	certain = 0.95 // mass of a gap from which on its two ends are compared
	temper  = 0.7  // of log likelihoods, because forks that follow each other are correlated
	faint   = 0.05 // the least factor by which calibration weakens them
	settled = 0.02 // probability of the other level, below which a commit's forks tell its own
	reuse   = 0.02 // how much worse a commit that was measured already may be than one that would have to be built
)

// gap is what lies between two neighbours among the commits that can be measured: the first commit of the new level is
// one of before+1 … after.
type gap struct {
	before, after int
	mass          float64
}

// posterior is the distribution of the first commit of the new level.
type posterior struct {
	s          *Search
	log        bool // levels are logarithms
	old, new   float64
	scale      float64
	bias, gain float64 // what calibration subtracts from log likelihoods, and multiplies them by
	gaps       []gap
	measurable []int // lo, the commits after the gaps
}

// posterior computes the distribution from all forks. The levels are at first those of the ends. Then they are the medians
// of all forks of commits whose level is settled.
func (s *Search) posterior() *posterior {
	p := &posterior{s: s, log: !s.o.Exact && s.positive()}
	p.split()
	slow := make([]float64, s.n+1)
	for c := range slow {
		slow[c] = 0.5
	}
	slow[s.lo], slow[s.hi] = 0, 1
	for range 3 {
		p.levels(slow)
		p.weigh()
		p.cumulate(slow)
	}
	return p
}

// positive reports whether all values have logarithms.
func (s *Search) positive() bool {
	for _, xs := range s.values {
		if slices.ContainsFunc(xs, func(x float64) bool { return x <= 0 }) {
			return false
		}
	}
	return true
}

// split finds the gaps. One in which no commit can be the first joins nothing: its mass is 0.
func (p *posterior) split() {
	before := p.s.lo
	p.measurable = []int{before}
	for c := p.s.lo + 1; c <= p.s.hi; c++ {
		if !p.s.skipped[c] {
			p.gaps = append(p.gaps, gap{before: before, after: c})
			p.measurable = append(p.measurable, c)
			before = c
		}
	}
}

// weigh gives each gap its mass.
func (p *posterior) weigh() {
	favour := 0.0 // log likelihood of "the commits so far are old" over "they are new"
	logs := make([]float64, len(p.gaps))
	for i, g := range p.gaps {
		for _, x := range p.s.values[g.before] {
			favour += p.favour(x)
		}
		logs[i] = favour + math.Log(float64(p.s.open(g)))
	}
	top := slices.Max(logs)
	sum := 0.0
	for i := range logs {
		p.gaps[i].mass = math.Exp(logs[i] - top)
		sum += p.gaps[i].mass
	}
	for i := range p.gaps {
		p.gaps[i].mass /= sum
	}
}

// open returns how many commits of a gap may be the first.
func (s *Search) open(g gap) int { return len(s.members(g)) }

// members returns the commits of a gap that may be the first.
func (s *Search) members(g gap) []int {
	var out []int
	for a := g.before + 1; a <= g.after; a++ {
		if !s.cannot[a] {
			out = append(out, a)
		}
	}
	return out
}

// cumulate fills in the probability that a commit is at the new level.
func (p *posterior) cumulate(slow []float64) {
	sum := 0.0
	for _, g := range p.gaps {
		sum += g.mass
		slow[g.after] = sum
	}
}

func (p *posterior) best() gap {
	return slices.MaxFunc(p.gaps, func(a, b gap) int {
		switch {
		case a.mass < b.mass:
			return -1
		case a.mass > b.mass:
			return 1
		}
		return 0
	})
}

// nearest returns the commit between the ends whose probability of being at the new level is nearest to q. The first one
// above q would be wrong: with two neighbours left it is the same commit for ever. A commit that was measured
// already is taken if it is worse by no more than slack.
func (p *posterior) nearest(q, slack float64) int {
	best, least := p.s.lo, math.Inf(1)
	sum := 0.0
	for _, g := range p.gaps[:len(p.gaps)-1] {
		sum += g.mass
		far := math.Abs(sum - q)
		if len(p.s.values[g.after]) == 0 {
			far += slack
		}
		if far < least {
			best, least = g.after, far
		}
	}
	return best
}
