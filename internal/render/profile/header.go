package profile

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// header says how the profile was taken, and what that cost.
func (t *text) header(v *View) {
	h := v.how
	if h == nil {
		return
	}
	what := "sampled by the clock"
	if h.Mode == record.SampledCPU {
		what = "sampled by CPU time"
	}
	from := map[string]string{
		record.SampledPerf: "perf events", record.SampledRuntime: "Go's CPU profiler", record.SampledStacks: "stacks of all goroutines", record.SampledURL: "net/http/pprof",
	}[h.Source]
	line := fmt.Sprintf("%s: %s (%s)", h.Program, what, from)
	if h.Achieved > 0 {
		line += fmt.Sprintf(" every %s, asked for %s", brief(h.Achieved), brief(float64(h.Interval)))
	} else {
		line += fmt.Sprintf(", asked for every %s", brief(float64(h.Interval)))
	}
	t.say("%s; %s in %s", line, units.Plural(h.Samples, "sample"), duration(float64(h.Wall)))
	if s := t.cost(h); s != "" {
		t.say("%s", s)
	}
	for _, p := range h.Rejected {
		t.say("not by %s", p)
	}
	if h.Window == record.AsmRough {
		t.say("in the measured iterations by when their results came: set-up may be among it")
	}
	if h.Stopped >= leastStopped {
		t.say("the timer stood for %s of the iterations: samples at that time do not count", share(h.Stopped, 0))
	}
	t.Blank()
}

// leastStopped is the share of the windows for which the timer must have stood to be told of.
const leastStopped = 0.005

// cost returns what looking took, and what it left out.
func (t *text) cost(h *record.Sampled) string {
	var parts []string
	if h.Goroutines > 0 {
		parts = append(parts, "up to "+units.Plural(h.Goroutines, "goroutine"))
	}
	if h.SampleCost > 0 {
		s := fmt.Sprintf("a sample took %s", duration(h.SampleCost))
		if h.MaxSampleCost > 0 {
			s += fmt.Sprintf(", the longest %s", duration(float64(h.MaxSampleCost)))
		}
		parts = append(parts, s)
	}
	if h.Cost > 0 {
		parts = append(parts, fmt.Sprintf("own cost %.2f %%", 100*h.Cost))
	}
	if h.Skipped > 0 {
		parts = append(parts, units.Plural(h.Skipped, "sample")+" left out to keep that down")
	}
	if h.Spared > 0 {
		parts = append(parts, units.Plural(h.Spared, "sample")+" left out to save room")
	}
	if h.Late > 0 {
		parts = append(parts, fmt.Sprintf("%d late or left out for want of a processor", h.Late))
	}
	if h.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%d lost", h.Lost))
	}
	return strings.Join(parts, "; ")
}

// empty says why there is nothing, and how long it takes to see something.
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
	why := "it ended too soon, or did nothing meanwhile"
	if h.Source == record.SampledURL { // which lives on
		why = "it did nothing that is seen"
		if h.Mode == record.SampledCPU {
			why = "it used no CPU time that was seen"
		}
		if h.Wall > 0 {
			why += " in " + duration(float64(h.Wall))
		}
	}
	t.say("nothing was seen: %s. %d samples need it to %s for %s.", why, enough, of, brief(enough*interval))
	t.Blank()
}

// blind says what looking now and then does not see: in numbers, and in words.
func (t *text) blind(v *View) {
	h := v.how
	if h == nil {
		return
	}
	interval := apart(h)
	var parts []string
	for _, d := range calls(interval) {
		parts = append(parts, fmt.Sprintf("%s %s", brief(float64(d)), strconv.FormatFloat(three(Seen(h, float64(d))), 'f', -1, 64)))
	}
	line := fmt.Sprintf("a call is seen with a probability of its length by %s: %s", brief(interval), strings.Join(parts, ", "))
	if irregular(h) {
		line += fmt.Sprintf("; surely from %s on", brief(interval*(2-shortest)))
	}
	t.say("%s", line)
	for _, b := range h.Limitations {
		t.say("limitations: %s", b)
	}
}

// Seen returns the probability that a call of some ns is seen, if it begins at random between two
// looks. Of looks by the clock, any distance from a 16th to 31 16ths of the interval is as likely as any
// other; all others are taken to be an interval apart.
func Seen(how *record.Sampled, call float64) float64 {
	interval := apart(how)
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

// shortest is the part of the interval that looks by the clock are apart at least.
const shortest = 1.0 / 16

// irregular tells looks by the clock, which are at random distances.
func irregular(h *record.Sampled) bool { return h.Mode == record.SampledWall }

// apart returns how far looks were apart in the mean, ns.
func apart(h *record.Sampled) float64 {
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
