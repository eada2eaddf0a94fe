package bench

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Result is what [For] has measured. Nothing is subtracted from it.
type Result struct {
	Iterations int64         // calls of f in Elapsed, at least 1; the warm-up is not among them
	Elapsed    time.Duration // from a step of the clock to the end of the last batch
	NsPerOp    float64       // Elapsed / Iterations, ns: everything that happened meanwhile is in it

	// The measured time is cut into up to 42 groups of batches of about equal
	// length. Median is the median of their ns per iteration, and Lo … Hi its
	// interval by order statistics, free of any assumption on the shape of
	// their distribution. A NsPerOp far above Hi says that something interfered
	// now and then: preemption, a collection.
	//
	// The interval covers the spread within this process, and nothing else.
	// Groups that follow each other are alike, so even for this process it is
	// rather too narrow. Another process gets other addresses and hash seeds,
	// and its median often lies outside: processes are the sample, groups are
	// not.
	Median, Lo, Hi float64
	Groups         int
	// Confidence is the coverage of Lo … Hi if groups were independent, the
	// smallest there is from 0.95 on. It is 0, and so are Lo and Hi, if there
	// are fewer than 6 groups.
	Confidence float64

	Reads       int64 // readings of the clock in Elapsed: one per batch
	Collections int   // garbage collections that ended in Elapsed
	Collected   bool  // the runtime has counted the collection before the measured time
	Tare        Tare
}

// Tare is what the instrument weighs, in nanoseconds, measured in this process
// just before f.
//
// A Result is not diminished by it, because that overshoots: while a processor
// waits for what the body computes, it works on the loop and the call. A chain of
// 6 cycles took 1.41 ns in a plain loop, 1.41 inlined into For and 1.45 called from a
// variable, where the call of an empty function took 1.17 (BenchmarkFor):
// with that subtracted, four fifths of the body would be gone. The tare is
// the most that the instrument can have added.
type Tare struct {
	Read float64 // one reading of the clock; a batch contains one
	Loop float64 // one trip of an empty loop: what For adds to an f that was inlined
	Call float64 // one call of an empty function from a variable, loop included: what For adds to an f that was not
}

// PerMillisecond returns the iterations per millisecond.
func (r Result) PerMillisecond() float64 {
	return float64(r.Iterations) / (float64(r.Elapsed) / float64(time.Millisecond))
}

// ClockSaved returns the time that reading the clock at each iteration would have
// taken on top: the cost of a reading times the readings that were not made.
func (r Result) ClockSaved() time.Duration {
	return time.Duration(r.Tare.Read * float64(r.Iterations-r.Reads))
}

// String says all of it in a few lines, for people.
func (r Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s ns/op, %s\n", significant(r.NsPerOp, 4), r.interval())
	fmt.Fprintf(&b, "%s in %s s, %s\n", counted(r.Iterations, "iteration"), significant(r.Elapsed.Seconds(), 4),
		counted(int64(r.Collections), "garbage collection"))
	fmt.Fprintf(&b, "clock read %s for %s: %s s saved\n", counted(r.Reads, "time"), counted(r.Iterations, "iteration"),
		significant(r.ClockSaved().Seconds(), 4))
	fmt.Fprintf(&b, "tare, not subtracted: empty loop %s ns, call of an empty function value %s ns, clock read %s ns",
		significant(r.Tare.Loop, 2), significant(r.Tare.Call, 3), significant(r.Tare.Read, 3))
	if !r.Collected {
		b.WriteString("\nthe runtime has not confirmed the garbage collection before the measurement")
	}
	return b.String()
}

func (r Result) interval() string {
	if r.Confidence == 0 {
		return fmt.Sprintf("no interval: %s, 6 are needed; measure longer", counted(int64(r.Groups), "group"))
	}
	return fmt.Sprintf("median %s (%s … %s: %.1f %% over %d groups of this one process; others may lie outside)",
		significant(r.Median, 4), significant(r.Lo, 4), significant(r.Hi, 4), 100*r.Confidence, r.Groups)
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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
