package pace

import (
	"math"
	"math/big"
)

// A part is a section of the schedule with a constant rate, or with one that changes
// linearly.
type part struct {
	begin  int64  // ns from the start of the schedule
	length int64  // ns; math.MaxInt64 means without end
	pause  bool   // no operation is due in it
	ramp   *ramp  // nil: constant
	every  period // of a constant rate
}

// due returns when, from the part's begin, its k-th operation (from 0) is due, and
// false if the part ends before. frac shifts the operation by a fraction of a period,
// 0 ≤ frac < 1.
func (p *part) due(k uint64, frac float64) (ns int64, ok bool) {
	if p.pause {
		return 0, false
	}
	if p.ramp != nil {
		return p.ramp.due(k, frac)
	}
	ns, ok = p.every.times(k)
	if !ok {
		return 0, false
	}
	if frac != 0 {
		ns += int64(frac * p.every.ns)
	}
	return ns, ns >= 0 && ns < p.length
}

// parts returns the parts of a validated configuration other than a replay.
func parts(c Config) []part {
	const forever = math.MaxInt64
	switch {
	case len(c.Steps) > 0:
		return stepParts(c.Steps)
	case c.Over > 0:
		ps := []part{{length: int64(c.Over), ramp: newRamp(c.Rate, c.To, int64(c.Over))}}
		if c.To > 0 {
			ps = append(ps, constant(int64(c.Over), forever-int64(c.Over), c.To))
		}
		return ps
	default:
		return []part{constant(0, forever, c.Rate)}
	}
}

func stepParts(steps []Step) []part {
	var ps []part
	begin := int64(0)
	for _, s := range steps {
		length := int64(s.For)
		if length == 0 || begin+length < begin {
			length = math.MaxInt64 - begin
		}
		p := constant(begin, length, s.Rate)
		if s.Ramp && s.Rate != s.To {
			p = part{begin: begin, length: length, ramp: newRamp(s.Rate, s.To, length)}
		}
		ps = append(ps, p)
		begin += length
	}
	return ps
}

func constant(begin, length int64, rate float64) part {
	if rate == 0 {
		return part{begin: begin, length: length, pause: true}
	}
	return part{begin: begin, length: length, every: newPeriod(rate)}
}

// ramp is a rate that changes linearly from a to b over a time T. Until t there are
//
//	N(t) = a·t + (b-a)·t²/2T
//
// operations due, and the k-th is due where N(t) = k. With s = (b-a)/T the root
// is taken as t = 2k/(a + √(a²+2sk)), which has no difference of nearly equal
// numbers where b ≥ a. Where the rate falls, the radicand is written from the
// other end, b² - 2s(N(T)-k), for the same reason. Each due time is computed
// from k alone; float64 keeps it true to 1 ns in ramps of up to weeks.
type ramp struct {
	a, b   float64 // operations per ns
	slope  float64 // (b-a)/T
	length int64   // T, ns
	n      uint64  // exact number of operations before T: those with k < n
	whole  uint64  // N(T), rounded down …
	rest   float64 // … and the rest
}

func newRamp(from, to float64, length int64) *ramp {
	// N(T) = (from+to)/2 · T/1e9, exactly: float64 may be wrong about whether
	// the last operation still lies before T.
	mean := new(big.Rat).Add(exactRate(from), exactRate(to))
	total := mean.Mul(mean, big.NewRat(length, 2e9))
	whole, rest := new(big.Int).QuoRem(total.Num(), total.Denom(), new(big.Int))
	r := &ramp{a: from / 1e9, b: to / 1e9, length: length, whole: whole.Uint64()}
	r.slope = (r.b - r.a) / float64(length)
	r.rest, _ = new(big.Rat).SetFrac(rest, total.Denom()).Float64()
	r.n = r.whole
	if rest.Sign() > 0 {
		r.n++ // k = whole is still before T
	}
	return r
}

func (r *ramp) due(k uint64, frac float64) (ns int64, ok bool) {
	if k >= r.n {
		return 0, false
	}
	left := float64(r.whole-k) + (r.rest - frac) // N(T)-k
	if left <= 0 {
		return 0, false
	}
	x := float64(k) + frac
	if x == 0 {
		return 0, true // 0/0 if the ramp begins at 0
	}
	// The conversions keep compilers from fusing, so that all machines agree.
	radicand := float64(r.a*r.a) + float64(2*r.slope*x)
	if r.b < r.a {
		radicand = float64(r.b*r.b) - float64(2*r.slope*left)
	}
	t := 2 * x / (r.a + math.Sqrt(radicand))
	return min(int64(t), r.length-1), true
}
