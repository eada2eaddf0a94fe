package bisect

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// A step of 5 % among 64 commits, by the spread of forks.
func TestFindsStep(t *testing.T) {
	for _, c := range []struct {
		by, cv float64
		most   int // mean forks: about a third above what was seen
	}{{0.05, 0.02, 180}, {0.05, 0.03, 220}, {0.05, 0.05, 400}, {0.05, 0.08, 900}, {0.03, 0.03, 400}, {-0.05, 0.03, 230}} {
		right, forks, built, part, all := 0, 0, 0, 0, []int{}
		n := trials(20)
		for i := range n {
			at := 1 + i*7%64
			r := search(newNoise(uint64(i), c.cv), step(64, at, c.by), Options{Seed: uint64(i)})
			if r.State == Found && r.First == at {
				right++
			} else {
				t.Logf("cv %g: step at %d: %s, first %d of probability %.3f, ratio %.3f [%.3f, %.3f]", c.cv, at, r.State, r.First, r.Probabilities[r.First], r.Ratio, r.Lo, r.Hi)
			}
			if r.Part {
				part++
			}
			forks, built, all = forks+r.Forks, built+r.Built, append(all, r.Forks)
		}
		slices.Sort(all)
		t.Logf("step %g, cv %g: right %d of %d, forks mean %d p95 %d, commits %.1f, part %d", c.by, c.cv, right, n, forks/n, all[len(all)*95/100], float64(built)/float64(n), part)
		atLeast(t, "one step is the whole", n-part, n, 0.95)
		atLeast(t, fmt.Sprintf("step %g, cv %g", c.by, c.cv), right, n, 0.97)
		if forks/n > c.most {
			t.Errorf("step %g, cv %g: %d forks on average", c.by, c.cv, forks/n)
		}
	}
}

// No step: nothing is accused.
func TestFlat(t *testing.T) {
	for _, cv := range []float64{0.02, 0.05, 0.08} {
		accused, forks := 0, 0
		n := trials(40)
		for i := range n {
			r := search(newNoise(uint64(i), cv), step(64, 65, 0), Options{Seed: uint64(i)})
			forks += r.Forks
			if r.State == Found {
				accused++
			}
		}
		t.Logf("cv %g: accused %d of %d, forks mean %d", cv, accused, n, forks/n)
		atLeast(t, fmt.Sprintf("flat, cv %g", cv), n-accused, n, 0.95)
	}
}

// Every binary has a layout of its own. Several random ones of each commit average that out.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		sd      float64
		layouts int
		least   float64
	}{{0.01, 1, 0.7}, {0.01, 8, 0.97}, {0.02, 8, 0.9}} {
		right, forks := 0, 0
		n := trials(40)
		for i := range n {
			at := 1 + i%64
			noise, levels := newNoise(uint64(i), 0.03), step(64, at, 0.05)
			offset := map[[2]int]float64{}
			turn := make([]int, 65)
			s := New(64, Options{Seed: uint64(i)})
			run(s, func(commit int) float64 {
				key := [2]int{commit, turn[commit] % c.layouts}
				turn[commit]++
				if _, ok := offset[key]; !ok {
					offset[key] = math.Exp(c.sd * noise.r.NormFloat64())
				}
				return noise.fork(levels[commit] * offset[key])
			})
			r := s.Done()
			forks += r.Forks
			if r.State == Found && r.First == at {
				right++
			}
		}
		t.Logf("offsets of %g, %d layouts: right %d of %d, forks mean %d", c.sd, c.layouts, right, n, forks/n)
		atLeast(t, fmt.Sprintf("offsets of %g, %d layouts", c.sd, c.layouts), right, n, c.least)
	}
}

// Two steps: one of them is named, and that there are others.
func TestTwoSteps(t *testing.T) {
	for _, by := range []float64{0.05, 0.03} {
		right, part, forks, undecided := 0, 0, 0, 0
		n := trials(60)
		for i := range n {
			a, b := 5+i%20, 35+i%25
			levels := step(64, a, 0.05)
			for c := b; c <= 64; c++ {
				levels[c] *= 1 + by
			}
			r := search(newNoise(uint64(i), 0.03), levels, Options{Seed: uint64(i)})
			forks += r.Forks
			if r.State == Found && (r.First == a || r.First == b) {
				right++
			}
			if r.Part {
				part++
			}
			if r.State == Undecided {
				undecided++
			}
		}
		t.Logf("5 %% and %g: right %d, part %d, undecided %d of %d, forks mean %d", by, right, part, undecided, n, forks/n)
		atLeast(t, "two steps", right, n, 0.95)
		if by == 0.05 {
			atLeast(t, "two steps: reported", part, n, 0.9)
		}
	}
}
