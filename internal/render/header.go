package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// header says where and how was measured, one item each.
func header(s *result.Result) []string {
	run := s.Run
	if run == nil {
		return nil
	}
	var items []string
	for _, it := range machine(run.Env) {
		if it != "" {
			items = append(items, it)
		}
	}
	if !archived(run) {
		items = append(items, plan(run))
	} else if run.Config.Time > 0 || run.Config.Benchtime != "" {
		items = append(items, "forks of "+forkPlan(run.Config))
	}
	if len(items) > 0 && archived(run) && warned(s, result.CodeEnvironment) {
		items[0] = run.Sides[0].Name + ": " + items[0] // a warning says how the others differ
	}
	return items
}

// machine is the platform, the processor and the version of Go; "" for what is not known.
func machine(e record.Env) []string {
	var cpu []string
	if e.CPU != "" {
		cpu = append(cpu, strings.Join(strings.Fields(e.CPU), " "))
	}
	if e.Cores > 0 {
		cpu = append(cpu, units.Plural(e.Cores, "core"))
	}
	if e.GOMAXPROCS > 0 && e.GOMAXPROCS != e.Cores {
		cpu = append(cpu, fmt.Sprintf("GOMAXPROCS %d", e.GOMAXPROCS))
	}
	return []string{strings.Trim(e.OS+"/"+e.Arch, "/"), strings.Join(cpu, ", "), e.Go}
}

// plan is "20 forks × (1+2) × 50ms, interleaved, seed 7f3a".
func plan(run *record.Run) string {
	c := run.Config
	isTime := record.KindOf(run) == record.KindTime
	forks := units.Plural(c.Forks, "fork") + " × " + forkPlan(c)
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

// forkPlan is what each fork does: "(1+2) × 50ms", the iterations of warm-up and of
// measuring, and how long each is.
func forkPlan(c record.Config) string {
	length := units.Duration(c.Time)
	if n, ok := strings.CutSuffix(c.Benchtime, "x"); ok {
		length = n + " ops"
	} else if c.Benchtime != "" {
		length = c.Benchtime
	}
	return fmt.Sprintf("(%d+%d) × %s", c.Warmup, c.Iterations, length)
}

// overhead says what tare itself adds, as far as it is known.
func overhead(t record.Overhead, verbose bool) []string {
	var items []string
	add := func(known bool, format, value string) {
		if known {
			items = append(items, fmt.Sprintf(format, value))
		}
	}
	add(t.Loop > 0, "empty loop %s", units.Cost(t.Loop)+"/op")
	add(t.Clock > 0, "clock read %s", units.Cost(t.Clock))
	add(t.Probe > 0, "probe %s", units.Cost(t.Probe))
	add(t.Launcher > 0, "%s per fork", units.Cost(float64(t.Launcher)))
	add(t.Steal > 0, "steal %s", units.Percent(t.Steal))
	add(t.Load > 0, "load %s", strconv.FormatFloat(t.Load, 'f', 1, 64))
	if verbose {
		add(t.Peak > 0, "launcher %s", units.Value("B", float64(t.Peak), 2))
		add(t.Wall > 0, "took %s", units.Duration(time.Duration(t.Wall).Round(100*time.Millisecond)))
		add(t.Planned > 0, "planned %s", units.Duration(time.Duration(t.Planned).Round(100*time.Millisecond)))
	}
	return items
}

// partialWhy says why a run is not complete; "" if it is.
func partialWhy(s *result.Result) string {
	switch {
	case s.Run == nil:
		return ""
	case s.End == nil:
		return "the record was cut off before the run's end"
	case s.End.State != record.EndPartial:
		return ""
	case s.End.Why == "":
		return "the run did not end"
	}
	return s.End.Why
}
