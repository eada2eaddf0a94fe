package benchrun

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// TestBudgetNote: a budget that does not hold the calibration and a round shortens the calibration and says so first,
// with one that does; the time since the search for benchmarks counts.
func TestBudgetNote(t *testing.T) {
	const iteration = 100 * time.Millisecond
	almost := budgetPlan(iteration).EnoughForRound() - 200*time.Millisecond
	for name, c := range map[string]struct {
		budget, spent time.Duration
		brief         bool
		want          string
	}{
		"none":   {0, 0, false, ""},
		"short":  {time.Second, 0, true, "--budget 1s does not hold the calibration (about "},
		"nearly": {time.Hour, time.Hour - almost, true, "--budget "},
		"spent":  {10 * time.Hour, 10 * time.Hour, true, "--budget 10h0m0s does not hold the calibration (about "},
		"ample":  {10 * time.Hour, 0, false, "3 benchmarks: calibration about "},
	} {
		p := budgetPlan(iteration)
		p.Began, p.Config.Budget = time.Now().Add(-c.spent), c.budget
		said := ""
		budgetFor(p, p.Cases, func(format string, args ...any) { said += fmt.Sprintf(format, args...) })
		if p.Brief != c.brief || !strings.HasPrefix(said, c.want) || (c.want == "") != (said == "") {
			t.Errorf("%s: brief %v, %q, want %v, %q", name, p.Brief, said, c.brief, c.want)
		}
		if strings.Contains(said, "Use --budget "+c.budget.String()+",") {
			t.Errorf("%s: %q asks for the same budget", name, said)
		}
		if c.brief && !strings.Contains(said, "where it is spent. Use --budget ") {
			t.Errorf("%s: %q names no budget", name, said)
		}
	}
}

func budgetPlan(iteration time.Duration) *plan.Plan {
	p := &plan.Plan{Config: record.Config{Time: iteration, Forks: 20, Iterations: 8}}
	for id := range 3 {
		p.Cases = append(p.Cases, &record.Case{ID: id + 1, Name: fmt.Sprint("B", id), Mode: record.ModeN})
	}
	return p
}
