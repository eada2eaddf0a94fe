package bisect

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// Every place of the step, also next to either end, and searches among very few commits.
func TestStepAnywhere(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for at := 1; at <= n; at++ {
			r := search(newNoise(uint64(n*100+at), 0.02), step(n, at, 0.1), Options{Seed: 1})
			if r.State != Found || r.First != at || len(r.Group) != 1 {
				t.Errorf("step at %d of %d: %+v", at, n, r)
			}
		}
	}
}

// Commits that cannot be measured are skipped. Commits that cannot be distinguished make a group.
func TestSkips(t *testing.T) {
	for _, c := range []struct {
		at, from, to int // commits from … to fail
		group        []int
	}{{20, 18, 22, []int{18, 19, 20, 21, 22, 23}}, {20, 24, 31, []int{20}}, {20, 20, 20, []int{20, 21}}, {20, 1, 19, []int{}}} {
		noise, levels := newNoise(3, 0.02), step(32, c.at, 0.1)
		s := New(32, Options{Seed: 3})
		for r := s.Next(); len(r.Commits) > 0; r = s.Next() {
			for _, x := range r.Commits {
				switch {
				case s.skipped[x] && !(x >= c.from && x <= c.to):
					t.Fatalf("commit %d was skipped", x)
				case x >= c.from && x <= c.to:
					s.Skip(x)
				default:
					s.Add(x, noise.fork(levels[x]))
				}
			}
		}
		r := s.Done()
		if len(c.group) == 0 {
			for a := 1; a <= 20; a++ {
				c.group = append(c.group, a)
			}
		}
		if r.State != Found || !reflect.DeepEqual(r.Group, c.group) {
			t.Errorf("%d … %d fail, step at %d: %+v", c.from, c.to, c.at, r)
		}
		sum := 0.0
		for _, p := range r.Probabilities {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("probabilities sum to %g", sum)
		}
	}
	for _, end := range []int{0, 8} {
		s := New(8, Options{})
		s.Next()
		s.Skip(end)
		if r := s.Next(); len(r.Commits) > 0 || s.Done().State != Unusable {
			t.Errorf("end %d cannot be measured: %+v", end, s.Done())
		}
	}
}

// Commits whose binary is that of the one before are no candidates, and binaries that are all the same need no forks.
func TestJoin(t *testing.T) {
	s := New(32, Options{})
	for a := 2; a <= 32; a++ {
		if a != 9 && a != 20 {
			s.Join(a-1, a)
		}
	}
	noise, levels := newNoise(5, 0.03), step(32, 20, 0.05)
	run(s, func(c int) float64 { return noise.fork(levels[c]) })
	r := s.Done()
	if r.State != Found || !reflect.DeepEqual(r.Group, []int{20}) || r.Built > 8 {
		t.Errorf("%+v", r)
	}
	s = New(32, Options{})
	s.Join(0, 32)
	if r := s.Next(); len(r.Commits) > 0 || s.Done().State != Nothing {
		t.Errorf("equal binaries: %+v", s.Done())
	}
}

// allocs/op: two forks a commit, zeros, a step down, two steps.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		levels []float64
		first  int
		ratio  float64
		part   bool
		state  State
	}{
		{[]float64{3, 3, 3, 3, 4, 4, 4, 4}, 4, 4.0 / 3, false, Found},
		{[]float64{0, 0, 1, 1, 1}, 2, math.Inf(1), false, Found},
		{[]float64{2, 2, 2, 0}, 3, 0, false, Found},
		{[]float64{3, 3, 3, 3}, 0, 1, false, Nothing},
		{[]float64{100, 110, 110, 110, 160, 160, 160, 160, 160}, 4, 160.0 / 110, true, Found},
		{[]float64{100, 100, 150, 150, 150, 200, 200}, 2, 1.5, true, Found},
	} {
		s := New(len(c.levels)-1, Options{Exact: true})
		run(s, func(x int) float64 { return c.levels[x] })
		r := s.Done()
		if r.State != c.state || r.First != c.first || r.Ratio != c.ratio || r.Part != c.part {
			t.Errorf("%v: %+v", c.levels, r)
		}
		if most := 2 * (len(c.levels) + 3); r.Forks > most {
			t.Errorf("%v: %d forks", c.levels, r.Forks)
		}
	}
}

// The same seed and values give the same search.
func TestDeterministic(t *testing.T) {
	a := search(newNoise(1, 0.05), step(64, 40, 0.05), Options{Seed: 9})
	b := search(newNoise(1, 0.05), step(64, 40, 0.05), Options{Seed: 9})
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// Whatever the values are, a search ends, within its forks, with probabilities.
func TestAnyValues(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	draws := []func() float64{
		func() float64 { return 0 },
		func() float64 { return 1 },
		func() float64 { return float64(r.IntN(3)) },
		func() float64 { return r.NormFloat64() },
		func() float64 { return math.Exp(5 * r.NormFloat64()) },
		func() float64 { return math.Copysign(0, -1) },
		func() float64 { return math.MaxFloat64 * r.Float64() },
		func() float64 { return math.NaN() },
	}
	for range 150 {
		n := 1 + r.IntN(20)
		s := New(n, Options{Seed: r.Uint64(), Exact: r.IntN(3) == 0, MaxForks: 600})
		draw := make([]func() float64, n+1)
		for i := range draw {
			draw[i] = draws[r.IntN(len(draws))]
		}
		asked := 0
		for round := s.Next(); len(round.Commits) > 0; round = s.Next() {
			for _, c := range round.Commits {
				if asked++; asked > 3000 {
					t.Fatalf("does not end: %+v", s.Done())
				}
				switch x := draw[c](); {
				case math.IsNaN(x):
					s.Skip(c)
				default:
					s.Add(c, x)
				}
				if r.IntN(50) == 0 && n > 1 {
					i := r.IntN(n)
					s.Join(i, i+1)
				}
			}
		}
		for _, p := range s.Done().Probabilities {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("probability %g: %+v", p, s.Done())
			}
		}
	}
}
