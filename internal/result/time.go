package result

import (
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// The units of a run of a command, as tare time records them.
const (
	UnitReal        = "real-ns"
	UnitUser        = "user-ns"
	UnitSys         = "sys-ns"
	UnitCPU         = "cpu-ns"           // user and sys; exact where their division is sampled
	UnitCores       = "cores"            // kept busy: cpu / real
	UnitPeak        = "peak-RSS-B"       // of the largest process of a command, not the sum of several
	UnitPeakBelow   = "peak-RSS-below-B" // a bound, of runs whose peak is not known
	UnitMinor       = "minor-faults"
	UnitMajor       = "major-faults"
	UnitVoluntary   = "voluntary-switches"
	UnitInvoluntary = "involuntary-switches"
)

// The units of a run of a Go program that tare has built, as its runtime counts them from the start of the program to
// its end.
const (
	UnitAlloc    = "alloc-B"     // allocated on the heap, including those freed since
	UnitAllocs   = "allocs"      // objects allocated on the heap, including those freed since
	UnitGCCycles = "gc-cycles"   // collections that have ended
	UnitGCPause  = "gc-pause-ns" // time in which these had stopped the world
	UnitGCCPU    = "gc-cpu-ns"   // their CPU time, the runtime's estimate
	UnitProcs    = "gomaxprocs"
	UnitThreads  = "threads"   // that existed at the end
	UnitTotals   = "totals-ns" // what counting takes of the real time
)

// What is known of the CPU time of those threads, and over the threads.
var (
	ThreadTimes   = [...]string{"cpu", "user", "sys"} // cpu is exact, and divided in steps of 10 ms
	ThreadSpreads = [...]string{"sum", "min", "avg", "max"}
)

// UnitThread returns the unit of one of ThreadTimes and one of ThreadSpreads.
func UnitThread(of, how string) string { return "thread-" + of + "-" + how + "-ns" }

// ofRuntime reports whether the unit is one of those.
func ofRuntime(unit string) bool {
	switch unit {
	case UnitAlloc, UnitAllocs, UnitGCCycles, UnitGCPause, UnitGCCPU, UnitProcs, UnitThreads, UnitTotals:
		return true
	}
	return strings.HasPrefix(unit, "thread-")
}

// TimeUnits returns what the record says of those units. The counts of the system differ from
// run to run, so that they are no properties of the command alone. How many processors should
// be busy is a matter of taste.
func TimeUnits() map[string]record.Unit {
	units := map[string]record.Unit{UnitCores: {Assume: record.Nothing}, UnitPeakBelow: {Assume: record.Nothing}}
	for _, u := range []string{UnitMinor, UnitMajor, UnitVoluntary, UnitInvoluntary, UnitAllocs} {
		units[u] = record.Unit{Better: record.Lower, Assume: record.Nothing}
	}
	return units
}

// IsTime reports whether the results are those of commands, as tare time records them.
func (r *Result) IsTime() bool { return record.KindOf(r.Run) == record.KindTime }

// ParamsOf returns the values of the parameters of a command from the name of its case: "n=1 level=9"; "" without
// parameters.
func ParamsOf(name string) string {
	_, params, _ := strings.Cut(name, "/")
	return strings.ReplaceAll(params, "/", " ")
}

// Figure returns a unit of a benchmark, its main one included. It reports false where no fork
// has a value of it.
func (b *Benchmark) Figure(unit string) (Metric, bool) {
	if b.Forks > 0 && b.Unit == unit {
		return Metric{Unit: unit, Interval: b.Interval, Values: b.Values}, true
	}
	for _, m := range b.Metrics {
		if m.Unit == unit && !math.IsNaN(float64(m.Median)) {
			return m, true
		}
	}
	return Metric{}, false
}

// TimeVerdict says which of two commands is faster, and for how much CPU time.
type TimeVerdict struct {
	Side, Base string
	Params     string // values of the parameters with which both were run: "n=1"; "" without
	Verdict    stat.Verdict
	Time       Interval  // real time of Side over that of Base; of a faster Side that of Base over its own
	CPU        *Interval // CPU time of Side over that of Base; nil if it is not known
	MoreRuns   int       // estimate of how many more runs of each would decide; 0 if it is decided, or not known
	Reasons    []string  // why the verdict is not to be trusted
}

// threshold returns the relative change that does not matter.
func (r *Result) threshold() float64 {
	if r.Run != nil && r.Run.Config.Threshold > 0 {
		return r.Run.Config.Threshold
	}
	return stat.DefaultThreshold
}

// TimeVerdicts returns a verdict for each command that is compared.
func (r *Result) TimeVerdicts() []TimeVerdict {
	var out []TimeVerdict
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		if c.Unit != UnitReal {
			continue
		}
		v := TimeVerdict{Side: c.Side, Base: c.Base, Params: ParamsOf(c.Name), Verdict: stat.Verdict(c.Verdict), Time: Interval{c.Ratio, c.Lo, c.Hi}, Reasons: c.DistrustReasons(r.Warnings)}
		switch v.Verdict {
		case stat.Faster:
			v.Time = Interval{1 / c.Ratio, 1 / c.Hi, 1 / c.Lo}
		case stat.Undecided:
			v.MoreRuns = c.moreRuns(r.threshold())
		}
		for _, x := range r.Comparisons {
			if x.Unit == UnitCPU && x.Side == c.Side && x.Base == c.Base && !math.IsNaN(float64(x.Ratio)) {
				v.CPU = &Interval{x.Ratio, x.Lo, x.Hi}
			}
		}
		out = append(out, v)
	}
	return out
}

// The estimate of how many forks a verdict takes assumes that the measured ratio is the true one. If the interval is
// wide, the ratio is hardly known, and a small estimate is likely wrong. It is then not shown: if it asks for less
// than minMoreShare of the existing forks in addition, and the bound is above wideBound times the threshold.
const (
	minMoreShare = 0.5
	wideBound    = 5
)

// MoreForks estimates how many forks each side needs in addition for a verdict. It returns 0 if there is no reliable
// estimate.
func (c *Comparison) MoreForks(threshold float64) int {
	have := min(c.OldN, c.NewN)
	if c.ForksNeeded <= 0 {
		return 0
	}
	more := max(1, c.ForksNeeded-have)
	bound := float64(c.Bound)
	if !math.IsInf(bound, 0) && bound > wideBound*threshold && float64(more) < minMoreShare*float64(have) {
		return 0
	}
	return more
}

// moreRuns is MoreForks for commands. Above 20 it is rounded up to tens, because the estimate is no more precise.
func (c *Comparison) moreRuns(threshold float64) int {
	more := c.MoreForks(threshold)
	if more > 20 {
		more = (more + 9) / 10 * 10
	}
	return more
}

// DistrustReasons returns the texts of the warnings for which the verdict is not trusted. run has the warnings about
// the run.
func (c *Comparison) DistrustReasons(run []Warning) []string {
	var out []string
	for _, code := range c.Reasons {
		text := code
		if i := slices.IndexFunc(c.Warnings, func(w Warning) bool { return w.Code == code }); i >= 0 {
			text = c.Warnings[i].Text
			if side := c.Warnings[i].Side; side != "" {
				text = side + ": " + text
			}
		} else if i := slices.IndexFunc(run, func(w Warning) bool { return w.Code == code }); i >= 0 {
			text = run[i].Text
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
