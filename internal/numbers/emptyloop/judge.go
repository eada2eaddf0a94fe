package emptyloop

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// Codes of the warnings.
const (
	CodeEmptyLoop      = "empty-loop"      // no slower than an empty loop, or nearly so after a slow first operation
	CodeNearLoop       = "near-loop"       // a few empty loops
	CodeFixedCost      = "fixed-cost"      // a large part of an iteration does not depend on N
	CodeUnusedN        = "n-unused"        // an iteration of N operations ends before an empty loop of N could
	CodeFirstOperation = "first-operation" // the first operation of an iteration takes far longer than the others
)

const (
	emptyFactor = 1.2 // times the slowest empty loop: nothing is left of the operation
	nearFactor  = 2   // times the slowest empty loop: half or more of the time may be the loop
	fewFactor   = 4   // times the slowest empty loop, of operations after a slow first one: a test or two in the loop

	slowFirst  = 2_000  // ns, least time of a first operation that does all the work
	firstTimer = 10     // least time of such a first operation, in empty loops of one operation, which start and stop the timer
	slowRatio  = 500    // least time of such a first operation, in times of the other operations
	longFirst  = 20_000 // ns, least time of a first operation that is reported if the others do real work
	longRatio  = 100    // least time of a first operation that is reported then, in times of the other operations

	unusedN = 2   // an iteration ends so many times as fast as the fastest empty loop of N: there is none
	allOfIt = 0.9 // of an iteration: all that it does

	fixedOfOne = 2. / 3 // of an iteration of one operation: two take a third longer at most
	fixedShare = 0.25   // of an iteration, reported from N = 7 on; for a smaller N 2/(N+1), because calibration says less
)

// Row is a benchmark's time with what is known about its loop.
type Row struct {
	Ns    float64 // per operation, the median over forks
	N     int64   // operations of an iteration; 0: not fixed
	Floor Floor
	Tried []record.CalibrationLook // in ascending order of N
	Whole float64                  // of an iteration of N, ns, stopped timers included; 0: not known
	Loops bool                     // the function is known to have a loop over b.N, or of b.Loop
	Reset bool                     // the timer is reset after set-up: for b.Loop, or ResetTimer
	Busy  bool                     // other processes had the processors while N was searched, or while the forks ran
}

// Judge returns what is to be said of a row, nil if nothing.
func Judge(r Row) *record.Warn {
	if !(r.Ns >= 0) {
		return nil
	}
	first := r.first()
	switch {
	case r.Floor.Lo > 0 && r.Whole > 0 && unusedN*r.Whole < r.Floor.Lo*float64(r.N) && unusedN*r.Ns < r.Floor.Lo:
		return warn(CodeUnusedN, fmt.Sprintf("the function does not use b.N: an iteration takes %s, an empty loop of %s operations would take %s", units.Span(r.Whole), units.Count(r.N), units.Span(r.Floor.Lo*float64(r.N))),
			"repeat the operation by for b.Loop(), or for range b.N")
	case r.Floor.Hi > 0 && r.Ns <= emptyFactor*r.Floor.Hi && !r.slowFirst(first):
		return Empty(r.Floor.of(), r.Floor.String())
	case r.Floor.Hi > 0 && r.Ns <= fewFactor*r.Floor.Hi && r.slowFirst(first):
		return r.consumed(first)
	case r.fixed() > 0:
		return r.ofIteration(r.fixed())
	case r.Floor.Measured && r.Ns <= nearFactor*r.Floor.Hi:
		return warn(CodeNearLoop, fmt.Sprintf("little more than an empty loop (%s): half or more of the figure may be the loop", r.Floor),
			"do more work in an operation, and compare differences in ns, not ratios")
	case r.Reset && !r.Busy && first >= longFirst && first >= longRatio*r.Ns:
		return warn(CodeFirstOperation, fmt.Sprintf("the first operation of an iteration takes %s, the others %s", units.Span(first), units.Span(r.Ns)),
			"if the first one uses up an input, the others measure nothing: give each its own; if it fills a cache, all is well")
	}
	return nil
}

// What a floor is measured with.
const (
	EmptyLoop = "an empty loop"
	EmptyBody = "an empty body" // of package bench, in the same roles
)

// Empty returns the warning that a figure is no worse than that of EmptyLoop or EmptyBody.
func Empty(of, figure string) *record.Warn {
	return warn(CodeEmptyLoop, fmt.Sprintf("as fast as %s (%s): the compiler may have removed what should be measured", of, figure),
		"keep the result alive: use for b.Loop(), bench.Sink, or store it in a package variable")
}

func warn(code, text, advice string) *record.Warn {
	return &record.Warn{Code: code, Text: text, Advice: advice}
}

// slowFirst reports whether the first operation did work that the others, which are nearly empty, did not do.
func (r Row) slowFirst(first float64) bool {
	return first >= max(slowFirst, slowRatio*r.Ns, firstTimer*r.Floor.First)
}

func (r Row) consumed(first float64) *record.Warn {
	why, advice := "the work is done once, or it is set-up with the timer on", "give each operation its own input; use for b.Loop(), or b.ResetTimer after set-up"
	if r.Reset {
		why, advice = "the work is done once", "give each operation its own input"
	}
	return warn(CodeEmptyLoop, fmt.Sprintf("the first operation takes %s, the others little more than an empty loop (%s): %s", units.Span(first), r.Floor, why), advice)
}

func (r Row) ofIteration(ns float64) *record.Warn {
	what, advice := "set-up with the timer on, or work that only the first operation does", "use for b.Loop(), or b.ResetTimer after set-up; give each operation its own input"
	if r.Reset {
		what, advice = "work that only the first operation does", "give each operation its own input"
	}
	share := ns / (r.Ns * float64(r.N))
	if share >= allOfIt && !r.Loops && !r.Reset {
		what, advice = "the function does not use b.N, or "+what, "repeat the operation by for b.Loop(), or b.ResetTimer after set-up"
	}
	return warn(CodeFixedCost, fmt.Sprintf("%s of an iteration (%s) does not depend on the number of operations: %s", units.Percent(min(1, share)), units.Span(ns), what),
		advice+"; a larger --time lessens the share")
}
