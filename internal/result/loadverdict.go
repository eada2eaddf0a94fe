package result

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// fewFailed is the part of the operations that may fail, or find nothing, without
// a warning about the rest.
const fewFailed = 0.01

// lateShare is the part of the scheduled operations that may be unanswered at
// the end of a run without its rate counting as missed.
const lateShare = 0.01

// verdict returns a sentence: how far the latencies of a phase can be trusted, and whether the target rate was
// missed. typical is the median service time in ns.
func verdict(l *Load, c *record.LoadConfig, typical int64) (missed bool, words string) {
	missed, words = l.verdict(c, typical)
	if loss := l.lostWords(); loss != "" {
		words += "; " + loss
	}
	return missed, words
}

// verdict returns whether the phase missed its target rate, and says so. Operations that were scheduled on lost agents
// do not count: the system never got them.
func (l *Load) verdict(c *record.LoadConfig, typical int64) (missed bool, words string) {
	switch {
	case l.Phase == record.LoadInsert:
		return false, fmt.Sprintf("inserted %s records in %s", units.Count(l.Operations-l.Errors), units.Span(float64(l.Wall)))
	case l.ClosedLoop:
		return false, closedLoop(l, typical)
	}
	target, achieved := units.Rate(l.TargetRate), l.achievedWords()
	lost := l.Scheduled - l.Operations - l.Lost
	switch {
	case l.Operations == 0 && l.Started > 0:
		return true, fmt.Sprintf("target %s, and nothing was answered", target)
	case l.Dropped > l.Unsent && float64(l.Dropped) > lateShare*float64(l.Scheduled):
		return true, fmt.Sprintf("target %s, achieved %s: %s of the operations were dropped because they were too late; the latencies are those of the rest", target, achieved, units.Percent(float64(l.Dropped)/float64(l.Scheduled)))
	case l.lost(lost) && l.Unfinished > l.Unsent:
		return true, fmt.Sprintf("target %s, achieved %s: %s had no answer when the run ended", target, achieved, units.Plural(l.Unfinished, "operation"))
	case l.lost(lost), outlasted(l, c):
		return true, fmt.Sprintf("target %s, achieved %s: the latencies are the growth of a queue, not the speed of the database", target, achieved)
	}
	words = fmt.Sprintf("target %s, achieved %s", target, achieved)
	silent, long := l.silent(typical)
	if silent != "" {
		words += ": " + silent
	}
	if long {
		return true, words
	}
	if float64(l.Errors) > fewFailed*float64(l.Scheduled) {
		l.onlyErrors = true
		return true, words
	}
	if l.Dropped > 0 {
		words += fmt.Sprintf("; %s of the operations were dropped because they were too late", units.Percent(float64(l.Dropped)/float64(l.Scheduled)))
	}
	return false, words
}

// achievedWords returns the achieved rate, and that without errors if there were any.
func (l *Load) achievedWords() string {
	if l.Errors == 0 || l.Operations == 0 {
		return units.Rate(l.Achieved)
	}
	return fmt.Sprintf("%s, %s of it without an error", units.Rate(l.Achieved), units.Rate(l.Achieved*float64(l.Operations-l.Errors)/float64(l.Operations)))
}

// lost reports whether so many operations were not answered that the rate counts as missed.
// Those in flight when a run was cut off may only have been the last: one for each worker. Those that outlived the
// wait at the end of the run were not, nor was a backlog that reaches back for more than a moment.
func (l *Load) lost(n int64) bool {
	many := func(n int64) bool { return float64(n) > lateShare*float64(l.Scheduled) }
	return many(n) && n > int64(l.Workers) ||
		many(l.Unfinished) && l.patience > 0 && l.UnfinishedOldest >= l.patience ||
		many(l.Unsent) && float64(l.UnsentOldest) > lateShare*float64(l.Wall)
}

// closedLoop returns the verdict where nothing was asked for. A stall shows as one slow
// operation of each worker, however many a user would have sent meanwhile.
func closedLoop(l *Load, typical int64) string {
	of := "1 worker"
	if l.Workers > 1 {
		of = fmt.Sprintf("%d workers", l.Workers)
	}
	words := fmt.Sprintf("closed loop, %s: %s", of, l.achievedWords())
	if silent, _ := l.silent(typical); silent != "" {
		words += "; " + silent
	}
	return words + ". Service times only: a worker that waits sends nothing, and what it did not send is missing"
}

// outlasted reports whether so many operations took longer than their schedule.
func outlasted(l *Load, c *record.LoadConfig) bool {
	const slack = 50e6 // ns: the last operations may be under way
	if c.Operations == 0 || c.Duration > 0 || l.TargetRate == 0 || l.Partial {
		return false
	}
	planned := float64(l.Scheduled) / l.TargetRate * 1e9
	return float64(l.Wall) > (1+lateShare)*planned+slack
}

// failures returns the warnings about a phase in which many operations failed or found
// nothing: they are often the fast ones.
func failures(l *Load) []Warning {
	var ws []Warning
	if n := l.Errors; n < l.Operations && float64(n) > fewFailed*float64(l.Operations) { // the command says it of all
		ws = append(ws, WarningOf(diagnosis.Warn(diagnosis.SomeFailed, diagnosis.Facts{"share": units.Percent(float64(n) / float64(l.Operations))})))
	}
	if n := l.NotFound(); float64(n) > fewFailed*float64(l.Operations) {
		ws = append(ws, WarningOf(diagnosis.Warn(diagnosis.NotFound, diagnosis.Facts{"share": units.Percent(float64(n) / float64(l.Operations))})))
	}
	return ws
}

// unresolvable returns the warnings about latencies whose better half is below what can be resolved.
func unresolvable(rows []Latency, l *Load) []Warning {
	var late, short []string
	for _, r := range rows {
		if (r.Kind != record.TagResponse && r.Kind != record.TagService) || r.P50 >= l.FloorOf(r.Kind) || r.IsAtLeast("p50") {
			continue
		}
		if name := r.Name + " " + r.Kind; l.FloorOf(r.Kind) > l.clock {
			late = append(late, name)
		} else {
			short = append(short, name)
		}
	}
	var ws []Warning
	if len(late) > 0 {
		ws = append(ws, WarningOf(diagnosis.WarnForm(diagnosis.NotResolvable, "late", diagnosis.Facts{"latencies": strings.Join(late, ", "), "floor": units.Span(float64(l.Floor))})))
	}
	if len(short) > 0 {
		ws = append(ws, WarningOf(diagnosis.WarnForm(diagnosis.NotResolvable, "clock", diagnosis.Facts{"latencies": strings.Join(short, ", "), "floor": units.Span(float64(l.clock))})))
	}
	return ws
}
