package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// MergeTraces merges the traces of forks of a benchmark, which must have the same
// functions counted in the same way. Counts and times are added; the execution path
// is that of the first. The result of two or more forks has the range of calls per
// operation. The arguments stay unchanged, and the result is valid if they are.
func MergeTraces(all []*Trace) (*Trace, error) {
	if len(all) == 0 {
		return nil, errors.New("no traces to merge")
	}
	sum := *all[0]
	sum.Funcs, sum.Tree = slices.Clone(sum.Funcs), slices.Clone(sum.Tree)
	if len(all) == 1 {
		return &sum, nil
	}
	m := merger{t: &sum, at: make(map[[3]int]int)}
	for i := range sum.Tree {
		m.at[sum.Tree[i].key(sum.Tree[i].Parent)] = i
	}
	for _, t := range all[1:] {
		if err := m.add(t); err != nil {
			return nil, err
		}
	}
	m.spread(all)
	sum.factors = factorError(all)
	if err := sum.Validate(); err != nil {
		return nil, fmt.Errorf("traces together: %w", err)
	}
	return &sum, nil
}

// key identifies an element of a tree.
func (c *TraceCall) key(parent int) [3]int { return [3]int{parent, c.Func, c.Back} }

type merger struct {
	t  *Trace
	at map[[3]int]int // where an element of the tree is
}

func (m *merger) add(t *Trace) error {
	s := m.t
	if t.Mode != s.Mode || t.Every != s.Every || t.Clock != s.Clock || !slices.EqualFunc(t.Funcs, s.Funcs, sameFunc) {
		return errors.New("the forks were traced in different modes, or with different functions")
	}
	// What a probe takes is the mean over forks, weighted by their calls.
	share := float64(t.Calls) / math.Max(float64(t.Calls+s.Calls), 1)
	s.Tick += share * (t.Tick - s.Tick)
	s.Probe.Outside += share * (t.Probe.Outside - s.Probe.Outside)
	s.Probe.Inside += share * (t.Probe.Inside - s.Probe.Inside)
	s.Probe.Light += share * (t.Probe.Light - s.Probe.Light)
	s.Probe.Loose += share * (t.Probe.Loose - s.Probe.Loose)
	if t.Window == AsmRough {
		s.Window = t.Window
	}
	s.Ended = s.Ended && t.Ended
	s.Windows, s.Ops = s.Windows+t.Windows, s.Ops+t.Ops
	s.Calls, s.PathMore, s.Added = s.Calls+t.Calls, s.PathMore+t.PathMore+int64(len(t.Path)), s.Added+t.Added
	s.Lost, s.System = s.Lost+t.Lost, s.System+t.System
	s.Goroutines, s.Others = max(s.Goroutines, t.Goroutines), max(s.Others, t.Others)
	s.Waited, s.Plain, s.PlainError = max(s.Waited, t.Waited), s.Plain+t.Plain, s.PlainError+t.PlainError
	if s.Length > 0 && t.Length > 0 {
		s.Length += t.Length
	} else {
		s.Length = 0
	}
	for i := range t.Funcs {
		s.Funcs[i].add(&t.Funcs[i])
	}
	m.tree(t)
	return nil
}

func sameFunc(a, b TraceFunc) bool { return a.Name == b.Name && a.File == b.File && a.Line == b.Line }

// add adds the calls of another fork, variances as in Chan, Golub and LeVeque, Updating
// Formulae and a Pairwise Algorithm for Computing Sample Variances (1979), eq. 2.1.
func (f *TraceFunc) add(o *TraceFunc) {
	switch {
	case o.Timed == 0:
	case f.Timed == 0:
		f.Min, f.Max, f.Mean, f.Squares = o.Min, o.Max, o.Mean, o.Squares
	default:
		n, k := float64(f.Timed), float64(o.Timed)
		far := o.Mean - f.Mean
		f.Mean += far * k / (n + k)
		f.Squares += o.Squares + far*far*n*k/(n+k)
		f.Min, f.Max = math.Min(f.Min, o.Min), math.Max(f.Max, o.Max)
	}
	f.Calls, f.Timed, f.Untimed = f.Calls+o.Calls, f.Timed+o.Timed, f.Untimed+o.Untimed
	f.Loose, f.Open = f.Loose+o.Loose, f.Open+o.Open
	f.Panics, f.Goexits, f.Goroutines = f.Panics+o.Panics, f.Goexits+o.Goexits, max(f.Goroutines, o.Goroutines)
	f.Total, f.Self = f.Total+o.Total, f.Self+o.Self
	f.Corrected, f.CorrectedSelf = f.Corrected+o.Corrected, f.CorrectedSelf+o.CorrectedSelf
	f.Error, f.SelfError = math.Hypot(f.Error, o.Error), math.Hypot(f.SelfError, o.SelfError)
	f.Dominated = f.Total > 0 && (f.Corrected < 0.2*f.Total || 2*f.Loose > f.Timed)
	f.Hist = mergeBuckets(f.Hist, o.Hist)
}

