package load

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// The codes of the warnings that a run writes at the end of each phase.
const (
	CodeRateMissed     = diagnosis.RateMissed     // the target rate was not achieved: latencies are those of a queue
	CodeUnanswered     = diagnosis.Unanswered     // operations were never answered: latencies are lower bounds
	CodeNotResolvable  = diagnosis.NotResolvable  // a median is below the resolution of the generator and its clock
	CodeGeneratorLate  = diagnosis.GeneratorLate  // waiting workers began late: this machine is too busy
	CodeClockBackwards = diagnosis.ClockBackwards // negative times were taken as 0
	CodeClockJumped    = diagnosis.ClockJumped    // the clock was adjusted during the run
	CodeWorkerHangs    = diagnosis.WorkerHangs    // a worker did not return from an operation that was cancelled
	CodeWorkerFailed   = diagnosis.WorkerFailed   // a worker could not be added
	CodeWorkerClose    = diagnosis.WorkerClose    // a worker could not be closed properly
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
		e.warn(*diagnosis.Warn(diagnosis.ClockBackwards, diagnosis.Facts{"times": n}))
	}
	if n := e.timing.cycles.Jumps(); n > 0 {
		e.warn(*diagnosis.Warn(diagnosis.ClockJumped, diagnosis.Facts{"times": n}))
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
	form := ""
	if sent.dropped > 0 {
		form = "dropped"
	}
	return []record.Warn{*diagnosis.WarnForm(diagnosis.RateMissed, form, diagnosis.Facts{
		"target": fmt.Sprintf("%.4g/s", whole.TargetRate), "achieved": fmt.Sprintf("%.4g/s", whole.Achieved), "dropped": sent.dropped, "more": !c.AutoWorkers,
	})}
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
			out = append(out, *diagnosis.Warn(diagnosis.NotResolvable, diagnosis.Facts{
				"latencies": l.Kind + " " + l.Tag, "median": units.Brief(float64(p50)), "floor": units.Brief(floor), "late": units.Brief(float64(p99)), "clock": units.Brief(cost),
			}))
		}
	}
	if time.Duration(p99) > tooLate {
		out = append(out, *diagnosis.Warn(diagnosis.GeneratorLate, diagnosis.Facts{"late": units.Brief(float64(p99))}))
	}
	return out
}

func workerHangs(n int, age time.Duration) record.Warn {
	due := ""
	if age > 0 {
		due = age.Round(time.Millisecond).String()
	}
	return *diagnosis.Warn(diagnosis.WorkerHangs, diagnosis.Facts{"worker": n, "age": due})
}

func workerFailed(n int, err error) record.Warn {
	return *diagnosis.Warn(diagnosis.WorkerFailed, diagnosis.Facts{"workers": n, "error": Redact("", err.Error())})
}

func workerClose(n int, err error) record.Warn {
	return *diagnosis.Warn(diagnosis.WorkerClose, diagnosis.Facts{"worker": n, "error": Redact("", err.Error())})
}
