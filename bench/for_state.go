package bench

import (
	"slices"
	"time"
)

// Lengths of a batch. The one clock read, about 25 ns, is a thousandth of the shortest. The longest is short
// against a scheduler's time slice, so that a preemption affects only one batch of many.
const (
	forBatchLeast = 25 * time.Microsecond // shorter batches are doubled,
	forBatchMost  = 4 * forBatchLeast     // longer ones halved
	forBatchSteps = 50                    // of a coarse clock, at least, in a batch
	forBatchLimit = 1 << 30               // iterations in a batch, in case the clock stands still
	forGroups     = 40
)

// forWorld holds the functions that For calls, so that tests can replace them.
type forWorld struct {
	now          func() int64             // ns
	measureFloor func() (Overhead, int64) // and the clock's step, ns
	collect      func() bool              // reports whether the collection was confirmed
	cycles       func() uint64            // garbage collections so far
}

// forState counts and times the batches.
type forState struct {
	forWorld
	d           int64 // ns
	least, most int64 // ns per batch
	quota       int64 // ns per group

	phase  forPhase
	n      int   // length of the running batch
	start  int64 // of the measured time
	last   int64 // the latest clock reading
	before uint64

	// Batches are joined to groups of about equal duration: enough for an interval, few enough to be kept
	// without allocating.
	groups []forGroup
	group  forGroup // the current one

	result Result
}

type forPhase int

const (
	forCold forPhase = iota // f never ran
	forWarm                 // f ran once
	forMeasuring
)

// forGroup is a sum over batches.
type forGroup struct{ ns, n int64 }

func (g *forGroup) add(o forGroup) { g.ns += o.ns; g.n += o.n }

func newForState(d time.Duration, w forWorld) *forState {
	s := &forState{forWorld: w, d: max(int64(d), 0)}
	s.groups = make([]forGroup, 0, forGroups+2)
	return s
}

// next is called between batches. It returns the number of iterations of the next one, 0 at the end, and
// allocates nothing while measuring.
func (s *forState) next() int {
	switch s.phase {
	case forCold:
		s.phase = forWarm
		s.n = 1
	case forWarm:
		s.begin()
		s.phase = forMeasuring
		s.n = 1
	case forMeasuring:
		now := s.now()
		took := now - s.last
		s.last = now
		s.count(took)
		if now-s.start >= s.d && now > s.start {
			s.end()
			return 0
		}
		s.n = s.resize(took)
	}
	return s.n
}

// begin prepares the measured time and starts it at a step of the clock.
func (s *forState) begin() {
	var step int64
	s.result.Overhead, step = s.measureFloor()
	s.least = max(int64(forBatchLeast), forBatchSteps*step)
	s.most = s.least * int64(forBatchMost/forBatchLeast)
	s.quota = max(s.d/forGroups, s.least)
	s.result.Collected = s.collect()
	s.before = s.cycles()
	s.start = nextClockStep(s.now)
	s.last = s.start
}

// nextClockStep waits for a step of the clock and returns the new time. It gives up on a clock that stands
// still, such as that of a testing/synctest bubble, which moves only when f sleeps.
func nextClockStep(now func() int64) int64 {
	first := now()
	for range 1 << 20 {
		if t := now(); t != first {
			return t
		}
	}
	return first
}

// count adds the finished batch.
func (s *forState) count(took int64) {
	s.result.Reads++
	s.result.Iterations += int64(s.n)
	s.group.add(forGroup{took, int64(s.n)})
	if s.group.ns >= s.quota {
		s.groups = append(s.groups, s.group)
		s.group = forGroup{}
	}
}

// resize returns the number of iterations of the next batch, given the ns that this one took. It adapts
// throughout, because a batch may have been preempted and f may change its speed.
func (s *forState) resize(took int64) int {
	switch {
	case took < s.least && s.n <= forBatchLimit/2:
		return 2 * s.n
	case took > s.most:
		return max(s.n/2, 1)
	}
	return s.n
}

// end computes the result.
func (s *forState) end() {
	r := &s.result
	r.Collections = int(s.cycles() - s.before)
	r.Elapsed = time.Duration(s.last - s.start)
	r.NsPerOp = float64(r.Elapsed) / float64(r.Iterations)
	s.closeGroups()
	values := make([]float64, len(s.groups))
	for i, g := range s.groups {
		values[i] = float64(g.ns) / float64(g.n)
	}
	slices.Sort(values)
	r.Groups = len(values)
	r.Median, r.Lo, r.Hi, r.Confidence = medianInterval(values)
}

// closeGroups adds the last, unfinished group: as its own group, or to the one before if it is short.
func (s *forState) closeGroups() {
	switch k := len(s.groups); {
	case s.group.n == 0:
	case k == 0 || s.group.ns >= s.quota/2:
		s.groups = append(s.groups, s.group)
	default:
		s.groups[k-1].add(s.group)
	}
}
