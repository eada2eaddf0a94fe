package sched

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// maxGroups is the maximum number of groups in an attachment.
const maxGroups = 50

// values returns the figures of one window per operation, scaled up if the trace has only a part of it.
func (t *tally) values(w profiler.Window) record.Values {
	var s spent
	n := 0
	for _, g := range t.goroutines {
		if g.tookPart() && !g.ofTracer() {
			part := g.spent
			if g.ofRuntime() {
				part.blocked = 0
			}
			s.add(part)
			n++
		}
	}
	per := t.scale(w) / float64(w.Ops)
	return append(record.Values{
		{Unit: "sched-running-ns/op", Value: float64(s.running) * per},
		{Unit: "sched-runnable-ns/op", Value: float64(s.runnable) * per},
		{Unit: "sched-blocked-ns/op", Value: float64(s.blocked) * per},
		{Unit: "sched-syscall-ns/op", Value: float64(s.syscall) * per},
		{Unit: "sched-slices/op", Value: float64(s.slices) * per},
		{Unit: "sched-goroutines", Value: float64(n)},
	}, t.waitValues(per)...)
}

// scale returns the factor from the traced part to the whole window.
func (t *tally) scale(w profiler.Window) float64 {
	if t.whole {
		return 1
	}
	return max(1, float64(w.End-w.Begin)/float64(t.traced()))
}

// total is the sum of a fork's windows.
type total struct {
	record.Goroutines
	traced     int64
	goroutines map[trace.GoID]*goroutine
	waits      waitSums
	ownRunning int64 // the benchmark's own goroutine, ns
}

// share returns the share of the windows that is in the traces.
func (t *total) share() float64 {
	if t.traced < t.Wall {
		return float64(t.traced) / float64(t.Wall)
	}
	return 1
}

func (t *total) add(x *tally, w profiler.Window) {
	if t.goroutines == nil {
		t.goroutines = map[trace.GoID]*goroutine{}
	}
	t.Windows++
	t.Ops += w.Ops
	t.Wall += w.End - w.Begin
	t.traced += x.measured(w)
	if x.whole {
		t.CPU += x.cpu
	}
	t.addWaits(x)
	for id, g := range x.goroutines {
		switch {
		case !g.tookPart():
		case g.ofTracer():
			t.Tracer += g.running
		case t.goroutines[id] == nil:
			t.goroutines[id] = &goroutine{began: g.began, spent: g.spent}
		default:
			t.goroutines[id].add(g.spent)
		}
	}
}

// table groups the goroutines. Sums are those of the trace, not scaled.
func (t *total) table() record.Goroutines {
	out := t.Goroutines
	if out.Traced = t.share(); out.Traced < 1 {
		out.CPU = 0
	}
	at := map[string]int{}
	for _, g := range t.goroutines {
		name := cmp.Or(g.began, "(unknown)")
		i, ok := at[name]
		if !ok {
			i = len(out.Groups)
			at[name] = i
			out.Groups = append(out.Groups, record.GoroutineGroup{Func: name})
		}
		join(&out.Groups[i], group(g))
	}
	slices.SortFunc(out.Groups, func(a, b record.GoroutineGroup) int {
		return cmp.Or(cmp.Compare(b.Running, a.Running), cmp.Compare(a.Func, b.Func))
	})
	if len(out.Groups) > maxGroups {
		var rest record.GoroutineGroup
		for _, g := range out.Groups[maxGroups-1:] {
			join(&rest, g)
		}
		out.Groups = append(out.Groups[:maxGroups-1], rest)
	}
	return out
}

// group returns a group of one goroutine.
func group(g *goroutine) record.GoroutineGroup {
	return record.GoroutineGroup{
		Count: 1, Running: g.running, RunningMin: g.running, RunningMax: g.running,
		Slices: g.slices, Runnable: g.runnable, Blocked: g.blocked, Syscall: g.syscall,
	}
}

// join adds a group to another, which may be empty.
func join(into *record.GoroutineGroup, g record.GoroutineGroup) {
	if into.Count == 0 {
		into.RunningMin = g.RunningMin
	}
	into.Count += g.Count
	into.Running += g.Running
	into.RunningMin, into.RunningMax = min(into.RunningMin, g.RunningMin), max(into.RunningMax, g.RunningMax)
	into.Slices += g.Slices
	into.Runnable += g.Runnable
	into.Blocked += g.Blocked
	into.Syscall += g.Syscall
}

func attachment(name string, table any) (*record.Attach, error) {
	text, err := json.Marshal(table)
	if err != nil {
		return nil, fmt.Errorf("attachment %s: %w", name, err)
	}
	return &record.Attach{Name: name, Media: "application/json", Data: text}, nil
}
