package fork

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// wrapping is a profiler that runs what it is given as it is, for two N.
type wrapping struct {
	needs  profiler.Needs
	reject error // to begin a fork
	bad    error // of the first process
	poor   error // of the end

	args  [][]string
	ops   []int64
	ended int
}

func (w *wrapping) Name() string          { return "wrapping" }
func (w *wrapping) Available() error      { return nil }
func (w *wrapping) Needs() profiler.Needs { return w.needs }

func (w *wrapping) Wrap(c *record.Case) (profiler.Wrapped, error) {
	if c.ID != 7 {
		return nil, errors.New("another case")
	}
	return w, w.reject
}

func (w *wrapping) Next() int64 {
	switch len(w.args) {
	case 0:
		return 3
	case 1:
		return 30
	}
	return 0
}

func (w *wrapping) Command(path string, args []string) (string, []string) {
	w.args = append(w.args, args)
	return path, args
}

func (w *wrapping) Ran(ops int64) error {
	w.ops = append(w.ops, ops)
	return w.bad
}

func (w *wrapping) End() (profiler.Result, int64, error) {
	w.ended++
	return profiler.Result{
		Values: []record.Values{{{Unit: "wrapped/op", Value: 1.5}}},
		Lines:  []record.Line{&record.Warn{About: record.AboutFork, Code: "odd", Text: "odd"}},
	}, 27, w.poor
}

func wrapped(t *testing.T, h *hostile, w *wrapping, name string) *Outcome {
	t.Helper()
	s := h.spec(name, 2)
	s.Case.Mode, s.Purpose, s.Wrap = record.ModeN, w.Name(), w
	out := h.fork(t, s)
	if w.reject == nil && w.ended != 1 {
		t.Errorf("%s: ended %d times", name, w.ended)
	}
	return out
}

// TestWrapped: a fork of several processes has one number, one line and one sample.
func TestWrapped(t *testing.T) {
	h := newHostile(t)
	w := &wrapping{needs: profiler.Needs{Procs: 1}}
	out := wrapped(t, h, w, "Work")
	f := out.Fork
	if f.State != record.StateOK || f.ID != 1 || f.Order != 1 || f.Case != 7 || f.Bin != 3 || f.Round != 4 || f.Purpose != "wrapping" {
		t.Errorf("%+v", f)
	}
	if !reflect.DeepEqual(w.ops, []int64{3, 30}) {
		t.Errorf("operations %v", w.ops)
	}
	for i, n := range []string{"3x", "30x"} {
		if got := strings.Join(w.args[i], " "); !strings.Contains(got, "-test.benchtime="+n+" -test.count=1 -test.cpu=1 ") {
			t.Errorf("run with %s", got)
		}
	}
	want := []*record.Sample{{Fork: 1, Iter: 2, Phase: record.PhaseMeasure, T: f.Start + f.Wall, Ops: 27, V: record.Values{{Unit: "wrapped/op", Value: 1.5}}}}
	if !reflect.DeepEqual(out.Samples, want) {
		t.Errorf("%+v", out.Samples[0])
	}
	if got := written(t, h.wrote); strings.Count(got, `"k":"fork","id":1,`) != 1 || !strings.Contains(got, `"about":"fork","id":1,"code":"odd"`) {
		t.Errorf("wrote\n%s", got)
	}
	if next := h.fork(t, h.spec("Work", 1)); next.Fork.ID != 2 || next.Fork.Start < f.Start+f.Wall {
		t.Errorf("then %+v after %+v", next.Fork, f)
	}
}

