package calibration

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSearchDisturbed: N is within a factor 2 of that of a quiet machine, whatever the machine does meanwhile.
func TestSearchDisturbed(t *testing.T) {
	const trials = 100
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, target := range []float64{50 * ms, 12.5 * ms} {
		for _, m := range []machine{quiet, twoHogs, fourHogs, withoutCPU(quiet), withoutCPU(twoHogs)} {
			for _, test := range []struct {
				subject
				least      float64 // share within a factor 2
				withoutCPU float64 // the same share if only the wall time is known on a busy machine; 0: least
				// N may be too large beside four busy processes: a sleeping thread's run delay cannot be distinguished from
				// that of a running one.
				overshoot bool
			}{
				{subject{name: "plain, 96 ns", op: 96}, 0.95, 0.8, false},
				{subject{name: "plain, 1 ns", op: 1}, 0.95, 0.8, false},
				{subject{name: "plain, 1 ms", op: 1 * ms}, 0.95, 0.8, false},
				{subject{name: "squared", op: 2, power: 2}, 0.85, 0.8, false},
				{subject{name: "stopped timer", op: 40, untimed: 70 * us}, 0.95, 0.6, false},
				{subject{name: "sleep, 1 ms", op: 1 * ms, sleeps: true}, 0.8, 0.8, true},
				{subject{name: "allocating", op: 400, threads: 1.3, spread: 0.15}, 0.9, 0.7, false},
				{subject{name: "no ns/op", op: 96, silent: true}, 0.9, 0.6, false},
			} {
				least := test.least
				if m.noCPU && m.slice > 0 {
					least = test.withoutCPU
				}
				trial(t, rng, m, test.subject, target, trials, least, test.overshoot && m.slice > 0)
			}
		}
	}
}

// trial searches N some times, and fails if too few of them are within a factor 2 of the true one.
func trial(t *testing.T, rng *rand.Rand, m machine, b subject, target float64, trials int, least float64, overshoot bool) {
	var within float64
	var took, ns []float64
	truth := b.truth(target)
	for range trials {
		r, d := m.search(rng, b, target)
		took, ns = append(took, d), append(ns, float64(r.N)/truth)
		if f := float64(r.N) / truth; f >= 0.5 && (f <= 2 || overshoot) {
			within++
		}
	}
	slices.Sort(ns)
	slices.Sort(took)
	within /= float64(trials)
	mid := trials / 2
	t.Logf("%4g ms, %-22s %-14s within %5.1f %%, N/truth %4.2f .. %4.2f .. %4.2f, took %4.0f .. %5.0f ms",
		target/ms, m.name+":", b.name, 100*within, ns[0], ns[mid], ns[trials-1], took[mid]/ms, took[trials-1]/ms)
	if within < least {
		t.Errorf("%s, %s, %g ms: %.0f %% within a factor 2, want %.0f %%", m.name, b.name, target/ms, 100*within, 100*least)
	}
}

func withoutCPU(m machine) machine {
	m.name += ", no CPU times"
	m.noCPU = true
	return m
}

// TestSearchBrief: without confirmation one look fewer is taken, and on a quiet machine N is right all the same.
func TestSearchBrief(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := subject{op: 1 * ms}
	whole, _ := quiet.search(rng, b, 50*ms)
	s := &Search{target: 50 * ms, Brief: true}
	for n, found := int64(1), false; !found; {
		n, found = s.Next(n, Iterations(quiet.fork(rng, b, n, 3)))
	}
	if r := s.Result(); r.N < 40 || r.N > 60 || r.Confirmed || r.Forks != whole.Forks-1 {
		t.Errorf("%+v after a whole search of %d looks", r, whole.Forks)
	}
}

// TestSearchReports: the result says what decides about shorter iterations, and how long the process waited for a
// processor.
func TestSearchReports(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	plain, _ := quiet.search(rng, subject{op: 96}, 50*ms)
	if plain.Stopped || plain.Untimed > 2*ms || plain.Lost > 1e-6 || !plain.Confirmed {
		t.Errorf("plain, quiet: %+v", plain)
	}
	stopped, _ := quiet.search(rng, subject{op: 40, untimed: 70 * us}, 50*ms)
	if !stopped.Stopped || stopped.Untimed < 40*ms || stopped.Timed > 1*ms {
		t.Errorf("stopped timer: %+v", stopped)
	}
	busy, _ := twoHogs.search(rng, subject{op: 96}, 50*ms)
	if busy.Stopped || busy.Lost < 0.3 || busy.Lost > 0.7 {
		t.Errorf("plain, two hogs: %+v", busy)
	}
}

// TestSearchBlank: results that all arrive together with the first one say nothing, and are asked for again.
func TestSearchBlank(t *testing.T) {
	s := &Search{target: 50 * ms}
	for i := range maxBlank - 1 {
		if n, found := s.Next(1, nil); n != 1 || found {
			t.Fatalf("look %d: %d, %v", i, n, found)
		}
	}
	if n, found := s.Next(1, nil); n <= 1 || found {
		t.Errorf("after %d looks: %d, %v", maxBlank, n, found)
	}
}

func TestRound3(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want int64
	}{
		{0.2, 1}, {1, 1}, {1.2, 2}, {9.99, 10}, {99.1, 100}, {999, 999}, {999.5, 1000}, {1000, 1000}, {1001, 1010}, {123456, 124000}, {99950, 100000}, {5e10, 50000000000},
	} {
		if got := round3(test.x); got != test.want {
			t.Errorf("%g: got %d, want %d", test.x, got, test.want)
		}
	}
}
