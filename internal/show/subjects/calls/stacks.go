package calls

import (
	"fmt"
	"io"
	"math"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
)

// Sample types of a profile of calls.
const (
	TypeCalls     = "calls"     // count
	TypeTime      = "time"      // ns: the total of each function, without callers
	TypeSelf      = "self"      // ns: raw; with those of what is called it is the total
	TypeCorrected = "corrected" // ns: that without probes
)

// Profile makes a profile of pprof's format: a sample for each element of the tree of
// calls, with the number of calls and the self time. What pprof adds up of self (cum) is the
// total of a function, but of functions that call each other in turns: time in a call that
// leads back belongs to the element further up. So that totals are there as counted in any case,
// the type time has them, in samples of one function each; shares of that type mean
// nothing, because callers and callees are both in the sum. Where calls were only
// counted, the only type is calls.
//
// The profile is the caller's: each call makes a new one, of the same content.
func (c *Calls) Profile() *pprof.Profile {
	p := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: TypeCalls, Unit: "count"}}, DefaultSampleType: TypeCalls}
	if c.timed() {
		for _, name := range []string{TypeTime, TypeSelf, TypeCorrected} {
			p.SampleType = append(p.SampleType, &pprof.ValueType{Type: name, Unit: "nanoseconds"})
		}
		p.DefaultSampleType = TypeSelf
	}
	p.Comments = c.comments()
	b := &stacks{c: c, p: p, at: make([]*pprof.Location, len(c.t.Funcs))}
	if len(c.t.Tree) > 0 {
		b.tree()
	}
	for _, i := range c.order {
		f := &c.t.Funcs[i]
		calls, self, corrected := int64(0), 0.0, 0.0
		if len(c.t.Tree) == 0 {
			calls, self, corrected = f.Calls, f.Self, f.CorrectedSelf
		}
		b.add([]*pprof.Location{b.location(i)}, calls, f.Total, self, corrected)
	}
	return p
}

// comments returns what go tool pprof -comments prints.
func (c *Calls) comments() []string {
	out := []string{fmt.Sprintf("tare trace: %d calls, mode %s", c.t.Calls, c.t.Mode)}
	if c.timed() {
		out = append(out, "time: totals by function, without callers; its shares mean nothing", "self: raw; corrected: without what probes took")
	}
	for _, w := range c.warnings {
		out = append(out, "warning: "+w.Text)
	}
	return out
}

// stacks puts samples into a profile.
type stacks struct {
	c  *Calls
	p  *pprof.Profile
	at []*pprof.Location // of each function
}

// deepest bounds stacks, so that a damaged record cannot take all memory: sane ones have no
// function twice in one.
const deepest = 512

// tree adds a sample for each element. What is called deeper than deepest has the stack of
// the outer ones.
func (b *stacks) tree() {
	stack := make([][]*pprof.Location, len(b.c.t.Tree)) // the innermost first
	for i := range b.c.t.Tree {
		e := &b.c.t.Tree[i]
		s := []*pprof.Location{b.location(e.Func)}
		if e.Parent >= 0 {
			up := stack[e.Parent]
			s = append(s, up[max(0, len(up)-deepest+1):]...)
		}
		stack[i] = s
		b.add(s, e.Calls, 0, e.Self, e.CorrectedSelf)
	}
}

// add adds a sample, unless it is empty.
func (b *stacks) add(stack []*pprof.Location, calls int64, total, self, corrected float64) {
	s := &pprof.Sample{Location: stack, Value: []int64{calls}}
	any := calls != 0
	if b.c.timed() {
		for _, ns := range []float64{total, self, corrected} {
			v := whole(ns)
			s.Value = append(s.Value, v)
			any = any || v != 0
		}
	}
	if any {
		b.p.Sample = append(b.p.Sample, s)
	}
}

// whole returns a time rounded to whole ns. It is at least 0, and limited so that sums do not overflow.
func whole(ns float64) int64 { return int64(math.Round(min(max(ns, 0), mostTime))) }

// location returns the location of a function: its declaration.
func (b *stacks) location(i int) *pprof.Location {
	if b.at[i] == nil {
		f := &b.c.t.Funcs[i]
		name := strings.ToValidUTF8(f.Name, "\uFFFD")
		fn := &pprof.Function{
			ID: uint64(len(b.p.Function) + 1), Name: name, SystemName: name, Filename: strings.ToValidUTF8(f.File, "\uFFFD"), StartLine: int64(f.Line),
		}
		b.p.Function = append(b.p.Function, fn)
		b.at[i] = &pprof.Location{ID: fn.ID, Line: []pprof.Line{{Function: fn, Line: int64(f.Line)}}}
		b.p.Location = append(b.p.Location, b.at[i])
	}
	return b.at[i]
}

// Pprof writes the profile, gzipped. The same record gives the same bytes.
func (c *Calls) Pprof(w io.Writer) error {
	if err := c.Profile().Write(w); err != nil {
		return fmt.Errorf("calls: pprof: %w", err)
	}
	return nil
}

// View returns a view of the profile, by self time without probes or, where calls were only
// counted, by calls: it draws flame graphs.
func (c *Calls) View() (*profile.View, error) {
	cfg := profile.Config{Program: c.t.Binary, Selection: c.cfg.Selection, Top: c.cfg.Top}
	if cfg.Top == math.MaxInt {
		cfg.Top = -1
	}
	if c.timed() {
		cfg.Type = TypeCorrected
	}
	v, err := profile.New(c.Profile(), cfg)
	if err != nil {
		return nil, fmt.Errorf("calls: %w", err)
	}
	if c.timed() {
		v.Type = "times without probes" // the heading of an image
	}
	return v, nil
}

// Collapsed writes a line for each stack with its self time without probes in ns or, where calls were
// only counted, their number: functions from the outermost in, with semicolons between.
func (c *Calls) Collapsed(w io.Writer) error {
	v, err := c.View()
	if err != nil {
		return err
	}
	return v.Collapsed(w)
}
