// Package diagnosis holds the warnings that follow from how a program was sampled.
package diagnosis

import (
	"fmt"
	"math"
	"os"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// Codes of the warnings about call stacks.
const (
	CodeFewLooks = "few-looks"
	CodeWaiting  = "looks-starved"
	CodeSlowed   = "looks-slowed"
	CodeOutside  = "looks-outside"
	CodeCoarse   = "looks-coarse"
	CodeLate     = "looks-late"
	CodeSpared   = "looks-spared"
	CodeLost     = "looks-lost"
	CodeCut      = "stacks-cut"
)

// Codes of the warnings about samples that were taken while a benchmark's timer was stopped.
const (
	CodeStoppedIncluded = "stopped-included" // samples of that time may count, too
	CodeManyStops       = "many-stops"       // the timer was stopped more often than could be noted
)

// FewSamples is how many samples are enough: with them, a share of a tenth is known to within 3 %.
const FewSamples = 100

// tooLate: one in so many samples may come late without a warning.
const tooLate = 20

// coarser is the ratio of the achieved to the target interval above which there is a warning: one sample more
// or less in a short run does not matter.
const coarser = 1.5

// Warnings returns the warnings that follow from how a program was sampled. fork
// says that other forks of the same benchmark count, too; noNotes why it is not known when
// the benchmark's timer ran, if there is a reason.
func Warnings(h *record.Sampled, fork bool, noNotes error) []*record.Warn {
	var out []*record.Warn
	warn := func(code, advice, format string, args ...any) {
		out = append(out, &record.Warn{About: record.AboutFork, Code: code, Text: "sample: " + fmt.Sprintf(format, args...), Advice: advice})
	}
	if x := h.Waited(); x > 0 {
		warn(CodeWaiting, "a quieter machine, or --cpu-time", "other processes had the processors: goroutines were found running for %s, and the program used %s of CPU time. %s of the running time or more was spent waiting for a processor: times and shares of running functions are upper bounds",
			units.Brief(float64(h.Running)), units.Brief(float64(h.CPU)), units.Percent(x))
	}
	if h.Samples < FewSamples {
		fewSamples(h, fork, warn)
	}
	if h.Skipped > h.Samples {
		advice := "a longer --sample-interval can be kept"
		if ofBenchmark(h) {
			advice = "more --prof-forks, or a longer --time, give as many samples"
		}
		warn(CodeSlowed, advice, "a sample took %s with %s: samples were taken every %s instead of every %s, so that they cost no more than 2 %%",
			units.Brief(h.SampleCost), units.Plural(h.Goroutines, "goroutine"), units.Brief(h.Achieved), units.Brief(float64(h.Interval)))
	}
	if h.Window == record.AsmMarks {
		out = append(out, TimerWarnings("sample", 1-h.Unlogged, noNotes)...)
	}
	if h.Mode == record.SampledCPU {
		coarse(h, warn)
	} else if h.Source == record.SampledURL {
		warn(CodeOutside, "--cpu-time --url samples by CPU time, which is not underestimated", "a process that is sampled by its address answers when a processor is free, and goroutines that ran are often asleep by then: by the clock, running is underestimated")
	}
	spoiled(h, warn)
	return out
}

// ofBenchmark reports whether the windows of a benchmark were sampled.
func ofBenchmark(h *record.Sampled) bool {
	return h.Window == record.AsmMarks || h.Window == record.AsmRough
}

// warner adds a warning.
type warner func(code, advice, format string, args ...any)

// fewSamples warns of too few samples.
func fewSamples(h *record.Sampled, fork bool, warn warner) {
	switch {
	case h.Samples == 0 && h.Source == record.SampledURL && h.Mode == record.SampledCPU:
		warn(CodeFewLooks, "sample while it works, or by the clock: --wall --url", "no sample%s: the process used no CPU time", in(h))
		return
	case h.Samples == 0:
		warn(CodeFewLooks, longer(h), "no sample: nothing is known of the program")
		return
	}
	of, by := "", ""
	if fork {
		of, by = " in this fork", " by this fork alone"
	}
	warn(CodeFewLooks, longer(h), "%s%s: a share of 10 %% is known to within ±%s%s", units.Plural(h.Samples, "sample"), of, units.PercentTo(math.Sqrt(0.1*0.9/float64(h.Samples)), 0), by)
}

// in returns how long the program was sampled, if that is known.
func in(h *record.Sampled) string {
	if h.Wall <= 0 {
		return ""
	}
	return " in " + units.Brief(float64(h.Wall))
}

// spoiled warns of samples that are missing or incomplete.
func spoiled(h *record.Sampled, warn warner) {
	shorter := "use a longer --sample-interval, or a shorter run"
	if ofBenchmark(h) {
		shorter = "use a shorter --time"
	}
	if h.Late > h.Samples/tooLate {
		warn(CodeLate, "repeat on a quieter machine, or give tare CAP_SYS_NICE for real-time priority", "%d of %d samples came late or not at all, because other threads had the processors: functions that run when those pause are seen too often", h.Late, h.Samples+h.Late)
	}
	if h.Spared > h.Samples/4 {
		warn(CodeSpared, shorter, "the room for samples became scarce: they were taken less often towards the end, every %s instead of every %s on average", units.Brief(h.Achieved), units.Brief(float64(h.Interval)))
	}
	if h.Unseen > 0 {
		warn(CodeLost, shorter, "the room for samples was full after %s: the last %s of the program are missing", units.Brief(float64(h.Wall)), units.Brief(float64(h.Unseen)))
	}
	if h.Lost > 0 {
		warn(CodeLost, shorter, "%d samples were lost, because there was no room for them", h.Lost)
	}
	if h.Cut > 0 {
		warn(CodeCut, "use the self times", "%.2g %% of the time is in stacks that are too deep: their outer calls are missing, also in totals", 100*h.Cut)
	}
}

// longer returns how long to sample.
func longer(h *record.Sampled) string {
	if ofBenchmark(h) {
		return fmt.Sprintf("use more or longer forks (--prof-forks, --time): %d samples take %s", FewSamples, units.Brief(float64(FewSamples)*max(h.Achieved, float64(h.Interval))))
	}
	if h.Source == record.SampledURL && h.Samples > 0 && h.Wall > 0 { // it does not end by itself, and may be idle
		return fmt.Sprintf("sample for longer: --duration %ds", int64(math.Ceil(float64(h.Wall)*FewSamples/float64(h.Samples)/1e9)))
	}
	of := ""
	if h.Mode == record.SampledCPU {
		of = " of CPU time"
	}
	return fmt.Sprintf("sample for longer: %d samples take %s%s", FewSamples, units.Brief(float64(FewSamples)*max(h.Achieved, float64(h.Interval))), of)
}

// coarse warns of an interval of CPU time that was longer than the configured one.
func coarse(h *record.Sampled, warn warner) {
	target := float64(h.Interval)
	switch {
	case h.Achieved > coarser*target:
		served, advice := "", "a longer --sample-interval can be kept"
		switch {
		case h.Source == record.SampledURL:
			served = "net/http/pprof has a fixed interval"
		case h.Source == record.SampledPerf:
			served = "the kernel does not allow more"
		case h.Interval < defaultSampleInterval:
			served, advice = "Go's profiler samples at the kernel's ticks", "perf events have shorter intervals: tare sample -- PROGRAM"
		default:
			served, advice = "some are missing", "sample for longer"
		}
		warn(CodeCoarse, advice, "target: a sample every %s of CPU time, achieved: one every %s: %s; times are computed from the achieved interval", units.Brief(target), units.Brief(h.Achieved), served)
	case h.Achieved == 0 && h.Samples > 0 && h.Interval < defaultSampleInterval:
		warn(CodeCoarse, "use the shares", "target: a sample every %s of CPU time; the achieved interval is unknown: times are computed from the target, and may be too short", units.Brief(target))
	}
}

// defaultSampleInterval is that of tare sample, ns.
const defaultSampleInterval = 10_000_000

// TimerWarnings returns the warnings of a profiler that goes by notes of when a benchmark's
// timer ran: noted is the share of the measured time that has notes, why is the reason
// where there are none.
func TimerWarnings(profiler string, noted float64, why error) []*record.Warn {
	w := &record.Warn{About: record.AboutFork, Code: CodeStoppedIncluded, Text: profiler + ": when the timer stood is not known: if it did, samples of that time count, too"}
	switch {
	case noted >= 1:
		return nil
	case noted > 0:
		w.Code, w.Advice = CodeManyStops, "a smaller --time, or a smaller N with --benchtime"
		w.Text = fmt.Sprintf("%s: the timer was stopped more often than could be noted: only samples of the first %s of the measured time count, and operations are in proportion", profiler, units.PercentTo(noted, 0))
	case why != nil:
		w.Text += ": " + why.Error()
	default:
		w.Advice = "room for files in " + os.TempDir()
	}
	return []*record.Warn{w}
}