// TestWrappedBadly: if a wrapper is not available, a warning says so, and the next fork can
// be run. If the process fails, the fork fails.
func TestWrappedBadly(t *testing.T) {
	why := errors.New("for a reason")
	for what, c := range map[string]struct {
		w    wrapping
		name string
		runs int
	}{
		"refused":    {wrapping{reject: why}, "Work", 0},
		"no count":   {wrapping{bad: why}, "Work", 1},
		"no slope":   {wrapping{poor: why}, "Work", 2},
		"a failure":  {wrapping{}, "Environ", 1},
		"no process": {wrapping{args: make([][]string, 2), poor: why}, "Work", 0},
	} {
		h := newHostile(t)
		before := len(c.w.args)
		out := wrapped(t, h, &c.w, c.name)
		if len(c.w.args)-before != c.runs || len(out.Samples) > 0 || out.Fork.ID != 1 {
			t.Errorf("%s: %d processes, %d samples, fork %d", what, len(c.w.args)-before, len(out.Samples), out.Fork.ID)
		}
		got := written(t, h.wrote)
		if c.name == "Environ" {
			if out.Fork.State != record.StateFailed || !strings.Contains(out.Fork.Why, "found ") || out.Fork.Tail == "" {
				t.Errorf("%s: %+v", what, out.Fork)
			}
			continue
		}
		if out.Fork.State != record.StateOK || !strings.Contains(got, `"code":"not-available","form":"fork","text":"wrapping: not available: for a reason"`) {
			t.Errorf("%s: %s\n%s", what, out.Fork.State, got)
		}
	}
}

// preparing is a profiler that hands a fork a variable.
type preparing struct {
	looker
	ends int
	last profiler.Fork
}

func (p *preparing) Prepare(f profiler.Fork) (profiler.Session, []string, error) {
	p.last = f
	return p, []string{"GIVEN=by " + p.name}, p.fail
}

func (p *preparing) End(ws []profiler.Window) (profiler.Result, error) {
	p.ends++
	return p.looker.End(ws)
}

// TestPrepare: a fork finds what was prepared for it, the session ends once whatever
// becomes of the fork, and one that fails gives no values.
func TestPrepare(t *testing.T) {
	h := newHostile(t)
	good, bad := &preparing{looker: looker{name: "good"}}, &preparing{looker: looker{name: "bad", fail: errors.New("disk full")}}
	s := h.spec("Environ", 1)
	s.Environ = []string{"EXPECTED=by good 3 " + world.dir, "GIVEN=by the caller"}
	s.Prepare = []profiler.Preparer{bad, good}
	out := h.fork(t, s)
	if out.Fork.State != record.StateOK {
		t.Fatalf("%s\n%s", out.Fork.Why, out.Fork.Tail)
	}
	if good.ends != 1 || len(good.windows) != 2 || bad.ends != 0 {
		t.Errorf("ended %d times with %d windows, and %d times", good.ends, len(good.windows), bad.ends)
	}
	if good.last.Case != s.Case || good.last.Warmup != s.Warmup {
		t.Errorf("it got %+v", good.last)
	}
	if got := written(t, h.wrote); !strings.Contains(got, "bad: not available: disk full") {
		t.Errorf("wrote\n%s", got)
	}
	if len(s.Environ) != 2 || s.Environ[1] != "GIVEN=by the caller" {
		t.Errorf("the caller's environment became %q", s.Environ)
	}

	s.Environ = []string{"EXPECTED=something else"}
	if out := h.fork(t, s); out.Fork.State != record.StateFailed || good.ends != 2 || good.windows != nil {
		t.Errorf("%s, ended %d times with %+v", out.Fork.State, good.ends, good.windows)
	}
}

// diagnosing knows why its processes fail.
type diagnosing struct {
	wrapping
	why  error
	tail string
}

func (d *diagnosing) Wrap(*record.Case) (profiler.Wrapped, error) { return d, nil }

func (d *diagnosing) Diagnose(tail string) error {
	d.tail = tail
	return d.why
}

// TestDiagnosed: the reason that a profiler knows takes the place of the process's own. A process that succeeds is not asked
// about.
func TestDiagnosed(t *testing.T) {
	h := newHostile(t)
	for _, c := range []struct {
		name string
		why  error
		want string
	}{
		{"Environ", errors.New("an instruction is not known"), "an instruction is not known"},
		{"Environ", nil, ""},
		{"Work", errors.New("an instruction is not known"), ""},
	} {
		d := &diagnosing{why: c.why}
		s := h.spec(c.name, 2)
		s.Case.Mode, s.Purpose, s.Wrap = record.ModeN, d.Name(), d
		f := h.fork(t, s).Fork
		fails := c.name == "Environ"
		if (f.State == record.StateFailed) != fails || c.want != "" && f.Why != c.want || c.want == "" && strings.Contains(f.Why, "not known") || d.tail != f.Tail {
			t.Errorf("%s: %s: %q; it got %q, the tail is %q", c.name, f.State, f.Why, d.tail, f.Tail)
		}
	}
}
