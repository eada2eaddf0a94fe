package emptyloop

import (
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
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
		return diagnosis.Warn(diagnosis.NUnused, diagnosis.Facts{"iteration": units.Span(r.Whole), "operations": r.N, "empty": units.Span(r.Floor.Lo * float64(r.N))})
	case r.Floor.Hi > 0 && r.Ns <= emptyFactor*r.Floor.Hi && !r.slowFirst(first):
		return Empty(r.Floor.of(), r.Floor.String())
	case r.Floor.Hi > 0 && r.Ns <= fewFactor*r.Floor.Hi && r.slowFirst(first):
		return r.consumed(first)
	case r.fixed() > 0:
		return r.ofIteration(r.fixed())
	case r.Floor.Measured && r.Ns <= nearFactor*r.Floor.Hi:
		return diagnosis.Warn(diagnosis.NearLoop, diagnosis.Facts{"floor": r.Floor})
	case r.Reset && !r.Busy && first >= longFirst && first >= longRatio*r.Ns:
		return diagnosis.Warn(diagnosis.FirstOperation, diagnosis.Facts{"first": units.Span(first), "others": units.Span(r.Ns)})
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
	return diagnosis.Warn(diagnosis.EmptyLoop, diagnosis.Facts{"loop": of, "figure": figure})
}

// slowFirst reports whether the first operation did work that the others, which are nearly empty, did not do.
func (r Row) slowFirst(first float64) bool {
	return first >= max(slowFirst, slowRatio*r.Ns, firstTimer*r.Floor.First)
}

func (r Row) consumed(first float64) *record.Warn {
	form := "first"
	if r.Reset {
		form = "first-reset"
	}
	return diagnosis.WarnForm(diagnosis.EmptyLoop, form, diagnosis.Facts{"first": units.Span(first), "floor": r.Floor})
}

func (r Row) ofIteration(ns float64) *record.Warn {
	form := ""
	share := ns / (r.Ns * float64(r.N))
	switch {
	case r.Reset:
		form = "reset"
	case share >= allOfIt && !r.Loops:
		form = "unused"
	}
	return diagnosis.WarnForm(diagnosis.FixedCost, form, diagnosis.Facts{"share": units.Percent(min(1, share)), "time": units.Span(ns)})
}
