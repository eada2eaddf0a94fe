// Package loadtext shows load runs to people: what became of all operations that were due, and
// the latencies of those that were answered. A search and a sweep have a row for each step.
package loadtext

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// view is what is shown of a load run.
type view struct {
	*textpage.Page
	notes textpage.Notes
	s     *result.Result
	c     *record.LoadConfig
}

func newView(s *result.Result, o textpage.Options) *view {
	v := &view{Page: textpage.New(o), s: s, c: configOf(s)}
	v.notes.About(s, "")
	return v
}

func configOf(s *result.Result) *record.LoadConfig {
	if s.Run == nil || s.Run.Config.Load == nil {
		return &record.LoadConfig{}
	}
	return s.Run.Config.Load
}

// Text writes a load run as text.
func Text(b *bytes.Buffer, s *result.Result, o textpage.Options) {
	t := newView(s, o)
	t.Items(termtext.Dim, t.header()...)
	for _, note := range t.c.Notes {
		t.Note(termtext.Yellow, "note:", note, "")
	}
	t.Hang(termtext.Dim, "before: ", t.before()...)
	t.Blank()
	switch {
	case len(s.Steps) > 0:
		t.steps()
	case s.Load == nil:
		t.Print(termtext.Normal, "nothing was measured")
		t.Blank()
	default:
		t.run()
	}
	t.Foot(s, &t.notes, t.overhead())
	t.WriteTo(b)
}

// before returns what the phases before the run came to. Steps have a warm-up each: nothing.
func (t *view) before() []string {
	if len(t.s.Steps) > 0 {
		return nil
	}
	var items []string
	for i := range t.s.Phases {
		l := &t.s.Phases[i]
		text := t.Text(l.Phase) + ": " + l.Verdict
		switch l.Phase {
		case record.LoadInsert:
			text = l.Verdict
		case record.LoadWarmup:
			text = fmt.Sprintf("warm-up of %s, %s, excluded from the results", units.Cost(float64(l.Wall)), units.Rate(l.Achieved))
		}
		if l.Errors > 0 {
			text += ", " + units.Plural(l.Errors, "error")
		}
		if l.Partial {
			text += ", cut off"
		}
		items = append(items, text)
	}
	return items
}

// header returns where and how was measured, one item each.
func (t *view) header() []string {
	run, c := t.s.Run, t.c
	if run == nil {
		return nil
	}
	items := textpage.Machine(run.Env)
	add := func(when bool, format string, args ...any) {
		if when {
			items = append(items, fmt.Sprintf(format, args...))
		}
	}
	add(true, "%s", cmp.Or(c.Name, c.DB))
	add(c.Workload != "", "workload %s", c.Workload)
	add(c.Scenario != "", "%s", c.Scenario)
	add(c.Records > 0, "%s", units.Plural(c.Records, "record"))
	add(c.Arrivals != "", "%s", c.Arrivals)
	switch {
	case c.AutoWorkers > 0:
		add(true, "%d to %s", c.Workers, units.Plural(c.AutoWorkers, "worker"))
	case c.Workers > 0:
		add(true, "%s", units.Plural(c.Workers, "worker"))
	}
	add(c.OnLate != "" && c.OnLate != "catch-up", "late ones: %s", c.OnLate)
	add(c.Pace != "" && c.Pace != "hybrid" && len(c.Arrivals) > 0 && c.Arrivals != closedLoop, "pace %s", c.Pace)
	if all := t.s.Agents; len(all) > 0 {
		add(true, "%s", units.Plural(len(all[len(all)-1].Agents), "agent"))
	}
	add(c.Duration > 0, "%s", units.Duration(c.Duration))
	add(c.Operations > 0, "%s", units.Plural(c.Operations, "operation"))
	add(true, "seed %s", run.Seed)
	return slices.DeleteFunc(items, func(s string) bool { return s == "" })
}

// closedLoop is what a record says of a run without a schedule.
const closedLoop = "closed loop"

// run prints a run that is no search and no sweep.
func (t *view) run() {
	l := t.s.Load
	t.Items(styleOf(l), l.Verdict+".")
	t.Blank()
	t.latencies(t.s.Latencies, t.Verbose)
	if text := corrected(t.s); text != "" {
		t.Hang(termtext.Normal, "corrected: ", text)
	}
	if text := unsent(t.s); text != "" {
		t.Items(termtext.Yellow, text)
	}
	t.Items(termtext.Normal, t.counts(l)...)
	t.Items(termtext.Normal, stalls(l)...)
	if items := traffic(l); len(items) > 0 {
		t.Items(termtext.Normal, items...)
	}
	if items := server(l.Server); len(items) > 0 {
		t.Items(termtext.Normal, items...)
	}
	t.errors(l.Failures)
	t.coincidences(l.Coincidences)
	t.slowest(l.Slowest, l.ClosedLoop)
	t.agents(l.Agents)
	t.objectives(t.s.Objectives)
}

func styleOf(l *result.Load) termtext.Style {
	if l.Missed {
		return termtext.Red
	}
	return termtext.Normal
}

// unsent returns how many operations were due and never sent; "" if all were.
func unsent(s *result.Result) string {
	l := s.Load
	if l.Unsent == 0 {
		return ""
	}
	if slices.ContainsFunc(s.Latencies, func(x result.Latency) bool { return x.Kind == record.TagUnanswered }) {
		return fmt.Sprintf("unsent: %s (oldest %s)", units.Count(l.Unsent), units.Time(l.UnsentOldest))
	}
	return fmt.Sprintf("unsent: %s (oldest %s): percentiles cover started operations only", units.Count(l.Unsent), units.Time(l.UnsentOldest))
}

