package benchrun

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/internal/numbers/conditions"
	"github.com/tarebench/tare/record"
)

// TestAnother: a complete run is logged, and says how far another one may be once five are known.
func TestAnother(t *testing.T) {
	log := filepath.Join(t.TempDir(), "runs.jsonl")
	measure := func(failAt int) string {
		t.Helper()
		rec := openRecord(t)
		f := fakeFound(t, rec, failAt)
		f.RunLog, f.Run.Config.Forks = log, 6
		if err := Measure(newCalibrated(f)); (err == nil) != (failAt == 0) {
			t.Fatal(err)
		}
		text, err := os.ReadFile(rec.Path())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if text := measure(4); strings.Contains(text, `"another"`) {
		t.Error("a run that failed says something about others")
	}
	if text := measure(0); strings.Count(text, `{"k":"another"`) != 2 || strings.Contains(text, `"half"`) {
		t.Error("the first run:\n", text)
	}
	age(t, log, 6)
	text := measure(0)
	if strings.Count(text, `"half":`) != 2 || !strings.Contains(text, `"runs":6`) {
		t.Error("the seventh run:\n", text)
	}
	if x, y := strings.Index(text, `{"k":"another"`), strings.Index(text, `{"k":"end"`); x > y {
		t.Error("it stands after the end")
	}
}

// TestSettings: runs of one name in the log measured the same. Redacted parts of the record count, too.
func TestSettings(t *testing.T) {
	named := func(change func(*Found, *record.Case)) string {
		f := fakeFound(t, openRecord(t), 0)
		x := f.Cases[1]
		change(f, x)
		return runlog.Name(x, "ns/op", newCalibrated(f).settings(x)...)
	}
	seen := map[string]string{}
	for what, change := range map[string]func(*Found, *record.Case){
		"nothing":          func(*Found, *record.Case) {},
		"warm-up":          func(f *Found, _ *record.Case) { f.Run.Config.Warmup = 3 },
		"layouts":          func(f *Found, _ *record.Case) { f.Run.Config.Layouts = 4 },
		"argument":         func(f *Found, _ *record.Case) { f.Run.Config.Args = []string{"-elems", "5"} },
		"another argument": func(f *Found, _ *record.Case) { f.Run.Config.Args = []string{"-elems", "6"} },
		"secret":           func(f *Found, _ *record.Case) { f.Run.Config.Args = []string{"-token=a"} },
		"another secret":   func(f *Found, _ *record.Case) { f.Run.Config.Args = []string{"-token=b"} },
		"environment":      func(f *Found, _ *record.Case) { f.Run.Config.Setenv = []string{"-elems", "5"} },
		"of the side":      func(f *Found, _ *record.Case) { f.Run.Sides[1].Setenv = []string{"-elems", "5"} },
		"shared process":   func(_ *Found, x *record.Case) { x.Group = "X" },
		"N by testing":     func(_ *Found, x *record.Case) { x.Mode, x.N = record.ModeTime, 0 },
		"short iterations": func(_ *Found, x *record.Case) { x.Iterations, x.Time = 8, time.Microsecond },
		"one cold":         func(_ *Found, x *record.Case) { x.SingleShot = true },
		"no priority":      func(f *Found, _ *record.Case) { f.Run.Config.NoPriority = true },
		"spread":           func(f *Found, _ *record.Case) { f.Run.Config.Spread = time.Minute },
	} {
		name := named(change)
		if other, ok := seen[name]; ok {
			t.Errorf("%s and %s have one name", what, other)
		}
		seen[name] = what
	}
	other := named(func(f *Found, x *record.Case) { f.Run.Sides[0].Setenv, x.N = []string{"A=b"}, 200 })
	if seen[other] != "nothing" {
		t.Error("another side, and another N that was found, change the name")
	}
}

// TestAnotherResumed: the log has the conditions of the whole run, also those before it was resumed.
func TestAnotherResumed(t *testing.T) {
	log := filepath.Join(t.TempDir(), "runs.jsonl")
	rec := openRecord(t)
	f := fakeFound(t, rec, 0)
	f.Run.Config.Forks = 6
	if err := newCalibrated(f).writePlan(); err != nil {
		t.Fatal(err)
	}
	for i := range 10 { // five rounds of six
		id, side := i+1, i%2+1
		for _, l := range []record.Line{
			&record.Reference{Round: i/2 + 1, Loops: []record.ReferenceLoop{{Name: "l3", Min: 40, Median: 50}, {Name: "chain", Min: 2, Median: 2}}},
			&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ns: 5000, Ops: 100, V: record.Values{{Unit: "ns/op", Value: 50}}},
			&record.Fork{ID: id, Case: side, Bin: side, Round: i/2 + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 1e6, Lost: new(0.25), Starved: true},
		} {
			if err := rec.Write(l); err != nil {
				t.Fatal(err)
			}
		}
	}
	path := rec.Path()
	if err := rec.Close(false); err != nil {
		t.Fatal(err)
	}
	progress, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	earlier, err := ReadEarlier(path, progress, func(string, record.Line, error) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	g := fakeFound(t, earlier.Recorder, 0)
	g.Cases, g.Run, g.Earlier, g.RunLog = nil, *earlier.Run, earlier, log
	c, err := g.resume()
	if err != nil {
		t.Fatal(err)
	}
	if err := Measure(c); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"loss":0.25`) || !strings.Contains(string(text), `"l3":40`) || !strings.Contains(string(text), `"chain":2`) {
		t.Errorf("%s", text)
	}
}

// age replaces a log of one run by n copies of it at intervals of 20 minutes, the last one 20 minutes ago.
func age(t *testing.T, path string, n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 1 {
		t.Fatalf("%q, %v", text, err)
	}
	machine := strings.Split(strings.SplitAfter(string(text), `"machine":"`)[1], `"`)[0]
	past, err := runlog.Read(path, machine)
	if err != nil || len(past) != 1 {
		t.Fatal(past, err)
	}
	os.Remove(path)
	for i := range n {
		e := past[0]
		e.Time = time.Now().Add(-time.Duration(n-i) * 20 * time.Minute)
		if err := runlog.Append(path, e); err != nil {
			t.Fatal(err)
		}
	}
}

func entry(chain, l3 float64) runlog.Entry {
	return runlog.Entry{Conditions: conditions.Conditions{Chain: chain, L3: l3}}
}

func TestLoopWarnings(t *testing.T) {
	past := make([]runlog.Entry, 8)
	for i := range past {
		past[i] = entry(1.08+0.001*float64(i%2), 17+float64(i))
	}
	for what, tt := range map[string]struct {
		now  runlog.Entry
		past []runlog.Entry
		want string
	}{
		"as ever":       {entry(1.085, 25), past, ""},
		"slow":          {entry(1.3, 20), past, "slow-processor: the processor was 20 % slower than in 8 earlier runs here"},
		"memory":        {entry(1.08, 130), past, "busy-memory: loads from the last-level cache took 6.9 times as long"},
		"not measured":  {runlog.Entry{}, past, ""},
		"not known yet": {entry(2, 200), past[:4], ""},
	} {
		var got []string
		for _, w := range loopWarnings(tt.now, tt.past) {
			got = append(got, w.Code+": "+w.Text)
		}
		if text := strings.Join(got, "\n"); !strings.HasPrefix(text, tt.want) || tt.want == "" && text != "" {
			t.Errorf("%s: %q, want %q", what, text, tt.want)
		}
	}
}
