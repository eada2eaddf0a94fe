package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// header says where and how was measured, one item each.
func (g glyphs) header(s *result.Result) []string {
	run := s.Run
	if run == nil {
		return nil
	}
	var items []string
	add := func(s string) {
		if s != "" {
			items = append(items, g.Text(s))
		}
	}
	e := run.Env
	add(strings.Trim(e.OS+"/"+e.Arch, "/"))
	add(machine(e))
	add(e.Go)
	if archived(run) {
		add(g.iterations(run))
	} else {
		items = append(items, g.plan(run))
	}
	if len(items) > 0 && archived(run) && warned(s, result.CodeEnvironment) {
		items[0] = g.Text(run.Sides[0].Name) + ": " + items[0] // the others' differs, as the warnings say
	}
	return items
}

func machine(e record.Env) string {
	var parts []string
	if e.CPU != "" {
		parts = append(parts, strings.Join(strings.Fields(e.CPU), " "))
	}
	if e.Cores > 0 {
		parts = append(parts, plural(e.Cores, "core"))
	}
	if e.GOMAXPROCS > 0 && e.GOMAXPROCS != e.Cores {
		parts = append(parts, fmt.Sprintf("GOMAXPROCS %d", e.GOMAXPROCS))
	}
	return strings.Join(parts, ", ")
}

// plan is "20 forks × (1+2) × 50ms, interleaved, seed 7f3a".
func (g glyphs) plan(run *record.Run) string {
	c := run.Config
	forks := plural(c.Forks, "fork") + " " + g.times + " " + g.fork(c)
	if record.KindOf(run) == record.KindTime { // a fork is a run of a command
		forks = plural(c.Forks, "run")
	}
	if c.Precision > 0 {
		forks = "up to " + forks
	}
	parts := []string{forks}
	if c.Precision > 0 {
		parts[0] += " until " + g.pm + " " + strconv.FormatFloat(math.Round(c.Precision*1e6)/1e4, 'f', -1, 64) + " %"
	}
	if c.Budget > 0 {
		parts = append(parts, "at most "+duration(c.Budget))
	}
	if c.Warmup > 0 && record.KindOf(run) == record.KindTime {
		parts = append(parts, "after "+plural(c.Warmup, "warm-up run"))
	}
	if c.Order != "" {
		parts = append(parts, g.Text(c.Order))
	}
	if c.Deep {
		parts = append(parts, "hooks in testing")
	}
	return strings.Join(append(parts, "seed "+run.Seed.String()), ", ")
}

// fork is what each fork does: "(1+2) × 50ms".
func (g glyphs) fork(c record.Config) string {
	length := duration(c.Time)
	if n, ok := strings.CutSuffix(c.Benchtime, "x"); ok {
		length = g.Text(n) + " ops"
	} else if c.Benchtime != "" {
		length = g.Text(c.Benchtime)
	}
	return fmt.Sprintf("(%d+%d) %s %s", c.Warmup, c.Iterations, g.times, length)
}

// iterations is what is known of the plan of sides that were measured in runs of
// their own; of benchmark texts it is nothing.
func (g glyphs) iterations(run *record.Run) string {
	if run.Config.Time == 0 && run.Config.Benchtime == "" {
		return ""
	}
	return "forks of " + g.fork(run.Config)
}

// tare says what the tool itself weighs, as far as it is known.
func (g glyphs) tare(t record.Tare, verbose bool) []string {
	var items []string
	add := func(known bool, format, value string) {
		if known {
			items = append(items, fmt.Sprintf(format, value))
		}
	}
	add(t.Loop > 0, "empty loop %s", g.cost(t.Loop)+"/op")
	add(t.Clock > 0, "clock read %s", g.cost(t.Clock))
	add(t.Probe > 0, "probe %s", g.cost(t.Probe))
	add(t.Launcher > 0, "%s per fork", g.cost(float64(t.Launcher)))
	add(t.Steal > 0, "steal %s", g.percent(t.Steal))
	add(t.Load > 0, "load %s", strconv.FormatFloat(t.Load, 'f', 1, 64))
	if verbose {
		add(t.Peak > 0, "launcher %s", g.amount("B", float64(t.Peak)))
		add(t.Wall > 0, "took %s", duration(time.Duration(t.Wall).Round(100*time.Millisecond)))
		add(t.Planned > 0, "planned %s", duration(time.Duration(t.Planned).Round(100*time.Millisecond)))
	}
	return items
}

// cost is a time with two significant digits: what the tool weighs is known no
// better.
func (g glyphs) cost(ns float64) string { return g.amount("ns", ns) }

func (g glyphs) amount(unit string, x float64) string {
	s := scaleOf(unit, x, g)
	x /= s.div
	return g.number(x, rounding{places: 1 - magnitude(x)}) + " " + s.long()
}

// partial says that a run is not complete, or nothing.
func (g glyphs) partial(s *result.Result) string {
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
	return g.Text(s.End.Why)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// duration writes d as a person would type it: 10m, not 10m0s.
func duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
