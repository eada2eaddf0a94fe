package bench

import (
	"slices"
	"time"
)

// How long a batch is. Its one clock reading, some 25 ns, is a thousandth of the
// shortest, and the longest is short against a scheduler's time slice, so that a
// preemption spoils one batch of many.
const (
	forBatchLeast = 25 * time.Microsecond // shorter batches are doubled,
	forBatchMost  = 4 * forBatchLeast     // longer ones halved
	forBatchSteps = 50                    // of a coarse clock, at least, in a batch
	forBatchLimit = 1 << 30               // iterations in a batch, should the clock stand still
	forGroups     = 40
)

// forWorld is all that For asks of the world, so that a test can make its own.
type forWorld struct {
	now     func() int64         // ns
	weigh   func() (Tare, int64) // and the step of the clock, ns
	collect func() bool          // reports whether the collection was confirmed
	cycles  func() uint64        // garbage collections so far
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

	// Batches are joined to groups of about equal length in time: enough of
	// them for an interval, few enough to be kept without allocating.
	groups []forGroup
	group  forGroup // the one that is being filled

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

// next is called between batches and returns the length of the next one, 0 at
// the end. It allocates nothing while measuring.
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

// begin prepares the measured time and starts it, at a step of the clock.
func (s *forState) begin() {
	var step int64
	s.result.Tare, step = s.weigh()
	s.least = max(int64(forBatchLeast), forBatchSteps*step)
	s.most = s.least * int64(forBatchMost/forBatchLeast)
	s.quota = max(s.d/forGroups, s.least)
	s.result.Collected = s.collect()
	s.before = s.cycles()
	s.start = forTransition(s.now)
	s.last = s.start
}

// forTransition waits for a step of the clock and returns the new reading. A
// clock that stands still is given up: it may be the fake one of a
// testing/synctest bubble, which moves only when f sleeps.
func forTransition(now func() int64) int64 {
	first := now()
	for range 1 << 20 {
		if t := now(); t != first {
			return t
		}
	}
	return first
}

// count adds the batch that has ended.
func (s *forState) count(took int64) {
	s.result.Reads++
	s.result.Iterations += int64(s.n)
	s.group.add(forGroup{took, int64(s.n)})
	if s.group.ns >= s.quota {
		s.groups = append(s.groups, s.group)
		s.group = forGroup{}
	}
}

// resize returns the length of the next batch, from what this one took. It goes
// on adapting: a batch may have been preempted, and a body may change its pace.
func (s *forState) resize(took int64) int {
	switch {
	case took < s.least && s.n <= forBatchLimit/2:
		return 2 * s.n
	case took > s.most:
		return max(s.n/2, 1)
	}
	return s.n
}

// end writes the result.
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

// closeGroups puts the rest of the last group where it belongs: a group of its
// own if it is not much shorter than the others.
func (s *forState) closeGroups() {
	switch k := len(s.groups); {
	case s.group.n == 0:
	case k == 0 || s.group.ns >= s.quota/2:
		s.groups = append(s.groups, s.group)
	default:
		s.groups[k-1].add(s.group)
	}
}
