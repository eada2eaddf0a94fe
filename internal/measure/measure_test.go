package measure_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/record"
)

// TestCancelled: the end of the context ends a run, and what was measured until then is kept.
func TestCancelled(t *testing.T) {
	j := job.DefaultBench()
	j.NoRepeat, j.Packages, j.Bench, j.Forks, j.Time = true, []string{"unicode/utf8"}, "^BenchmarkRuneCountTenASCIIChars$", 1000, 5*time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := measure.Config(ctx, &j)
	if err != nil {
		t.Fatal(err)
	}
	c.Output = filepath.Join(t.TempDir(), "x.jsonl")
	rounds := 0
	c.OnRound = func() {
		if rounds++; rounds == 3 {
			cancel()
		}
	}
	out, err := measure.Run(c)
	if !errors.Is(err, plan.ErrInterrupted) || out.Reached != measure.Measuring {
		t.Fatal(out.Reached, err)
	}
	ends, forks := 0, 0
	for l, err := range record.ReadFile(out.Recorder.Path()) {
		if err != nil {
			t.Fatal(err)
		}
		switch x := l.(type) {
		case *record.Fork:
			if x.Purpose == record.PurposeTiming {
				forks++
			}
		case *record.End:
			if ends++; x.State != record.EndPartial {
				t.Errorf("the record says %s", x.State)
			}
		}
	}
	if ends != 1 || forks < 2 || forks > 100 { // forks whose N was replaced are there, too
		t.Errorf("%d ends, %d forks", ends, forks)
	}
}

// TestLoadCancelled: the end of the context ends a run of load, and what was measured until then is kept.
func TestLoadCancelled(t *testing.T) {
	j := job.DefaultLoad()
	j.Workload, j.DB, j.Rate, j.Duration, j.Warmup = "c", "mock", "200", time.Hour, 0
	plan, err := loadrun.NewPlan(j, loadrun.Program{Bindings: []kv.Binding{mock.Binding()}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	r, err := measure.RunLoad(ctx, plan, loadrun.Session{Output: filepath.Join(t.TempDir(), "x.jsonl")})
	if r == nil {
		t.Fatal(err)
	}
	if err := r.Close(false); err != nil {
		t.Error(err)
	}
	var last record.Line
	for l, err := range record.ReadFile(r.Recorder.Path()) {
		if err != nil {
			t.Fatal(err)
		}
		if h, ok := l.(*record.Run); ok && len(h.Command) > 0 {
			t.Errorf("a run without a command has %q", h.Command)
		}
		last = l
	}
	if end, ok := last.(*record.End); !ok || end.State != record.EndPartial {
		t.Errorf("the record ends with %+v", last)
	}
}

// TestDryRun: the plan is known, and no record is there.
func TestDryRun(t *testing.T) {
	j := job.DefaultBench()
	j.Packages, j.Bench = []string{"unicode/utf8"}, "^BenchmarkRuneCountTenASCIIChars$"
	c, err := measure.Config(context.Background(), &j)
	if err != nil {
		t.Fatal(err)
	}
	c.DryRun = true
	out, err := measure.Run(c)
	if err != nil || out.Recorder != nil || len(out.Plan.Plan.Cases) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}
