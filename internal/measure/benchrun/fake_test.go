package benchrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// fakeFound has one benchmark on two sides. Its forks are written, but not run:
// the one with the number failAt ends the
// measuring with an error.
func fakeFound(t *testing.T, rec *session.Recorder, failAt int) *Found {
	t.Helper()
	progress, err := session.NewProgress(io.Discard, "none")
	if err != nil {
		t.Fatal(err)
	}
	signals := session.CatchSignals(func(os.Signal) {})
	t.Cleanup(signals.Stop)
	b := &Built{Recorder: rec, Config: Config{Start: time.Now(), Progress: progress, Signals: signals, Estimate: func(result.Benchmark) string { return "" }}}
	b.Run = record.Run{Kind: record.KindBench, Seed: 7, Config: record.Config{
		Packages: []string{"p"}, Forks: 3, Warmup: 1, Iterations: 1, Time: time.Millisecond, Order: plan.Interleaved, Confidence: 0.95,
	}}
	for i, name := range []string{"old", "new"} {
		b.Run.Sides = append(b.Run.Sides, record.Side{Name: name})
		b.sides = append(b.sides, &builtSide{Side: &record.Side{Name: name}})
		b.bins = append(b.bins, &binary{Bin: record.Bin{ID: i + 1, Pkg: "p", Side: name, SHA256: name}, side: b.sides[i]})
	}
	f := &Found{Built: b, firstWall: map[int]time.Duration{}, forks: &fork.Runner{Launcher: spawn.InProcess(errors.New("a test"))}}
	for i, name := range []string{"old", "new"} {
		f.Cases = append(f.Cases, &record.Case{ID: i + 1, Pkg: "p", Name: "X", Side: name, Bin: i + 1, Procs: 1, Mode: record.ModeN, N: 100, Wall: 1e6})
	}
	last := 0
	f.run = func(_ context.Context, r plan.Request) (*plan.Outcome, error) {
		last++
		if last == failAt {
			return nil, errors.New("no space left on device")
		}
		id := last
		if f.Earlier != nil {
			id += f.Earlier.LastFork
		}
		x := &plan.Outcome{Fork: record.Fork{ID: id, Case: r.Case.ID, Bin: r.Case.Bin, Round: r.Round, Purpose: r.Purpose, State: record.StateOK, Wall: 1e6}}
		x.Samples = []*record.Sample{{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ns: 5000, Ops: 100, V: record.Values{{Unit: "ns/op", Value: 50}}}}
		for _, l := range []record.Line{x.Samples[0], &x.Fork} {
			if err := f.forks.Write(l); err != nil {
				return nil, err
			}
		}
		return x, nil
	}
	return f
}

func openRecord(t *testing.T) *session.Recorder {
	t.Helper()
	rec, err := session.OpenRecorder(filepath.Join(t.TempDir(), "x.jsonl"), 7, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// kinds returns the kinds of the lines of a record, equal ones counted.
func kinds(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(line, `{"k":"`), `"`)
		out = append(out, kind)
	}
	var counted []string
	for i := 0; i < len(out); {
		n := 1
		for i+n < len(out) && out[i+n] == out[i] {
			n++
		}
		counted = append(counted, fmt.Sprintf("%s×%d", out[i], n))
		i += n
	}
	return strings.Join(counted, " ")
}

// TestMeasure: the record has the plan, then the forks, then how it ended.
func TestMeasure(t *testing.T) {
	rec := openRecord(t)
	if err := Measure(newCalibrated(fakeFound(t, rec, 0))); err != nil {
		t.Fatal(err)
	}
	const want = "run×1 bin×2 case×2 tare×1" + " sample×1 fork×1" + " sample×1 fork×1" + " sample×1 fork×1" + " sample×1 fork×1" + " sample×1 fork×1" + " sample×1 fork×1" + " tare×1"
	if got := kinds(t, rec.Path()); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "end×1") {
		t.Errorf("lines:\n%s\nwant\n%s … end×1", got, want)
	}
	sum := rec.Result()
	if len(sum.Results) != 2 || sum.Results[0].Forks != 3 || len(sum.Comparisons) == 0 {
		t.Errorf("%+v", sum)
	}
}