// mergeBuckets merges two histograms with buckets of two clocks: each fork measures
// the length of a tick, so that the bounds of the same bucket differ by some
// hundredths of a per cent. Buckets are an eighth of a power of two wide.
func mergeBuckets(a, b []TraceBucket) []TraceBucket {
	const same = 0.02
	var out []TraceBucket
	put := func(x TraceBucket) {
		if len(out) > 0 {
			x.From = math.Max(x.From, out[len(out)-1].To)
			x.To = math.Max(x.To, math.Nextafter(x.From, math.Inf(1)))
		}
		out = append(out, x)
	}
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		switch {
		case math.Abs(x.From-y.From) <= same*math.Max(x.From, y.From):
			x.N += y.N
			put(x)
			a, b = a[1:], b[1:]
		case x.From < y.From:
			put(x)
			a = a[1:]
		default:
			put(y)
			b = b[1:]
		}
	}
	for _, x := range append(a[:len(a):len(a)], b...) {
		put(x)
	}
	return out
}

// tree adds the tree of another fork.
func (m *merger) tree(t *Trace) {
	to := make([]int, len(t.Tree)) // where its elements are in the sum
	for i := range t.Tree {
		c := t.Tree[i]
		if c.Parent >= 0 {
			c.Parent = to[c.Parent]
		}
		key := c.key(c.Parent)
		at, ok := m.at[key]
		if !ok {
			at = len(m.t.Tree)
			m.at[key] = at
			m.t.Tree = append(m.t.Tree, c)
		} else {
			s := &m.t.Tree[at]
			s.Calls, s.Timed = s.Calls+c.Calls, s.Timed+c.Timed
			s.Total, s.Corrected = s.Total+c.Total, s.Corrected+c.Corrected
			s.Self, s.CorrectedSelf = s.Self+c.Self, s.CorrectedSelf+c.CorrectedSelf
			s.Error = math.Hypot(s.Error, c.Error) // forks are independent
		}
		to[i] = at
	}
}

// factorError returns the standard error of the factor by which the probes of forks took longer than when they were
// calibrated, by how much it differs from fork to fork.
func factorError(all []*Trace) float64 {
	var sum, squares, n float64
	for _, t := range all {
		if f := t.scale().Factor; f != 0 {
			sum, squares, n = sum+f, squares+f*f, n+1
		}
	}
	if n < 2 {
		return 0
	}
	return math.Sqrt(max(0, squares-sum*sum/n) / (n - 1) / n)
}

// spread records the least and the largest number of calls per operation of a fork,
// for each function.
func (m *merger) spread(all []*Trace) {
	m.t.Forks = 0
	for _, t := range all {
		m.t.Forks += max(t.Forks, 1)
	}
	for i := range m.t.Funcs {
		f := &m.t.Funcs[i]
		f.FewestPerOp, f.MostPerOp, f.merged = 0, 0, true
		f.long = LongCalls{}
		for n, t := range all {
			f.long.add(t.Long(&t.Funcs[i]))
			_, fewest, most := t.PerOp(&t.Funcs[i])
			if n == 0 {
				f.FewestPerOp, f.MostPerOp = fewest, most
			}
			f.FewestPerOp, f.MostPerOp = math.Min(f.FewestPerOp, fewest), math.Max(f.MostPerOp, most)
		}
	}
}
