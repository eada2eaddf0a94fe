package queues

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/cacheline"
)

// Where cores are near each other, far from each other, and where a measurement was
// disturbed: the time that a cache line takes from one to the other, in nanoseconds.
// FarNs lies in the middle, by ratio, between the two distances that were seen on
// one virtual machine, some 50 and some 250. A line that takes longer than WildNs
// has waited for a thread that was not running.
const (
	FarNs  = 110
	WildNs = 1000
)

// How LineNs measures. The fastest quarter counts, because what disturbs a
// transfer only ever makes it slower.
const (
	lineGroups   = 32
	lineTrips    = 32
	lineAttempts = 4
	linePatience = 5 * time.Millisecond // of an attempt; on a quiet machine it takes a tenth
)

// LineNs returns how many nanoseconds a cache line takes from one core to the
// other: two goroutines write to one word in turn, each when it has seen what the
// other wrote. It takes 0.1 to 1 ms on an idle machine. Where both were put on one
// processor it tries again, up to four times, and then returns more than WildNs. With
// more than two cores it tells of the two that the schedulers have chosen; pin the
// process to two to know which.
func LineNs() float64 {
	ns := math.Inf(1)
	for i := 0; i < lineAttempts && ns > WildNs; i++ {
		ns = min(ns, newLine().measure())
	}
	return min(ns, float64(linePatience))
}

// A line is the word that goes to and fro.
type line struct {
	_     cacheline.Line
	n     atomic.Int64 // odd: the other one's turn; gaveUp: the end
	_     cacheline.Line
	start time.Time
}

const gaveUp = -1

func newLine() *line { return &line{start: time.Now()} }

// measure returns the ns of a transfer, +Inf if it took too long. It does not lock
// its goroutines to threads: a locked one that yields hands its processor on, and
// both then take turns on one while the other is idle.
func (l *line) measure() float64 {
	done := make(chan struct{})
	defer func() {
		l.n.Store(gaveUp)
		<-done
	}()
	go func() {
		defer close(done)
		for i := int64(1); l.await(i); i += 2 {
			l.n.CompareAndSwap(i, i+1) // not if it was given up meanwhile
		}
	}()
	groups := make([]float64, 0, lineGroups)
	for g := range int64(lineGroups) {
		t := time.Now()
		for i := g * lineTrips; i < (g+1)*lineTrips; i++ {
			l.n.Store(2*i + 1)
			if !l.await(2*i + 2) {
				return math.Inf(1)
			}
		}
		groups = append(groups, float64(time.Since(t))/(2*lineTrips))
	}
	slices.Sort(groups)
	return groups[lineGroups/4]
}

// await waits until the word is n, and reports whether it was.
func (l *line) await(n int64) bool {
	for looks := 1; ; looks++ {
		switch l.n.Load() {
		case n:
			return true
		case gaveUp:
			return false
		}
		if looks%(1<<14) == 0 {
			if time.Since(l.start) > linePatience {
				return false
			}
			runtime.Gosched() // with one core, the other is not running
		}
	}
}
