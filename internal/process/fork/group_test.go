package fork

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// grouped returns the fork of a group of benchmarks, of which those in with are recorded besides the first.
func (h *hostile) grouped(names []string, with ...int) Spec {
	s := h.spec(names[0], 2)
	for i, n := range names {
		s.Group = append(s.Group, &record.Case{ID: 7 + i, Name: n, Procs: 2})
	}
	s.Case = s.Group[0]
	for _, i := range with {
		s.With = append(s.With, s.Group[i])
	}
	return s
}

// TestGroup: one process measures sub-benchmarks of one function, of which one fails without the others. Each gets its
// own results, and its part of the process's life.
func TestGroup(t *testing.T) {
	h := newHostile(t)
	if f := h.fork(t, h.spec("Group/b", 2)).Fork; f.State != record.StateFailed || !strings.Contains(f.Why, "count is 0") {
		t.Fatalf("alone: %s: %s", f.State, f.Why)
	}
	h.wrote = nil
	first := h.fork(t, h.grouped([]string{"Group/b", "Group/a", "Group/c/x|y", "Group/d"}, 1, 2, 3))
	outs := append([]*Outcome{first}, first.Others...)
	var wall int64
	for i, want := range []string{"ok ", "ok ", "ok ", "failed the benchmark failed: "} {
		f, samples := outs[i].Fork, outs[i].Samples
		if got := f.State + " " + f.Why; !strings.HasPrefix(got, want) || (want == "ok ") != (got == want) {
			t.Errorf("%d: %q\n%s", i, got, f.Tail)
		}
		if f.Case != 7+i || f.ID != first.Fork.ID+i || f.Process != first.Fork.ID || f.MaxRSS != 0 {
			t.Errorf("%d: %+v", i, f)
		}
		if f.State != record.StateOK {
			continue
		}
		wall += f.Wall
		checkMember(t, &f, samples)
		if v, ok := samples[0].V.Get("answers"); ok != (i == 2) || ok && v != 42 {
			t.Errorf("%d: %v", i, samples[0].V)
		}
	}
	if a, b := outs[1].Fork, outs[0].Fork; a.Start+a.Wall > b.Start {
		t.Errorf("a until %d, b from %d", a.Start+a.Wall, b.Start)
	}
	if n := len(h.wrote); n != 3*4+1 {
		t.Errorf("%d lines, want those of 3 × (3 samples, 1 fork) and a failed fork", n)
	}
}

func checkMember(t *testing.T, f *record.Fork, samples []*record.Sample) {
	t.Helper()
	var phases []string
	for i, s := range samples {
		phases = append(phases, s.Phase)
		if s.Fork != f.ID || s.Iter != i+1 || s.T-s.Wall < f.Start || s.T > f.Start+f.Wall {
			t.Errorf("%+v is not within %+v", s, f)
		}
	}
	if !slices.Equal(phases, []string{record.PhaseWarmup, record.PhaseMeasure, record.PhaseMeasure}) {
		t.Errorf("fork %d: %v", f.ID, phases)
	}
}

// TestGroupOfSome: only the forks that are asked for are recorded, and a process that panics fails all of them.
func TestGroupOfSome(t *testing.T) {
	h := newHostile(t)
	s := h.grouped([]string{"Group/b", "Group/a", "Group/c/x|y"})
	out := h.fork(t, s)
	if out.Fork.State != record.StateOK || len(out.Others) != 0 || len(h.wrote) != 4 {
		t.Errorf("%+v with %d others, %d lines", out.Fork, len(out.Others), len(h.wrote))
	}
	s.With, s.Environ = s.Group[1:], append(os.Environ(), "GROUP_PANICS=1")
	out = h.fork(t, s)
	for _, o := range append(out.Others, out) {
		if o.Fork.State != record.StateFailed || !strings.Contains(o.Fork.Why, "in c") {
			t.Errorf("%s: %s", o.Fork.State, o.Fork.Why)
		}
	}
}

// TestGroupNames: a group has exactly the benchmarks that it names, whatever they are called.
func TestGroupNames(t *testing.T) {
	h := newHostile(t)
	var names []string
	for _, f := range h.discover(t, Selection{Bench: "^BenchmarkNames$", Procs: 2}) {
		names = append(names, f.Name)
	}
	half := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Index(names, n)%2 == 1 })
	if CanShare(half) {
		t.Errorf("a process cannot select both a and a//b: %q", half)
	}
	half = slices.DeleteFunc(half, func(n string) bool { return strings.HasPrefix(n, "Names/a/") })
	if !CanShare(half) {
		t.Errorf("%q", half)
	}
	s := h.grouped(half)
	s.With = s.Group[1:]
	out := h.fork(t, s)
	var bad []string
	for _, o := range append(out.Others, out) {
		if o.Fork.State != record.StateOK {
			bad = append(bad, fmt.Sprintf("%q: %s", half[o.Fork.Case-7], o.Fork.Why))
		}
	}
	if len(half) < 20 || len(bad) > 0 {
		t.Errorf("%d of %d:\n%s", len(bad), len(half), strings.Join(bad, "\n"))
	}
}
