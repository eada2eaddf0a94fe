package fork

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// looker is a profiler that notes what it was given.
type looker struct {
	name    string
	fail    error // to attach
	exe     string
	windows []profiler.Window
}

func (l *looker) Name() string          { return l.name }
func (l *looker) Available() error      { return nil }
func (l *looker) Needs() profiler.Needs { return profiler.Needs{} }

func (l *looker) Attach(pid int) (profiler.Session, error) {
	l.exe, _ = os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "exe"))
	return l, l.fail
}

func (l *looker) End(ws []profiler.Window) (profiler.Result, error) {
	l.windows = ws
	r := profiler.Result{Lines: []record.Line{&record.Attach{Name: l.name, Media: "text/plain"}}}
	for i := range ws {
		r.Values = append(r.Values, record.Values{{Unit: l.name + "/op", Value: float64(i)}})
	}
	return r, nil
}

// TestWatch: a profiler sees the process before its program runs, gets the
// windows that were measured, and its values are those of the samples.
func TestWatch(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("children are held on Linux only")
	}
	h := newHostile(t)
	good, bad := &looker{name: "good"}, &looker{name: "bad", fail: errors.New("no permission")}
	s := h.spec("Work", 1)
	s.Attach = []profiler.Attacher{bad, good}
	out := h.fork(t, s)
	if out.Fork.State != record.StateOK {
		t.Fatalf("%s\n%s", out.Fork.Why, out.Fork.Tail)
	}
	if good.exe == "" || strings.HasSuffix(good.exe, ".test") {
		t.Errorf("attached to %q", good.exe)
	}
	var benchResult []float64
	for _, s := range out.Samples {
		if v, ok := s.V.Get("good/op"); ok != (s.Phase == record.PhaseMeasure) {
			t.Errorf("sample %+v", s)
		} else if ok {
			benchResult = append(benchResult, v)
		}
	}
	if len(good.windows) != len(benchResult) || len(benchResult) == 0 || benchResult[0] != 0 {
		t.Errorf("windows %+v, values %v", good.windows, benchResult)
	}
	for _, w := range good.windows {
		if !w.Approximate || w.End < w.Begin || w.Begin < out.Fork.Start {
			t.Errorf("window %+v", w)
		}
	}
	if got := written(t, h.wrote[len(out.Samples):]); !strings.Contains(got, `"code":"not-available","form":"fork","text":"bad: not available: no permission"`) || !strings.Contains(got, `{"k":"attach","fork":`+strconv.Itoa(out.Fork.ID)+`,"name":"good"`) {
		t.Errorf("wrote\n%s", got)
	}
}

// TestWindows: marks are exact, and only measured iterations count.
func TestWindows(t *testing.T) {
	ss := []*record.Sample{
		{Iter: 1, Phase: record.PhaseBaseline, T: 5, Wall: 1},
		{Iter: 1, Phase: record.PhaseWarmup, T: 10, Wall: 5},
		{Iter: 2, Phase: record.PhaseMeasure, Role: "a", T: 20, Wall: 8, Ops: 1},
		{Iter: 2, Phase: record.PhaseMeasure, T: 20, Wall: 8, Ops: 7, Ns: 5},
		{Iter: 3, Phase: record.PhaseMeasure, T: 30, Wall: 9, Ops: 8},
	}
	marks := []Mark{{Iter: 1, Ev: MarkBegin, T: 6}, {Iter: 1, Ev: MarkEnd, T: 7}, {Iter: 2, Ev: MarkBegin, T: 13}, {Iter: 2, Ev: MarkEnd, T: 19}}
	want := []profiler.Window{{Iter: 2, Begin: 13, End: 19, Ops: 7, Timer: 5}, {Iter: 3, Begin: 21, End: 30, Ops: 8, Approximate: true}}
	if got := measuredWindows(ss, marks); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
