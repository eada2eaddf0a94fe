package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// header returns where and how was measured, one item each.
func header(s *result.Result) []string {
	run := s.Run
	if run == nil {
		return nil
	}
	var items []string
	for _, it := range textpage.Machine(run.Env) {
		if it != "" {
			items = append(items, it)
		}
	}
	if built := builtWith(s); built != "" {
		items = append(items, built)
	}
	if !archived(run) {
		items = append(items, plan(run, s.Results))
	} else if run.Config.Time > 0 || run.Config.Benchtime != "" {
		items = append(items, "forks of "+forkPlan(run.Config, s.Results))
	}
	if len(items) > 0 && archived(run) && warned(s, diagnosis.Environment) {
		items[0] = run.Sides[0].Name + ": " + items[0] // a warning says how the others differ
	}
	return items
}

// plan returns a text such as "20 forks × (1+2) × 50ms, interleaved, seed 7f3a".
func plan(run *record.Run, results []result.Benchmark) string {
	c := run.Config
	isTime := record.KindOf(run) == record.KindTime
	forks := units.Plural(c.Forks, "fork") + " × " + forkPlan(c, results)
	if isTime { // a fork is a run of a command
		forks = units.Plural(c.Forks, "run")
	}
	if c.Precision > 0 {
		forks = "up to " + forks
	}
	parts := []string{forks}
	if c.Precision > 0 {
		parts[0] += " until ± " + units.Level(c.Precision)
	}
	if c.Spread > 0 {
		parts = append(parts, fmt.Sprintf("spread over %s in %d blocks", units.Duration(c.Spread), c.Blocks()))
	}
	if c.Budget > 0 {
		parts = append(parts, "at most "+units.Duration(c.Budget))
	}
	if c.Warmup > 0 && isTime {
		parts = append(parts, "after "+units.Plural(c.Warmup, "warm-up run"))
	}
	if c.Order != "" {
		parts = append(parts, c.Order)
	}
	if c.Deep {
		parts = append(parts, "hooks in testing")
	}
	return strings.Join(append(parts, "seed "+run.Seed.String()), ", ")
}

// forkPlan returns what each fork does: "(1+2) × 50ms", the iterations of warm-up and of
// measuring, and how long each is. Where benchmarks differ in that, it returns both: "(1+8) × 12.5ms or (1+2) × 50ms".
func forkPlan(c record.Config, results []result.Benchmark) string {
	var plans []string
	for i := range results {
		if x := results[i].Planned; x.Iterations > 0 {
			if s := fmt.Sprintf("(%d+%d) × %s", c.Warmup, x.Iterations, units.Duration(x.Time)); !slices.Contains(plans, s) {
				plans = append(plans, s)
			}
		}
	}
	if len(plans) > 0 {
		return strings.Join(plans, " or ")
	}
	length := units.Duration(c.Time)
	if n, ok := strings.CutSuffix(c.Benchtime, "x"); ok {
		length = n + " ops"
	} else if c.Benchtime != "" {
		length = c.Benchtime
	}
	return fmt.Sprintf("(%d+%d) × %s", c.Warmup, c.Iterations, length)
}