// corrected returns what the estimate of response times from service times can mean; "" if there is none.
func corrected(s *result.Result) string {
	l := s.Load
	if !slices.ContainsFunc(s.Latencies, func(x result.Latency) bool { return x.Kind == result.KindCorrected }) {
		return ""
	}
	every := fmt.Sprintf("each of %s had to send every %s", units.Plural(l.Workers, "worker"), units.Time(l.Expected()))
	if l.ClosedLoop {
		return "an estimate without a target rate, as if " + every +
			", the achieved mean. It adds operations that a slow one kept from being sent, and tells nothing of other rates: --rate measures those"
	}
	return "an estimate from service times, as if " + every + ". The response times are measured: where the two differ, they count"
}

// counts returns what became of everything that was due.
func (t *view) counts(l *result.Load) []string {
	var items []string
	if !l.ClosedLoop {
		items = append(items, "dropped "+units.Count(l.Dropped))
	}
	text := "unfinished " + units.Count(l.Unfinished)
	if l.UnfinishedOldest > int64(time.Second) {
		text += fmt.Sprintf(" (oldest %s)", units.Time(l.UnfinishedOldest))
	}
	items = append(items, text, "errors "+units.Count(l.Errors))
	if l.Lost > 0 {
		items = append(items, "lost with agents "+units.Count(l.Lost))
	}
	if n := l.NotFound(); n > 0 {
		items = append(items, "not found "+units.Count(n)+" (no error)")
	}
	if l.BacklogMax > 0 {
		items = append(items, "longest backlog "+units.Count(l.BacklogMax))
	}
	if t.c.AutoWorkers > 0 {
		items = append(items, units.Plural(l.Workers, "worker")+" in the end")
	}
	return items
}

// stalls returns when the system answered no operation.
func stalls(l *result.Load) []string {
	if l.Stalls == nil {
		return nil
	}
	s := l.Stalls
	return []string{fmt.Sprintf("%s of %s", units.Plural(s.Count, "stall"), s.By), "longest " + units.Time(s.Longest), "in all " + units.Time(s.Total)}
}

// objectives prints what became of them.
func (t *view) objectives(os []result.Outcome) {
	for _, o := range os {
		st := termtext.Red
		switch o.Word() {
		case "met":
			st = termtext.Green
		case "not decided":
			st = termtext.Yellow
		}
		t.Hang(st, "slo: ", fmt.Sprintf("%s %s: %s", o.Objective, o.Word(), o.Text))
	}
}

// leastWall is the time in ns below which the processor time of a run is not shown: the
// kernel counts it in ticks of some milliseconds.
const leastWall = int64(100 * time.Millisecond)

// Overhead returns what tare itself adds to a load run, and how late its generator was, one item each.
func Overhead(s *result.Result) []string { return newView(s, textpage.Options{UTF8: true}).overhead() }

// Plan returns where and how a load run was measured, one item each, without the machine.
func Plan(s *result.Result) []string {
	if s.Run == nil {
		return nil
	}
	t := newView(s, textpage.Options{UTF8: true})
	return slices.DeleteFunc(t.header(), func(item string) bool { return slices.Contains(textpage.Machine(s.Run.Env), item) })
}

// Knee returns the sentence on where a search ended; "" if there was none.
func Knee(s *result.Result) string {
	if s.Knee == nil {
		return ""
	}
	return kneeWords(s.Knee)
}

// overhead returns what tare itself adds.
func (t *view) overhead() []string {
	var items []string
	if x := t.s.Tare.Clock; x > 0 {
		text := "clock " + units.Cost(x)
		if t.c.Clock != "" {
			text += " (" + t.c.Clock + ")"
		}
		items = append(items, text)
	}
	if h := t.s.Tare.Harness; h != nil && h.Operations > 0 {
		items = append(items, harness(h))
	}
	if l := t.s.Load; l != nil {
		if !l.ClosedLoop {
			items = append(items, lateness(l))
		}
		if l.Wall >= leastWall {
			items = append(items, "generator CPU "+units.Fixed(float64(l.Cores), 2)+" cores")
		}
	}
	return append(items, textpage.Overhead(record.Overhead{Steal: t.s.Tare.Steal, Load: t.s.Tare.Load}, false)...)
}

// harness returns what the load generator takes for an operation on a system that does nothing.
func harness(h *record.Harness) string {
	text := "no-op operation " + units.Time(h.Service)
	if h.Response > 0 {
		text += ", " + units.Time(h.Response) + " from the due time"
	}
	return text
}

// fewLate is how many operations a worker must have waited for, for their lateness to speak
// for the others.
const fewLate = 100

// lateness returns how late operations were sent although a worker waited for them.
func lateness(l *result.Load) string {
	worst := l.Lateness
	switch {
	case worst == nil && l.Operations == l.Errors:
		return "lateness not measured (no operation succeeded)"
	case worst == nil:
		return "lateness not measured (no worker was ever idle at due)"
	}
	text := fmt.Sprintf("lateness p50 %s, p99 %s", units.Time(worst.P50), units.Time(worst.P99))
	if worst.Count < fewLate {
		text = "lateness up to " + units.Time(worst.Max) + " (of " + units.Plural(worst.Count, "operation") + " for which a worker waited)"
	}
	return text
}