// TestResumeInProcess: a run that ended in the middle goes on with the forks that
// are left, and with numbers that are not taken.
func TestResumeInProcess(t *testing.T) {
	rec := openRecord(t)
	if err := Measure(newCalibrated(fakeFound(t, rec, 4))); err == nil {
		t.Fatal("the disk was not full")
	}
	if err := rec.Close(false); err != nil {
		t.Fatal(err)
	}
	progress, _ := session.NewProgress(io.Discard, "none")
	e, err := ReadEarlier(rec.Path(), progress, func(_ string, _ record.Line, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
	if !e.Planned || e.Complete || e.Forks() != 3 {
		t.Fatalf("planned %v, complete %v, %d forks", e.Planned, e.Complete, e.Forks())
	}
	f := fakeFound(t, e.Recorder, 0)
	f.Cases, f.Earlier, f.Run = nil, e, *e.Run
	if err := f.matchBinaries(); err != nil {
		t.Fatal(err)
	}
	c, err := f.resume()
	if err != nil {
		t.Fatal(err)
	}
	if err := Measure(c); err != nil {
		t.Fatal(err)
	}
	if r := e.Recorder.Result().Results; len(r) != 2 || r[0].Forks != 3 || r[1].Forks != 3 {
		t.Errorf("%+v", r)
	}
	f.bins[0].SHA256 = "another"
	if err := f.matchBinaries(); err == nil || !strings.Contains(err.Error(), "is not the one that was measured") {
		t.Errorf("another binary: %v", err)
	}
}

// TestPairUp: a benchmark that the base or all other sides lack is not measured, unless it looks renamed. Neither is
// a side that is the same as the base.
func TestPairUp(t *testing.T) {
	twins := []*record.Case{{ID: 1, Side: "old", Bin: 1, Name: "X"}, {ID: 2, Side: "new", Bin: 2, Name: "X"}}
	same := func(old, new *binary) { old.Files, new.Files, new.SHA256 = "f", "f", old.SHA256 }
	for _, c := range []struct {
		name  string
		cases []*record.Case
		same  func(old, new *binary) // what both sides have in common
		want  []int
	}{
		{"both", []*record.Case{{ID: 1, Side: "old", Bin: 1, Name: "X"}, {ID: 2, Side: "new", Bin: 2, Name: "X"}}, nil, []int{1, 2}},
		{"alone", []*record.Case{{ID: 1, Side: "old", Bin: 1, Name: "X"}, {ID: 2, Side: "new", Bin: 2, Name: "Y/z"}}, nil, nil},
		{"renamed", []*record.Case{{ID: 1, Side: "old", Bin: 1, Name: "X"}, {ID: 2, Side: "new", Bin: 2, Name: "Y"}}, nil, []int{1, 2}},
		{"other GOMAXPROCS", []*record.Case{{ID: 1, Side: "old", Bin: 1, Name: "X", Procs: 1}, {ID: 2, Side: "new", Bin: 2, Name: "X", Procs: 2}}, nil, nil},
		{"twin", twins, same, []int{1}},
		{"other files", twins, func(old, new *binary) { same(old, new); new.Files = "g" }, []int{1, 2}},
		{"files not known", twins, func(old, new *binary) { same(old, new); old.Files, new.Files = "", "" }, []int{1, 2}},
		{"other environment", twins, func(old, new *binary) { same(old, new); new.side.Setenv = []string{"A=1"} }, []int{1, 2}},
		{"same environment", twins, func(old, new *binary) {
			same(old, new)
			old.side.Setenv, new.side.Setenv = []string{"A=1"}, []string{"A=1"}
		}, []int{1}},
		{"secrets", twins, func(old, new *binary) {
			same(old, new)
			old.side.Setenv, new.side.Setenv = []string{"API_TOKEN=1"}, []string{"API_TOKEN=1"}
		}, []int{1, 2}},
	} {
		f := fakeFound(t, nil, 0)
		if c.same != nil {
			c.same(f.bins[0], f.bins[1])
		}
		f.Cases = slices.Clone(c.cases)
		f.pairUp(c.cases)
		var got []int
		for _, x := range f.Cases {
			got = append(got, x.ID)
		}
		if !slices.Equal(got, c.want) || len(f.notMeasured) != len(c.cases)-len(c.want) {
			t.Errorf("%s: %v are measured and %d are not, want %v", c.name, got, len(f.notMeasured), c.want)
		}
	}
}
