package loadrun

import (
	"testing"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/load"
)

func TestHarnessConfig(t *testing.T) {
	for _, c := range []struct {
		name string
		plan Plan
		rate float64
	}{
		{"closed loop", Plan{}, 0},
		{"slow", Plan{Run: load.Config{Schedule: load.Schedule{Rate: 10}}}, harnessMinRate},
		{"usual", Plan{Run: load.Config{Schedule: load.Schedule{Rate: 5000}}}, 5000},
		{"fast", Plan{Run: load.Config{Schedule: load.Schedule{Rate: 1e6}}}, harnessMaxRate},
		{"steps", Plan{Run: load.Config{Schedule: load.Schedule{Steps: []load.Step{{Rate: 3000, For: 1}, {Rate: 9000, For: 1}}}}}, 3000},
		{"sweep", Plan{Rates: []float64{4000, 8000}}, 4000},
		{"search", Plan{Search: &bisection{}}, harnessMinRate},
	} {
		c.plan.Run.Workers, c.plan.Run.OnLate, c.plan.Run.Operations = 3, load.LateFail, 7
		got := c.plan.harnessConfig()
		if err := got.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got.Schedule.Rate != c.rate || got.Workers != 3 || got.OnLate == load.LateFail || got.Operations != 0 {
			t.Errorf("%s: %+v, want a rate of %v, 3 workers, no other end than the time, and no failure when late", c.name, got, c.rate)
		}
	}
}

// TestHarnessLeavesDatabase: the run against a system that does nothing sends nothing to the database, although the
// workload inserts records and verifies what it reads.
func TestHarnessLeavesDatabase(t *testing.T) {
	p, err := planOf(t, "mem", func(o *job.Load) {
		o.Workload, o.Workers, o.Properties = "d", "2", []string{"dataintegrity=true", "fieldlengthdistribution=constant"}
	}, "workers")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	target, err := p.noop(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	total, err := load.Run(t.Context(), target, p.harnessConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if total.Completed == 0 || len(total.Errors) > 0 { // the database is empty: reading from it would fail
		t.Errorf("%d operations, errors %v", total.Completed, total.Errors)
	}
	if h := harnessCost(total); h.Operations != total.Completed {
		t.Errorf("%+v of %d operations", h, total.Completed)
	}
	if !p.Workload.DataIntegrity {
		t.Error("the plan's own workload was changed")
	}
}
