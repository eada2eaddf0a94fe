package diagnosis

import (
	"fmt"
	"math"
	"os"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// EnoughStacks is how many samples are enough: with them, a share of a tenth is known to within 3 %.
const EnoughStacks = 100

// tooLate: one in so many samples may come late without a warning.
const tooLate = 20

// coarser is the ratio of the achieved to the target interval above which there is a warning: one sample more
// or less in a short run does not matter.
const coarser = 1.5

// Sampling returns the warnings that follow from how a program was sampled. fork
// says that other forks of the same benchmark count, too; noLog why it is not known when
// the benchmark's timer ran, if there is a reason.
func Sampling(h *record.Sampled, fork bool, noLog error) []*record.Warn {
	var out []*record.Warn
	if x := h.Waited(); x > 0 {
		out = append(out, Warn(LooksStarved, Facts{"running": units.Brief(float64(h.Running)), "cpu": units.Brief(float64(h.CPU)), "share": units.Percent(x)}))
	}
	if h.Samples < EnoughStacks {
		out = append(out, fewSamples(h, fork))
	}
	if h.Skipped > h.Samples {
		out = append(out, Warn(LooksSlowed, Facts{
			"cost": units.Brief(h.SampleCost), "goroutines": units.Plural(h.Goroutines, "goroutine"), "achieved": units.Brief(h.Achieved), "target": units.Brief(float64(h.Interval)),
			"benchmark": ofBenchmark(h), "program": !ofBenchmark(h),
		}))
	}
	if h.Window == record.AsmMarks {
		out = append(out, StoppedTimer(1-h.Unlogged, noLog)...)
	}
	if h.Mode == record.SampledCPU {
		out = append(out, coarse(h)...)
	} else if h.Source == record.SampledURL {
		out = append(out, Warn(LooksOutside, nil))
	}
	return append(out, spoiled(h)...)
}

// ofBenchmark reports whether the windows of a benchmark were sampled.
func ofBenchmark(h *record.Sampled) bool {
	return h.Window == record.AsmMarks || h.Window == record.AsmRough
}

// fewSamples warns of too few samples, and says how long to sample.
func fewSamples(h *record.Sampled, fork bool) *record.Warn {
	form, benchmark, cpu := "", ofBenchmark(h), h.Mode == record.SampledCPU
	took, duration, share := "", "", ""
	switch {
	case h.Samples == 0 && h.Source == record.SampledURL && cpu:
		form = "idle"
		if h.Wall > 0 {
			took = units.Brief(float64(h.Wall))
		}
	case h.Samples == 0:
		form = "none"
	default:
		share = units.PercentTo(math.Sqrt(0.1*0.9/float64(h.Samples)), 0)
	}
	if !benchmark && h.Source == record.SampledURL && h.Samples > 0 && h.Wall > 0 { // it does not end by itself, and may be idle
		duration = fmt.Sprintf("%ds", int64(math.Ceil(float64(h.Wall)*EnoughStacks/float64(h.Samples)/1e9)))
	} else if form != "idle" {
		took = units.Brief(float64(EnoughStacks) * max(h.Achieved, float64(h.Interval)))
	}
	return WarnForm(FewLooks, form, Facts{
		"samples": units.Plural(h.Samples, "sample"), "fork": fork, "error": share,
		"benchmark": benchmark, "program": !benchmark, "enough": EnoughStacks, "time": took, "duration": duration, "cpu": cpu && !benchmark && duration == "",
	})
}

// spoiled warns of samples that are missing or incomplete.
func spoiled(h *record.Sampled) (out []*record.Warn) {
	benchmark := ofBenchmark(h)
	if h.Late > h.Samples/tooLate {
		out = append(out, Warn(LooksLate, Facts{"late": h.Late, "samples": h.Samples + h.Late}))
	}
	if h.Spared > h.Samples/4 {
		out = append(out, Warn(LooksSpared, Facts{"achieved": units.Brief(h.Achieved), "target": units.Brief(float64(h.Interval)), "benchmark": benchmark, "program": !benchmark}))
	}
	if h.Unseen > 0 {
		out = append(out, WarnForm(LooksLost, "full", Facts{"after": units.Brief(float64(h.Wall)), "missing": units.Brief(float64(h.Unseen)), "benchmark": benchmark, "program": !benchmark}))
	}
	if h.Lost > 0 {
		out = append(out, Warn(LooksLost, Facts{"samples": h.Lost, "benchmark": benchmark, "program": !benchmark}))
	}
	if h.Cut > 0 {
		out = append(out, Warn(StacksCut, Facts{"share": fmt.Sprintf("%.2g %%", 100*h.Cut)}))
	}
	return out
}

// coarse warns of an interval of CPU time that was longer than the configured one.
func coarse(h *record.Sampled) []*record.Warn {
	target, form := float64(h.Interval), ""
	switch {
	case h.Achieved == 0 && h.Samples > 0 && h.Interval < defaultSampleInterval:
		form = "unknown"
	case h.Achieved <= coarser*target:
		return nil
	case h.Source == record.SampledURL:
		form = "url"
	case h.Source == record.SampledPerf:
		form = "kernel"
	case h.Interval < defaultSampleInterval:
		form = "ticks"
	}
	return []*record.Warn{WarnForm(LooksCoarse, form, Facts{"target": units.Brief(target), "achieved": units.Brief(h.Achieved)})}
}

// defaultSampleInterval is that of tare sample, ns.
const defaultSampleInterval = 10_000_000

// StoppedTimer returns the warning of a profiler that goes by the log of when a benchmark's timer ran: logged is the share of
// the measured time that is in the log, why is the reason where there is none. It returns nil if all of it is.
func StoppedTimer(logged float64, why error) []*record.Warn {
	switch {
	case logged >= 1:
		return nil
	case logged > 0:
		return []*record.Warn{Warn(ManyStops, Facts{"share": units.PercentTo(logged, 0)})}
	case why != nil:
		return []*record.Warn{Warn(StoppedIncluded, Facts{"why": why, "directory": ""})}
	}
	return []*record.Warn{Warn(StoppedIncluded, Facts{"why": "", "directory": os.TempDir()})}
}
