package profile

import (
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// header writes how the profile was taken, and what sampling cost.
func (t *text) header(v *View) {
	h := v.how
	if h == nil {
		return
	}
	what := "sampled by wall time"
	if h.Mode == record.SampledCPU {
		what = "sampled by CPU time"
	}
	from := map[string]string{
		record.SampledPerf: "perf events", record.SampledRuntime: "Go's CPU profiler", record.SampledStacks: "stacks of all goroutines", record.SampledURL: "net/http/pprof",
	}[h.Source]
	line := fmt.Sprintf("%s: %s (%s)", h.Program, what, from)
	if h.Achieved > 0 {
		line += fmt.Sprintf(" every %s, target %s", units.Brief(h.Achieved), units.Brief(float64(h.Interval)))
	} else {
		line += fmt.Sprintf(", target interval %s", units.Brief(float64(h.Interval)))
	}
	t.say("%s; %s in %s", line, units.Plural(h.Samples, "sample"), duration(float64(h.Wall)))
	if s := t.cost(h); s != "" {
		t.say("%s", s)
	}
	for _, p := range h.Rejected {
		t.say("%s", textpage.Rejected(p, ""))
	}
	if h.Window == record.AsmRough {
		t.say("the measured iterations are found by the time of their results: samples of set-up may be included")
	}
	if h.Stopped >= leastStopped {
		t.say("the timer was stopped for %s of the iterations: samples of that time do not count", share(h.Stopped, 0))
	}
	t.Blank()
}

// leastStopped is the share of the windows in which the timer was stopped from which on that is reported.
const leastStopped = 0.005

// cost returns what sampling took, and which samples were skipped or lost.
func (t *text) cost(h *record.Sampled) string {
	var parts []string
	if h.Goroutines > 0 {
		parts = append(parts, "up to "+units.Plural(h.Goroutines, "goroutine"))
	}
	if h.SampleCost > 0 && h.Samples > 0 {
		s := fmt.Sprintf("a sample took %s", duration(h.SampleCost))
		if h.MaxSampleCost > 0 {
			s += fmt.Sprintf(", the longest %s", duration(float64(h.MaxSampleCost)))
		}
		parts = append(parts, s)
	}
	if h.Cost > 0 {
		parts = append(parts, "overhead "+units.PercentTo(h.Cost, 2))
	}
	if h.Skipped > 0 {
		parts = append(parts, units.Plural(h.Skipped, "sample")+" skipped to limit the overhead")
	}
	if h.Spared > 0 {
		parts = append(parts, units.Plural(h.Spared, "sample")+" skipped to limit memory")
	}
	if h.Late > 0 {
		parts = append(parts, fmt.Sprintf("%d late or skipped because no processor was free", h.Late))
	}
	if h.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%d lost", h.Lost))
	}
	return strings.Join(parts, "; ")
}

// empty writes why there are no samples, and how long 100 samples take.
func (t *text) empty(v *View) {
	h := v.how
	if h == nil {
		t.say("no samples")
		t.Blank()
		return
	}
	const enough = 100
	interval := max(h.Achieved, float64(h.Interval))
	of := "run"
	if h.Mode == record.SampledCPU {
		of = "use CPU time"
	}
	why := "the program ended too soon, or was idle"
	if h.Source == record.SampledURL { // which lives on
		why = "the process was idle"
		if h.Mode == record.SampledCPU {
			why = "the process used no CPU time"
		}
		if h.Wall > 0 {
			why += " in " + duration(float64(h.Wall))
		}
	}
	t.say("no samples: %s. For %d samples it must %s for %s.", why, enough, of, units.Brief(enough*interval))
	t.Blank()
}

// blind writes the probability that calls are sampled, and the limitations of the sampler.
func (t *text) blind(v *View) {
	h := v.how
	if h == nil {
		return
	}
	interval := meanInterval(h)
	var parts []string
	for _, d := range calls(interval) {
		parts = append(parts, units.Brief(float64(d))+" "+units.Trimmed(Seen(h, float64(d)), 3))
	}
	line := fmt.Sprintf("probability that a call is sampled, at an interval of %s: %s", units.Brief(interval), strings.Join(parts, ", "))
	if irregular(h) {
		line += fmt.Sprintf("; certain from %s on", units.Brief(interval*(2-shortest)))
	}
	t.say("%s", line)
	for _, b := range h.Limitations {
		t.say("limitations: %s", b)
	}
}

// Seen returns the probability that a call of some ns is sampled, if it begins at a random time between two
// samples. By wall time, the distance of two samples is uniformly distributed from 1/16 to 31/16 of the interval;
// by CPU time it is taken to be one interval.
func Seen(how *record.Sampled, call float64) float64 {
	interval := meanInterval(how)
	if interval <= 0 {
		return 1
	}
	d := max(call, 0) / interval
	if irregular(how) && d > shortest { // some are longer than the call although the mean is not
		longest := 2 - shortest
		return 1 - (longest-min(d, longest))*(longest-min(d, longest))/(4*(1-shortest))
	}
	return min(1, d)
}

// shortest is the least distance of two samples by wall time, as a share of the interval.
const shortest = 1.0 / 16

// irregular reports whether the distances of samples are random, as by wall time.
func irregular(h *record.Sampled) bool { return h.Mode == record.SampledWall }

// meanInterval returns the mean distance of samples in ns.
func meanInterval(h *record.Sampled) float64 {
	if h.Achieved > 0 {
		return h.Achieved
	}
	return float64(h.Interval)
}

// calls are lengths of calls well below an interval, in steps of ten.
func calls(interval float64) (out []time.Duration) {
	const steps = 3
	for d := 10 * time.Second; d >= 10*time.Nanosecond && len(out) < steps; d /= 10 {
		if float64(d) < interval/2 {
			out = append(out, d)
		}
	}
	return out
}
