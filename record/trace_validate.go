package record

import (
	"fmt"
	"math"
	"slices"
)

// maxTraceCalls is the limit of counts, so that sums of a damaged [Trace] cannot
// overflow.
const maxTraceCalls = 1 << 56

// Validate returns an error if the trace has an invalid reference or value. Call it
// for a Trace from a file before using it.
func (t *Trace) Validate() error {
	switch t.Mode {
	case TraceExact, TraceEvery, TraceCount:
	default:
		return fmt.Errorf("mode %q", t.Mode)
	}
	if err := t.Probe.validate(t.Tick); err != nil {
		return err
	}
	var calls int64
	for i := range t.Funcs {
		f := &t.Funcs[i]
		if err := f.validate(); err != nil {
			return fmt.Errorf("function %q: %w", f.Name, err)
		}
		if calls += f.Calls; calls > maxTraceCalls {
			return fmt.Errorf("function %q: more than %d calls", f.Name, int64(maxTraceCalls))
		}
	}
	if calls != t.Calls {
		return fmt.Errorf("%d calls, and its functions have %d", t.Calls, calls)
	}
	if err := t.validateTree(); err != nil {
		return err
	}
	for i, s := range t.Path {
		if s.Func < 0 || s.Func >= len(t.Funcs) || !finite(s.Begin, s.Length) {
			return fmt.Errorf("step %d of the path: function %d at %g ns for %g", i, s.Func, s.Begin, s.Length)
		}
	}
	if !slices.Contains([]string{"", AsmMarks, AsmRough}, t.Window) || t.Windows < 0 || t.Ops < 0 || t.Forks < 0 {
		return fmt.Errorf("window %q: %d of them, %d operations, %d forks", t.Window, t.Windows, t.Ops, t.Forks)
	}
	if t.PathMore < 0 || t.Lost < 0 || t.System < 0 || t.Goroutines < 0 || !finite(t.Added) {
		return fmt.Errorf("%d calls after the path, %d lost, %d on threads, %d goroutines, %g ns added",
			t.PathMore, t.Lost, t.System, t.Goroutines, t.Added)
	}
	if !finite(t.Length) || t.Length < 0 {
		return fmt.Errorf("the timer ran for %g ns", t.Length)
	}
	if !finite(t.Waited) || t.Waited < 0 || t.Waited > 1 {
		return fmt.Errorf("it waited for processors for %g of its time", t.Waited)
	}
	if !finite(t.Others) || t.Others < 0 || t.Others > 1 {
		return fmt.Errorf("other processes had %g of the processors' time", t.Others)
	}
	return nil
}

func (p TraceProbe) validate(tick float64) error {
	for _, f := range []float64{p.Outside, p.Inside, p.Light, p.Loose, tick} {
		if !finite(f) || f < 0 {
			return fmt.Errorf("a probe takes %g, %g and %g ns, a tick %g", p.Outside, p.Inside, p.Light, tick)
		}
	}
	return nil
}

func (f *TraceFunc) validate() error {
	for _, n := range []int64{f.Calls, f.Timed, f.Loose, f.Untimed, f.Open, f.Panics, f.Goexits, f.Goroutines} {
		if n < 0 || n > f.Calls && n > f.Timed || n > maxTraceCalls {
			return fmt.Errorf("%d calls, %d timed, %d open, %d ended by panics, %d by Goexit, %d goroutines",
				f.Calls, f.Timed, f.Open, f.Panics, f.Goexits, f.Goroutines)
		}
	}
	if !finite(f.FewestPerOp, f.MostPerOp) || f.FewestPerOp < 0 || f.FewestPerOp > f.MostPerOp {
		return fmt.Errorf("from %g to %g calls per operation", f.FewestPerOp, f.MostPerOp)
	}
	if !finite(f.Total, f.Self, f.Corrected, f.CorrectedSelf, f.Min, f.Max, f.Mean, f.Squares, f.Error, f.SelfError) || f.Min > f.Max || f.Squares < 0 {
		return fmt.Errorf("times from %g to %g ns", f.Min, f.Max)
	}
	last := 0.0
	var sum int64
	for _, b := range f.Hist {
		if !finite(b.From, b.To) || b.From < last || b.To <= b.From || b.N < 1 || b.N > maxTraceCalls-sum {
			return fmt.Errorf("%d calls from %g to %g ns, after those to %g", b.N, b.From, b.To, last)
		}
		last = b.To
		sum += b.N
	}
	return nil
}

func (t *Trace) validateTree() error {
	for i, c := range t.Tree {
		switch {
		case c.Func < 0 || c.Func >= len(t.Funcs):
			return fmt.Errorf("element %d of the tree: function %d of %d", i, c.Func, len(t.Funcs))
		case c.Parent < -1 || c.Parent >= i:
			return fmt.Errorf("element %d of the tree: its parent is %d", i, c.Parent)
		case c.Calls < 0 || c.Timed < 0 || c.Calls > maxTraceCalls || !finite(c.Total, c.Corrected, c.Self, c.CorrectedSelf, c.Error):
			return fmt.Errorf("element %d of the tree: %d calls, %d timed, %g ns", i, c.Calls, c.Timed, c.Total)
		case c.Back < 0:
			return fmt.Errorf("element %d of the tree leads back %d", i, c.Back)
		}
		up := i
		for n := c.Back; n > 0; n-- {
			if up = t.Tree[up].Parent; up < 0 {
				return fmt.Errorf("element %d of the tree leads back %d, before its beginning", i, c.Back)
			}
		}
		if t.Tree[up].Func != c.Func {
			return fmt.Errorf("element %d of the tree, function %d, leads back to function %d", i, c.Func, t.Tree[up].Func)
		}
	}
	return nil
}

// finite reports whether no value is NaN or infinite.
func finite(all ...float64) bool {
	for _, f := range all {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}
