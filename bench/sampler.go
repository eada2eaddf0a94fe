package bench

import (
	"math/rand/v2"

	"github.com/tarebench/tare/internal/base/clock"
)

// A sampler times on average every k-th of a worker's operations, at random steps from k/2 to 3k/2, so that it
// does not fall into step with a period of the operations. k is fixed before the window opens, so that all
// samples have the same weight.
type sampler struct {
	on       bool
	at       int64 // the call of Next whose operation is timed; never outside of the window
	begun    int64 // when that operation began; 0: none is being timed
	k        int64
	overhead int64 // latency of an empty operation, ns
	step     *rand.PCG
	hist     *latencies
}

func (s *sampler) init(w *Worker) {
	s.at = never
	if s.on = w.role.sampled; s.on {
		s.step = rand.NewPCG(uint64(w.win.seed), ^w.seed) // a sequence other than Worker.Rand's
		s.overhead, s.hist = w.win.overhead, &w.hists.service
	}
}

// open draws the first operation to time.
func (s *sampler) open(n, k int64) {
	if s.on {
		s.k = k
		s.at = n + s.draw(k)
	}
}

func (s *sampler) close() { s.at = never }

// nextSlow returns the call of Next at which the sampler must run again.
func (s *sampler) nextSlow(n int64) int64 {
	if s.at == n {
		return n + 1 // to time the end
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
	s.hist.record(max(0, t-s.begun-s.overhead))
	s.begun = 0
}

// draw returns a random number from 0 to n-1, with a bias below n in 2^64.
func (s *sampler) draw(n int64) int64 { return int64(s.step.Uint64() % uint64(n)) }

// shortOperation is the duration from which on all operations are sampled; of shorter ones one is sampled
// every 2 shortOperation. A sample costs about a tenth of it.
const shortOperation = 1000 // ns

// stepFor returns the sampling step for operations of the given ns; 0 means unknown and long.
func stepFor(ns float64) int64 {
	if ns <= 0 || ns >= shortOperation {
		return 1
	}
	return int64(2*shortOperation/max(ns, 0.1)) + 1
}
