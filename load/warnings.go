package load

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// The codes of the warnings that a run writes at the end of each phase.
const (
	CodeRateMissed     = "rate-missed"     // the target rate was not achieved: latencies are those of a queue
	CodeUnanswered     = "unanswered"      // operations were never answered: latencies are lower bounds
	CodeNotResolvable  = "not-resolvable"  // a median is below the resolution of the generator and its clock
	CodeGeneratorLate  = "generator-late"  // waiting workers began late: this machine is too busy
	CodeClockBackwards = "clock-backwards" // negative times were taken as 0
	CodeClockJumped    = "clock-jumped"    // the clock was adjusted during the run
	CodeWorkerHangs    = "worker-hangs"    // a worker did not return from an operation that was cancelled
	CodeWorkerFailed   = "worker-failed"   // a worker could not be added
	CodeWorkerClose    = "worker-close"    // a worker could not be closed properly
)

// Limits of the warnings.
const (
	missing = 0.01             // share of the operations that were not sent
	tooLate = time.Millisecond // 99th percentile of the lateness …
	enough  = 100              // … with at least this number of values
)

// writeWarnings writes the warnings that follow from the counts and latencies of the
// phase.
func (e *engine) writeWarnings(whole *Interval) {
	if e.schedule != nil {
		over := whole.Length - int64(float64(e.sent.scheduled)/whole.TargetRate*1e9)
		if e.share != nil { // its operations may be unevenly spaced
			last, _ := e.oldest.to(e.sent.scheduled - 1)
			over = min(over, whole.Length-int64(last)-int64(1e9/whole.TargetRate))
		}
		e.warn(rateMissed(e.config, e.sent, whole, e.cutOff, over)...)
	}
	e.warn(unansweredWarnings(whole)...)
	e.warn(resolutionWarnings(whole.Latencies, e.cost)...)
	if n := e.backwards.Load(); n > 0 {
		e.warn(runWarning(CodeClockBackwards,
			fmt.Sprintf("the clock went backwards %d times; negative times count as 0", n), ""))
	}
	if n := e.timing.cycles.Jumps(); n > 0 {
		e.warn(runWarning(CodeClockJumped,
			fmt.Sprintf("the clock was adjusted %d times by more than 1µs: the machine slept, was migrated, or its time was set", n), ""))
	}
	if e.starting.Load() {
		e.warn(workerFailed(len(e.startedWorkers()), errors.New("it was not ready in time")))
	}
	for _, w := range e.startedWorkers() {
		if age, hangs := e.hanging(w); hangs {
			e.warn(workerHangs(w.n, age))
		}
	}
	e.mu.Lock()
	warnings := e.warnings
	e.mu.Unlock()
	for i := range warnings {
		e.write(&warnings[i])
	}
}

// hanging reports whether a worker was abandoned in an operation, and how long ago
// that was due.
func (e *engine) hanging(w *worker) (age time.Duration, hangs bool) {
	state := w.state.Load()
	if state&1 == 0 || w.cut.Load() || e.running.Load() == 0 {
		return 0, false
	}
	if e.schedule == nil {
		return 0, true
	}
	return time.Duration(e.clock() - w.flight.Load()), true
}

// rateMissed warns if an open loop did not achieve its rate. A run with a duration then
// leaves operations unsent. Any other takes longer than its schedule, by more than the
// longest operation. sent are the counts at the end of sending, over is how many ns longer the phase took than its schedule.
func rateMissed(c Config, sent counts, whole *Interval, cutOff bool, over int64) []record.Warn {
	if sent.scheduled == 0 {
		return nil
	}
	lost := sent.unsent + sent.dropped
	if !cutOff { // those in flight had the time to drain
		lost += whole.Unfinished
	}
	missed := float64(lost) > missing*float64(sent.scheduled)
	if c.Duration == 0 && !cutOff {
		missed = missed || float64(over) > missing*float64(whole.Length) && over > longestService(whole.Latencies)
	}
	if !missed {
		return nil
	}
	text := fmt.Sprintf("target %.4g/s, achieved %.4g/s: the response times are those of a growing queue", whole.TargetRate, whole.Achieved)
	if sent.dropped > 0 {
		text = fmt.Sprintf("target %.4g/s, achieved %.4g/s: %d operations were dropped and have no latencies", whole.TargetRate, whole.Achieved, sent.dropped)
	}
	advice := "use a lower rate"
	if !c.AutoWorkers {
		advice = "use a lower rate, or more workers if the system can serve them"
	}
	return []record.Warn{runWarning(CodeRateMissed, text, advice)}
}

// longestService returns the longest service time in ns.
func longestService(all []Latency) (most int64) {
	for _, l := range all {
		if l.Tag == record.TagService {
			most = max(most, l.Hist.Max())
		}
	}
	return most
}

// resolutionWarnings warns about medians below the resolution of the generator. cost is that of a clock reading, ns.
func resolutionWarnings(all []Latency, cost float64) (out []record.Warn) {
	late := new(hist.Histogram)
	for _, l := range all {
		if l.Tag == record.TagLateness {
			if err := late.Merge(l.Hist); err != nil {
				return nil
			}
		}
	}
	p99 := int64(0)
	if late.Count() >= enough {
		p99 = late.Percentiles().P99
	}
	for _, l := range all {
		var floor float64
		switch l.Tag {
		case record.TagResponse:
			floor = max(float64(p99), cost)
		case record.TagService: // counts from the start
			floor = cost
		default:
			continue
		}
		if p50 := l.Hist.Percentiles().P50; float64(p50) < floor {
			out = append(out, runWarning(CodeNotResolvable, fmt.Sprintf(
				"%s %s: the median of %s is below the resolution of this run, %s (lateness p99 %s, clock %s)",
				l.Kind, l.Tag, units.Brief(float64(p50)), units.Brief(floor), units.Brief(float64(p99)), units.Brief(cost)), ""))
		}
	}
	if time.Duration(p99) > tooLate {
		out = append(out, runWarning(CodeGeneratorLate,
			fmt.Sprintf("1 in 100 operations began more than %s late although a worker was waiting: the response times include this delay of the load generator", units.Brief(float64(p99))),
			"stop other programs on this machine, or run tare on a machine of its own"))
	}
	return out
}

func runWarning(code, text, advice string) record.Warn {
	return record.Warn{About: record.AboutRun, Code: code, Text: text, Advice: advice}
}

func workerHangs(n int, age time.Duration) record.Warn {
	text := fmt.Sprintf("worker %d has not returned from a cancelled operation", n)
	if age > 0 {
		text += fmt.Sprintf(", due %v ago", age.Round(time.Millisecond))
	}
	return runWarning(CodeWorkerHangs, text+": it was abandoned", "set a timeout for operations")
}

func workerFailed(n int, err error) record.Warn {
	return runWarning(CodeWorkerFailed,
		fmt.Sprintf("%d workers: no further worker could be added: %s", n, Redact("", err.Error())),
		"allow fewer outstanding operations than the system accepts")
}

func workerClose(n int, err error) record.Warn {
	return runWarning(CodeWorkerClose, fmt.Sprintf("worker %d could not be closed: %s", n, Redact("", err.Error())), "")
}
