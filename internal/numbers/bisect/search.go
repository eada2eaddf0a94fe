package bisect

import (
	"math"
	"math/rand/v2"

	"github.com/tarebench/tare/stat"
)

// Search is a running search. Not safe for concurrent use.
type Search struct {
	n       int
	o       Options
	rng     *rand.Rand
	values  [][]float64 // by commit, in the order of measuring
	skipped []bool      // commits that cannot be measured
	cannot  []bool      // commits that cannot be the first of the new level
	lo, hi  int         // the ends between which the step is searched for
	ends    *Confirm    // GOOD against BAD; they are compared until it is done
	again   int         // forks of both ends at which they are tested anew
	pairs   map[[2]int]*pair
	pairing *pair // whose forks the last round asked for; nil: none
	state   State
	part    bool
	forks   int
}

// New returns a search among n commits after commit 0, of which commit n is BAD. n is at least 1.
func New(n int, o Options) *Search {
	if n < 1 {
		panic("bisect: no commit after GOOD")
	}
	if o.MaxForks == 0 {
		o.MaxForks = DefaultMaxForks
	}
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	return &Search{
		n: n, o: o, rng: rand.New(rand.NewPCG(o.Seed, 0x626973656374)), // "bisect"
		values: make([][]float64, n+1), skipped: make([]bool, n+1), cannot: make([]bool, n+1), hi: n,
		ends: NewConfirm(ConfirmOptions{Threshold: o.Threshold, Exact: o.Exact}), pairs: map[[2]int]*pair{}, state: Searching,
	}
}

// Join says that commits i and j, i < j, have the same binary. If a commit between them changed the speed, another one
// undid it, so that none of i+1 … j is the first of the level that BAD has.
func (s *Search) Join(i, j int) {
	for a := i + 1; a <= j; a++ {
		s.cannot[a] = true
	}
}

// Add tells the value of a fork of a commit. What is no number is dropped.
func (s *Search) Add(commit int, value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	s.forks++
	s.values[commit] = append(s.values[commit], value)
	if s.ends != nil {
		s.addEnd(commit, value)
	}
	if s.pairing != nil {
		s.pairing.add(commit, value)
	}
}

func (s *Search) addEnd(commit int, value float64) {
	switch commit {
	case 0:
		s.ends.Add(0, value)
	case s.n:
		s.ends.Add(1, value)
	}
}

// Skip says that a commit cannot be measured. It is not asked for again, and its values are dropped.
func (s *Search) Skip(commit int) {
	s.skipped[commit], s.values[commit] = true, nil
	if commit == 0 || commit == s.n {
		s.state = Unusable
	}
	if s.pairing != nil && s.pairing.has(commit) {
		s.pairing = nil
	}
}

// Next returns what to measure next. It is called when every commit of the round before was added or skipped.
func (s *Search) Next() Round {
	if s.state == Searching {
		s.judge()
	}
	s.pairing = nil
	switch {
	case s.state != Searching:
		return Round{}
	case s.forks >= s.o.MaxForks:
		s.state = Undecided
		return Round{}
	case s.ends != nil:
		return s.alternate(0, s.n, min(s.ends.Next(), pairForks))
	}
	p := s.posterior()
	if best := p.best(); best.mass >= certain {
		s.pairing = s.pairOf(best)
		return s.alternate(s.pairing.before, s.pairing.after, s.pairing.next())
	}
	return s.query(p)
}

// judge draws the conclusions of the round that was measured.
func (s *Search) judge() {
	if s.ends != nil {
		s.judgeEnds()
		return
	}
	s.judgeEndsAgain()
	s.judgeMiddle()
	if s.pairing != nil {
		s.judgePair(s.pairing)
	}
}

func (s *Search) judgeEnds() {
	if s.candidates() == 0 {
		s.state = Nothing
		return
	}
	switch s.ends.Result().State {
	case Confirmed:
		s.ends, s.again = nil, max(endsAgainForks, 2*s.endForks())
	case Refuted:
		s.state = Nothing
	case Unclear:
		s.state = Undecided
	}
}

// endForks returns how many forks both ends have at least.
func (s *Search) endForks() int { return min(len(s.values[0]), len(s.values[s.n])) }

// judgeEndsAgain tests the ends anew whenever their many forks have doubled: a difference that was chance does not last.
func (s *Search) judgeEndsAgain() {
	if s.o.Exact || s.endForks() < s.again {
		return
	}
	s.again *= 2
	if stat.MannWhitney(s.values[0], s.values[s.n]).P > endsAgain {
		s.state = Nothing
	}
}

// candidates returns how many commits may be the first of the new level.
func (s *Search) candidates() int {
	n := 0
	for a := s.lo + 1; a <= s.hi; a++ {
		if !s.cannot[a] {
			n++
		}
	}
	return n
}

// alternate returns a round of n forks of each of two commits. Each pair is in random order.
func (s *Search) alternate(a, b, n int) Round {
	var r Round
	for range n {
		if s.rng.IntN(2) == 0 {
			r.Commits = append(r.Commits, a, b)
		} else {
			r.Commits = append(r.Commits, b, a)
		}
	}
	return r
}

// quantiles of the posterior at which commits are measured.
var quantiles = []float64{0.25, 0.5, 0.75}

// query returns a round of the two ends, which follow the drift of the machine, and of the commits that tell most.
func (s *Search) query(p *posterior) Round {
	var r Round
	if s.o.Exact {
		c := p.nearest(0.5, 0)
		return Round{[]int{c, c}}
	}
	seen := map[int]bool{s.lo: true, s.hi: true}
	r.Commits = append(r.Commits, s.lo, s.hi)
	for _, q := range quantiles {
		if c := p.nearest(q, reuse); !seen[c] {
			seen[c] = true
			r.Commits = append(r.Commits, c)
		}
	}
	s.rng.Shuffle(len(r.Commits), func(i, j int) { r.Commits[i], r.Commits[j] = r.Commits[j], r.Commits[i] })
	return r
}
