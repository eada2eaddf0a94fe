package benchrun

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// TestBudgetIsSpent: benchmarks that exceed the budget are not calibrated, and those without time for a round are
// left out. Both are reported, on all sides.
func TestBudgetIsSpent(t *testing.T) {
	l := newShareLab(t, 0, ms, ms, 40*time.Second)
	l.Run.Config.Budget = time.Minute
	l.began = time.Now().Add(-time.Hour)
	got, c := l.calibrate(t)
	if want := []string{"old F/a=", "new F/a="}; !slices.Equal(got, want) || len(l.runs) > 1 { // one look at the set-up
		t.Errorf("%v, ran %q", got, l.runs)
	}
	var codes []string
	for _, w := range c.warnings {
		codes = append(codes, w.Code)
	}
	if !slices.Equal(codes, []string{"left-out", "uncalibrated", "uncalibrated"}) {
		t.Fatalf("%v", codes)
	}
	if w := c.warnings[0]; w.Text != "--budget 1m0s does not hold all benchmarks, left out: F (2 sub-benchmarks)" || !strings.HasPrefix(w.Advice, "use --budget 1h10m") {
		t.Errorf("%+v", w)
	}
	for _, x := range c.Plan.Cases {
		if x.Mode != record.ModeTime || x.N != 0 || x.Wall <= 0 {
			t.Errorf("%+v", x)
		}
	}
}

// TestBudgetLeft: a long benchmark does not take the budget of those that fit.
func TestBudgetLeft(t *testing.T) {
	l := newShareLab(t, 0, 40*time.Second, ms, ms)
	l.Run.Config.Budget = time.Minute
	l.began = time.Now()
	got, c := l.calibrate(t)
	if want := []string{"old F/b=", "old F/c=", "new F/b=", "new F/c="}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if len(c.warnings) != 1 || !strings.Contains(c.warnings[0].Text, "left out: F") || c.Plan.Cases[0].Calibration == nil {
		t.Errorf("%+v, %+v", c.warnings, c.Plan.Cases[0])
	}
	l = newShareLab(t, 0, ms, ms)
	l.Run.Config.Budget, l.sharing.off = ms, true // the self-test's
	if got, c := l.calibrate(t); len(got) != 4 || len(c.warnings) != 0 {
		t.Errorf("%v, %+v", got, c.warnings)
	}
}

// TestLeftOutAfterCalibration: a benchmark whose forks turn out not to fit the budget is left out after the
// calibration.
func TestLeftOutAfterCalibration(t *testing.T) {
	f := fakeFound(t, nil, 0)
	f.Run.Config.Budget, f.began = 10*time.Second, time.Now()
	for i, side := range []string{"old", "new"} {
		f.Cases = append(f.Cases, &record.Case{ID: 3 + i, Pkg: "p", Name: "Long", Side: side, Bin: 1 + i, Procs: 1, Mode: record.ModeN, N: 100})
	}
	for _, c := range f.Cases {
		c.Wall = 0
	}
	f.run = func(_ context.Context, r plan.Request) (*plan.Outcome, error) {
		x := &plan.Outcome{Fork: record.Fork{Case: r.Case.ID, Bin: r.Case.Bin, Purpose: r.Purpose, State: record.StateOK, Wall: 1e6}}
		if r.Case.Name == "Long" {
			x.Fork.Wall = 60e9
		}
		for i := range 4 {
			x.Samples = append(x.Samples, &record.Sample{Iter: i + 1, Phase: record.PhaseMeasure, Ns: 50 * r.Case.N, Ops: r.Case.N, Wall: 50*r.Case.N + 1000, V: record.Values{{Unit: "ns/op", Value: 50}}})
		}
		return x, nil
	}
	c, err := Calibrate(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Plan.Cases) != 2 || c.Plan.Cases[0].Name != "X" || c.Plan.Cases[1].Name != "X" {
		t.Errorf("%s are left", namesOf(c.Plan.Cases))
	}
}
