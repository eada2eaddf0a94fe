package bench

import (
	"math/rand/v2"

	"github.com/tarebench/tare/internal/clock"
)

// A sampler times some of a worker's operations: on average every k-th, at steps
// drawn from k/2 to 3k/2, so that it does not lock to a period of what it
// measures. k is fixed before the window opens, so that all samples weigh the
// same.
type sampler struct {
	on    bool
	at    int64 // the call of Next whose operation is timed; never while not counting
	begun int64 // when that operation began; 0: none is being timed
	k     int64
	tare  int64 // what timing an empty operation gives, ns
	step  *rand.PCG
	track *track
}

func (s *sampler) init(w *Worker) {
	s.at = never
	if s.on = w.role.sampled; s.on {
		s.step = rand.NewPCG(uint64(w.win.seed), ^w.seed) // not the numbers of Worker.Rand
		s.tare, s.track = w.win.tare, &w.tracks.service
	}
}

// open begins with an operation that is as random as the steps.
func (s *sampler) open(n, k int64) {
	if s.on {
		s.k = k
		s.at = n + s.draw(k)
	}
}

func (s *sampler) close() { s.at = never }

// until is the call of Next that the sampler needs.
func (s *sampler) until(n int64) int64 {
	if s.at == n {
		return n + 1 // to see the end
	}
	return s.at
}

// begin is the last thing before an operation.
func (s *sampler) begin(n int64) {
	if s.at != n {
		return
	}
	s.at = n + 1
	if s.k > 1 {
		half := s.k / 2
		s.at = n + s.k - half + s.draw(2*half+1)
	}
	s.begun = clock.Now()
}

// end is the first thing after an operation, at time t.
func (s *sampler) end(t int64) {
	if s.begun == 0 {
		return
	}
	s.track.record(max(0, t-s.begun-s.tare))
	s.begun = 0
}

// draw returns a number from 0 to n-1. The remainder favours the small ones by
// less than n in 2^64.
func (s *sampler) draw(n int64) int64 { return int64(s.step.Uint64() % uint64(n)) }

// shortOperation is the length from which on all operations are sampled; shorter
// ones are sampled once in two of it. One sample costs about a tenth of it.
const shortOperation = 1000 // ns

// stepFor is the k for operations that take so many ns; 0 means unknown, which
// is long.
func stepFor(ns float64) int64 {
	if ns <= 0 || ns >= shortOperation {
		return 1
	}
	return int64(2*shortOperation/max(ns, 0.1)) + 1
}
