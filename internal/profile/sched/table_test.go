package sched

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

func window(ops int64, length int64) profiler.Window {
	return profiler.Window{Iter: 2, Begin: 1000, End: 1000 + length, Ops: ops}
}

// known is a window of 100 ns: two workers, one who is only there, and the tracer.
func known() *tally {
	return &tally{whole: true, begun: true, begin: 500, end: 600, cpu: 90, goroutines: map[trace.GoID]*goroutine{
		1: {began: "m.work", spent: spent{running: 30, runnable: 10, blocked: 60, slices: 2}},
		2: {began: "m.work", spent: spent{running: 50, syscall: 50, slices: 1}},
		3: {began: "m.idle", spent: spent{blocked: 100}},
		4: {began: "runtime/trace.(*traceMultiplexer).startLocked.func1", spent: spent{running: 20, slices: 1}},
		5: {began: "runtime.traceStartReadCPU.func1", spent: spent{running: 5}},
		6: {began: "", spent: spent{runnable: 1}},
		7: {began: "runtime.bgscavenge", spent: spent{running: 1, blocked: 99, slices: 1}},
	}}
}

func TestValues(t *testing.T) {
	want := map[string]float64{
		"sched-running-ns/op": 8.1, "sched-runnable-ns/op": 1.1, "sched-blocked-ns/op": 6, "sched-syscall-ns/op": 5,
		"sched-slices/op": 0.4, "sched-goroutines": 4,
	}
	check := func(what string, vs record.Values, times float64) {
		t.Helper()
		if len(vs) != len(want)+11+4 { // causes of being blocked, and parts of the wall time
			t.Errorf("%s: %v", what, vs)
		}
		for unit, x := range want {
			if unit != "sched-goroutines" { // a count that does not grow with time
				x *= times
			}
			if got, ok := vs.Get(unit); !ok || got < x*0.999999 || got > x*1.000001 {
				t.Errorf("%s: %s = %v, want %v", what, unit, got, x)
			}
		}
	}
	x := known()
	check("whole", x.values(window(10, 100)), 1)
	check("whole, by another clock", x.values(window(10, 101)), 1)
	x.whole = false
	check("a quarter", x.values(window(10, 400)), 4)
}

func TestTable(t *testing.T) {
	var all total
	all.add(known(), window(10, 100))
	all.add(known(), window(30, 110))
	got := all.table()
	want := record.Goroutines{
		Windows: 2, Ops: 40, Wall: 210, Traced: 1, CPU: 180, Tracer: 50,
		Groups: []record.GoroutineGroup{
			{Func: "m.work", Count: 2, Running: 160, RunningMin: 60, RunningMax: 100, Slices: 6, Runnable: 20, Blocked: 120, Syscall: 100},
			{Func: "runtime.bgscavenge", Count: 1, Running: 2, RunningMin: 2, RunningMax: 2, Slices: 2, Blocked: 198},
			{Func: "(unknown)", Count: 1, Runnable: 2},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
	a, err := attachment(record.AttachGoroutines, got)
	if err != nil || a.Name != record.AttachGoroutines || a.Media != "application/json" {
		t.Fatalf("%+v: %v", a, err)
	}
	var back record.Goroutines
	if err := json.Unmarshal(a.Data, &back); err != nil || !reflect.DeepEqual(back, want) {
		t.Errorf("%s: %v", a.Data, err)
	}

	part := known()
	part.whole = false // its 100 ns are a quarter of the window
	all.add(part, window(10, 400))
	if got := all.table(); got.Traced < 0.5081 || got.Traced > 0.5083 || got.CPU != 0 {
		t.Errorf("traced %v, cpu %d", got.Traced, got.CPU)
	}
}

// TestTableLong: what is not listed is summed up, and nothing is lost.
func TestTableLong(t *testing.T) {
	x := &tally{whole: true, goroutines: map[trace.GoID]*goroutine{}}
	sum := int64(0)
	const n = 3 * maxGroups
	for i := range n {
		x.goroutines[trace.GoID(i)] = &goroutine{began: fmt.Sprintf("f%03d", i), spent: spent{running: int64(i + 1), slices: 1}}
		sum += int64(i + 1)
	}
	var all total
	all.add(x, window(1, 100))
	got := all.table()
	if len(got.Groups) != maxGroups || got.Groups[0].Func != "f149" {
		t.Fatalf("%d groups, the first %q", len(got.Groups), got.Groups[0].Func)
	}
	for _, g := range got.Groups {
		sum -= g.Running
	}
	rest := got.Groups[maxGroups-1]
	if want := int64(n - maxGroups + 1); sum != 0 || rest.Func != "" || rest.Count != int(want) || rest.Slices != want || rest.RunningMin != 1 || rest.RunningMax != want {
		t.Errorf("%d ns are missing; the rest %+v", sum, rest)
	}
}
