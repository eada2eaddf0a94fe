package aatest

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// unit is what is compared: every benchmark reports it.
const unit = "ns/op"

// A Builder gathers the lines of a self-test's record. The zero value is ready
// to use.
type Builder struct {
	run   *record.Run
	cases map[int]*record.Case
	byKey map[string]*benchmark
	list  []*benchmark
	open  map[int][]*record.Sample // of processes that have not ended
	span  span
	stole time.Duration // by the neighbours, over all CPUs, in the processes' lives
	lived time.Duration // of the processes
	tare  record.Tare
	warns []record.Warn
	end   *record.End
}

// span is the time from the first process's start to the last one's end, on
// CLOCK_MONOTONIC.
type span struct{ from, to int64 }

// benchmark is what was seen of one benchmark.
type benchmark struct {
	pkg, name string
	forks     way
	usual     way
	processes [][]float64 // values of each usual process, for the spread
	forkCost  []float64   // of each fork before its measured iteration, ns
	iterCost  []float64   // of each measured iteration, ns of wall time
	failed    int         // processes
	why       string      // the last one did
}

// way is one of the two ways of measuring.
type way struct {
	windows []*window
	took    time.Duration // lives of its processes
}

// at returns the window of a block, which is the last one or a new one.
func (w *way) at(block, n int) *window {
	i := slices.IndexFunc(w.windows, func(x *window) bool { return x.block == block })
	if i >= 0 {
		return w.windows[i]
	}
	w.windows = append(w.windows, newWindow(block, n))
	return w.windows[len(w.windows)-1]
}

// usable are the windows that can be judged.
func (w *way) usable() []*window {
	var out []*window
	for _, x := range w.windows {
		if x.usable() {
			out = append(out, x)
		}
	}
	return out
}

// ErrNoSelftest says that a record is not that of a self-test.
var ErrNoSelftest = errors.New("not the record of a self-test")

// Read reads a whole record; name is for errors. If the record is damaged the
// Result of what could be read is returned with the errors joined.
func Read(r io.Reader, name string) (*Result, error) {
	b := &Builder{}
	var errs []error
	for line, err := range record.NewReader(r, name).All() {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		b.Add(line)
	}
	if b.run == nil && len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if !IsRun(b.run) {
		return nil, fmt.Errorf("%s: %w", name, ErrNoSelftest)
	}
	return b.Result(), errors.Join(errs...)
}

// Add takes the next line. Lines that say nothing here are ignored.
func (b *Builder) Add(line record.Line) {
	switch l := line.(type) {
	case *record.Run:
		b.run = l
	case *record.Case:
		b.addCase(l)
	case *record.Sample:
		if b.open == nil {
			b.open = map[int][]*record.Sample{}
		}
		b.open[l.Fork] = append(b.open[l.Fork], l)
	case *record.Fork:
		b.addFork(l, b.open[l.ID])
		delete(b.open, l.ID)
	case *record.Tare:
		b.addTare(l)
	case *record.Warn:
		b.warns = append(b.warns, *l)
	case *record.End:
		b.end = l
	}
}

func (b *Builder) addTare(l *record.Tare) {
	if l.Fork == 0 {
		b.tare.Load = max(b.tare.Load, l.Load)
		b.tare.Steal = max(b.tare.Steal, l.Steal)
	}
}

// addCase takes a case; those of the two sides are one benchmark.
func (b *Builder) addCase(c *record.Case) {
	if b.cases == nil {
		b.cases, b.byKey = map[int]*record.Case{}, map[string]*benchmark{}
	}
	b.cases[c.ID] = c
	if key := keyOf(c); b.byKey[key] == nil {
		x := &benchmark{pkg: c.Pkg, name: c.Name}
		b.byKey[key] = x
		b.list = append(b.list, x)
	}
}

func keyOf(c *record.Case) string { return fmt.Sprintf("%s\x00%s\x00%d", c.Pkg, c.Name, c.Procs) }

// addFork takes a process that has ended, with its samples.
func (b *Builder) addFork(f *record.Fork, samples []*record.Sample) {
	c := b.cases[f.Case]
	if c == nil || !IsRun(b.run) || f.Round < 1 {
		return
	}
	x := b.byKey[keyOf(c)]
	if f.State != record.StateOK {
		if f.State != record.StatePartial {
			x.failed++
			x.why = f.Why
		}
		return
	}
	switch f.Purpose {
	case PurposeFork:
		x.addFork(c.Side, f, samples, b.run.Config.Forks)
	case PurposeUsual:
		x.addUsual(c.Side, f, samples, b.run.Config.Forks)
	default:
		return
	}
	b.count(f)
}

// count adds up when and how long processes lived.
func (b *Builder) count(f *record.Fork) {
	if b.span.from == 0 {
		b.span.from = f.Start
	}
	b.span.to = max(b.span.to, f.Start+f.Wall)
	b.lived += time.Duration(f.Wall)
	b.stole += time.Duration(f.Steal)
}

// addFork takes a fork of this way: its value is the median of its measured
// iterations.
func (x *benchmark) addFork(side string, f *record.Fork, samples []*record.Sample, n int) {
	xs, wall := measured(samples)
	if len(xs) == 0 {
		return
	}
	block, i := placeOf(f.Round, n)
	if at := x.forks.at(block, n).side(side); at != nil {
		at[i] = stat.Median(xs)
	}
	x.forks.took += time.Duration(f.Wall)
	x.iterCost = append(x.iterCost, wall/float64(len(xs)))
	x.forkCost = append(x.forkCost, max(0, float64(f.Wall)-wall)+float64(max(0, f.Own)))
}

// addUsual takes a process of the usual way: each iteration is a value.
func (x *benchmark) addUsual(side string, f *record.Fork, samples []*record.Sample, n int) {
	xs, _ := measured(samples)
	if len(xs) != n {
		return
	}
	copy(x.usual.at(f.Round, n).side(side), xs)
	x.usual.took += time.Duration(f.Wall)
	x.processes = append(x.processes, xs)
}

// measured are the values of the measured iterations, and their wall time in ns.
func measured(samples []*record.Sample) (xs []float64, wall float64) {
	for _, s := range samples {
		if s.Phase != record.PhaseMeasure || s.Role != "" {
			continue
		}
		if x, ok := s.V.Get(unit); ok {
			xs = append(xs, x)
			wall += float64(s.Wall)
		}
	}
	return xs, wall
}
