package bisect

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// noise draws the values of forks on a busy machine: a spread of cv, half of whose variance is shared with the fork
// before (correlation 0.34), and spikes to the right in 7 % of forks.
type noise struct {
	r    *rand.Rand
	cv   float64
	slow float64
}

func newNoise(seed uint64, cv float64) *noise {
	return &noise{r: rand.New(rand.NewPCG(seed, 7)), cv: cv}
}

func (n *noise) fork(level float64) float64 {
	const rho = 0.68 // of the half that is shared, so that of the whole 0.34
	n.slow = rho*n.slow + math.Sqrt(1-rho*rho)*n.r.NormFloat64()
	x := level * math.Exp(n.cv*(n.slow+n.r.NormFloat64())/math.Sqrt2)
	if n.r.Float64() < 0.07 {
		x *= 1 + 3*n.cv*n.r.ExpFloat64()
	}
	return x
}

// step returns levels of n+1 commits, the first at of which are 100.
func step(n, at int, by float64) []float64 {
	levels := make([]float64, n+1)
	for i := range levels {
		levels[i] = 100
		if i >= at {
			levels[i] *= 1 + by
		}
	}
	return levels
}

// search runs a search on levels.
func search(n *noise, levels []float64, o Options) Result {
	s := New(len(levels)-1, o)
	run(s, func(c int) float64 { return n.fork(levels[c]) })
	return s.Done()
}

func run(s *Search, value func(int) float64) {
	for r := s.Next(); len(r.Commits) > 0; r = s.Next() {
		for _, c := range r.Commits {
			s.Add(c, value(c))
		}
	}
}

// trials returns how often to simulate: 1000 times with TARE_SOAK=1.
func trials(short int) int {
	if testutil.Soak() {
		return 1000
	}
	return short
}

// atLeast fails if hits of n are fewer than a rate allows, with a chance of a false alarm of about 1 in 1000.
func atLeast(t *testing.T, what string, hits, n int, rate float64) {
	t.Helper()
	if float64(hits) < rate*float64(n)-3.1*math.Sqrt(rate*(1-rate)*float64(n)) {
		t.Errorf("%s: %d of %d, want %.0f %%", what, hits, n, 100*rate)
	}
}
