package result

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// traced adds a fork of profiler sched to a Builder, with what it attached.
func traced(b *Builder, id int, state string, attach ...*record.Goroutines) {
	for _, g := range attach {
		text, err := json.Marshal(g)
		if err != nil {
			panic(err)
		}
		b.Add(&record.Attach{Fork: id, Name: record.AttachGoroutines, Media: "application/json", Data: text})
	}
	b.Add(&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ops: 10, V: record.Values{{Unit: "sched-goroutines", Value: 2}}})
	b.Add(&record.Fork{ID: id, Case: 1, Round: id, Purpose: "sched", State: state, Why: "broke"})
}

// timed begins a record with a fork that is timed.
func timed(roles ...string) *Builder {
	b := NewBuilder()
	b.Add(&record.Run{Config: record.Config{Confidence: 0.95}})
	b.Add(&record.Case{ID: 1, Pkg: "p", Name: "A", Procs: 2, Roles: roles})
	for _, role := range append(roles, "") {
		b.Add(&record.Sample{Fork: 100, Iter: 2, Phase: record.PhaseMeasure, Role: role, Ops: 1, V: record.Values{{Unit: "ns/op", Value: 5}}})
	}
	b.Add(&record.Fork{ID: 100, Case: 1, Round: 1, Purpose: record.PurposeTiming, State: record.StateOK})
	return b
}

func oneFork(running int64, cpu int64, more ...record.GoroutineGroup) *record.Goroutines {
	return &record.Goroutines{Windows: 1, Ops: 10, Wall: 1000, Traced: 1, CPU: cpu, Tracer: 50, Groups: append([]record.GoroutineGroup{
		{Func: "m.work", Count: 2, Running: running, RunningMin: running / 4, RunningMax: running * 3 / 4, Slices: 20, Runnable: 100, Blocked: 200, Syscall: 10},
	}, more...)}
}

// TestGoroutines: medians over the forks that ended well; a fork that knows nothing of a
// group has none of it; and what is not listed comes last.
func TestGoroutines(t *testing.T) {
	b := timed("reader")
	traced(b, 1, record.StateOK, oneFork(400, 360))
	traced(b, 2, record.StateOK, oneFork(800, 0, record.GoroutineGroup{Func: "", Count: 9, Running: 9000}))
	traced(b, 3, record.StateOK, oneFork(950, 1000, record.GoroutineGroup{Func: "m.other", Count: 1, Running: 70}, record.GoroutineGroup{Count: 9, Running: 5000}))
	traced(b, 4, record.StateFailed, oneFork(1e9, 1))
	traced(b, 5, record.StatePartial, oneFork(1e9, 1))
	s := b.Result()
	if len(s.Results) != 2 || s.Results[1].Goroutines != nil {
		t.Fatalf("%+v", s.Results)
	}
	want := &Goroutines{
		Forks: 3, Traced: 1, CPUShare: Number((360.0/450 + 1000.0/6070) / 2),
		Groups: []GoroutineGroup{
			{Func: "m.work", Count: 2, Running: 80, RunningMin: 200, RunningAvg: 400, RunningMax: 600, Slices: 2, Runnable: 10, Blocked: 20, Syscall: 1},
			{Func: "m.other"}, // the median of 0, 0 and 70
			{Count: 9, Running: 500, RunningAvg: Number(5000.0 / 9)},
		},
	}
	if got := s.Results[0].Goroutines; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
	text, err := json.Marshal(s.Results[0])
	if err != nil || !strings.Contains(string(text), `"goroutines":{"forks":3,"traced":1,"cpu_share":`) || !strings.Contains(string(text), `{"func":"m.work","count":2,"running_ns/op":80,`) {
		t.Errorf("%s, %v", text, err)
	}
	if got := show(s.Results[0]); !strings.Contains(got, "[profiler-failed]") {
		t.Errorf("the failed fork is not reported: %s", got)
	}
}

// TestGoroutinesScaled: what was traced in part is scaled up for each operation, but not
// for each goroutine.
func TestGoroutinesScaled(t *testing.T) {
	b := timed()
	g := oneFork(400, 0)
	g.Traced = 0.25
	traced(b, 1, record.StateOK, g)
	got := b.Result().Results[0].Goroutines
	if got.Traced != 0.25 || got.CPUShare != 0 || got.Groups[0].Running != 160 || got.Groups[0].Slices != 8 || got.Groups[0].RunningMax != 300 {
		t.Errorf("%+v", got)
	}
}

// TestGoroutinesDamaged: lines that cannot be read give a warning and no table.
func TestGoroutinesDamaged(t *testing.T) {
	for i, data := range []string{"", "{", `{"ops":0,"traced":1}`, `{"ops":1,"traced":0}`, `{"ops":1,"traced":2}`, `{"ops":"x"}`} {
		b := timed()
		b.Add(&record.Attach{Fork: 1, Name: record.AttachGoroutines, Data: []byte(data)})
		b.Add(&record.Attach{Fork: 1, Name: "other", Data: []byte(data)})
		traced(b, 1, record.StateOK)
		r := b.Result().Results[0]
		if got := show(r); r.Goroutines != nil || !strings.Contains(got, "["+diagnosis.DamagedAttached+"]") || strings.Count(fmt.Sprint(r.Warnings), `attachment "goroutines" cannot be read`) != 1 {
			t.Errorf("%d: %s %+v", i, got, r.Goroutines)
		}
	}
}

// TestProfilersFailed: failed forks of profilers are reported, by profiler. They do not make the times less
// trustworthy.
func TestProfilersFailed(t *testing.T) {
	b := timed()
	traced(b, 1, record.StateFailed)
	traced(b, 2, record.StateOK)
	traced(b, 3, record.StateFailed)
	b.Add(&record.Fork{ID: 4, Case: 1, Round: 1, Purpose: "mem", State: record.StateTimeout, Why: "did not end"})
	r := b.Result().Results[0]
	var got []string
	for _, w := range r.Warnings {
		if w.Code == diagnosis.ProfilerFailed {
			got = append(got, w.Text)
		}
	}
	if want := []string{"sched: 2 of 3 of its forks failed: broke", "mem: 1 of 1 of its forks failed: did not end"}; !reflect.DeepEqual(got, want) || r.ForksFailed != 0 {
		t.Errorf("%q, want %q", got, want)
	}
}
