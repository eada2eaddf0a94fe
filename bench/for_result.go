package bench

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/units"
)

// Result is the result of [For]. No overhead is subtracted from it.
type Result struct {
	Iterations int64         // calls of f in Elapsed, at least 1, without the warm-up
	Elapsed    time.Duration // from a step of the clock to the end of the last batch
	NsPerOp    float64       // Elapsed / Iterations, ns; includes interruptions

	// The measured time is cut into up to 42 groups of batches of about equal length. Median is the median of
	// their ns per iteration, and Lo … Hi its confidence interval by order statistics, which assumes no shape
	// of their distribution. A NsPerOp far above Hi means occasional interference, such as preemption or a
	// garbage collection.
	//
	// The interval covers only the spread within this process. Consecutive groups are correlated, so it is too
	// narrow even for this process. Another process has other addresses and hash seeds, and its median often
	// lies outside.
	Median, Lo, Hi float64
	Groups         int
	// Confidence is the coverage of Lo … Hi if groups were independent, the smallest possible of at least
	// 0.95. With fewer than 6 groups it is 0, as are Lo and Hi.
	Confidence float64

	Reads       int64 // clock reads in Elapsed: one per batch
	Collections int   // garbage collections that ended in Elapsed
	Collected   bool  // whether the runtime has counted the collection before the measured time
	Overhead    Overhead
}

// Overhead is the time that For itself takes, in ns, measured in this process just before f.
//
// It is an upper bound and not subtracted from a Result, because a processor executes the loop and the call
// while it waits for the body's results. A chain of 6 cycles took 1.41 ns in a plain loop, 1.41 inlined into
// For and 1.45 called from a variable, where the call of an empty function took 1.17 (BenchmarkFor):
// subtracting that would remove four fifths of the body.
type Overhead struct {
	Read float64 // one clock read; a batch contains one
	Loop float64 // one iteration of an empty loop: added to an inlined f
	Call float64 // one call of an empty function from a variable, loop included: added to an f that is not inlined
}

// PerMillisecond returns the iterations per millisecond.
func (r Result) PerMillisecond() float64 {
	return float64(r.Iterations) / (float64(r.Elapsed) / float64(time.Millisecond))
}

// ClockSaved returns the additional time that reading the clock at each iteration would have taken.
func (r Result) ClockSaved() time.Duration {
	return time.Duration(r.Overhead.Read * float64(r.Iterations-r.Reads))
}

// String returns the result in a few lines, for people.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s ns/op, %s\n", units.Significant(r.NsPerOp, 4), r.interval())
	fmt.Fprintf(&b, "%s in %s s, %s\n", units.Plural(r.Iterations, "iteration"), units.Significant(r.Elapsed.Seconds(), 4),
		units.Plural(int64(r.Collections), "garbage collection"))
	fmt.Fprintf(&b, "clock read %s for %s: %s s saved\n", units.Plural(r.Reads, "time"), units.Plural(r.Iterations, "iteration"),
		units.Significant(r.ClockSaved().Seconds(), 4))
	fmt.Fprintf(&b, "overhead (tare), not subtracted: empty loop %s ns, call of an empty function value %s ns, clock read %s ns",
		units.Significant(r.Overhead.Loop, 2), units.Significant(r.Overhead.Call, 3), units.Significant(r.Overhead.Read, 3))
	if !r.Collected {
		b.WriteString("\nthe runtime has not confirmed the garbage collection before the measurement")
	}
	return b.String()
}

func (r Result) interval() string {
	if r.Confidence == 0 {
		return fmt.Sprintf("no interval: %s, 6 are needed; measure longer", units.Plural(int64(r.Groups), "group"))
	}
	return fmt.Sprintf("median %s (%s … %s: %s over %d groups of this one process; others may lie outside)",
		units.Significant(r.Median, 4), units.Significant(r.Lo, 4), units.Significant(r.Hi, 4), units.PercentTo(r.Confidence, 1), r.Groups)
}

// medianInterval returns the median of sorted values and the interval from the
// r-th smallest to the r-th largest, r as large as 95 % coverage allows. For
// any continuous distribution of independent values it holds the median with
// probability 1 − 2·P(Bin(n, ½) < r) (Conover, Practical Nonparametric
// Statistics, 3.2). Fewer than 6 values have no such interval.
func medianInterval(sorted []float64) (median, lo, hi, confidence float64) {
	n := len(sorted)
	median = (sorted[(n-1)/2] + sorted[n/2]) / 2
	term := math.Pow(0.5, float64(n)) // P(Bin = r−1)
	below := term                     // P(Bin < r)
	for r := 1; 2*r <= n && 1-2*below >= 0.95; r++ {
		lo, hi, confidence = sorted[r-1], sorted[n-r], 1-2*below
		term *= float64(n-r+1) / float64(r)
		below += term
	}
	return median, lo, hi, confidence
}
