package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// onMachine compares two sides of n forks on a machine of its own speed and noise. change is that of the new side.
func onMachine(r *rand.Rand, n int, change float64) Comparison {
	speed, noise := math.Exp(r.NormFloat64()), 0.01+0.03*r.Float64()
	side := func(factor float64) (f Forks) {
		for range n {
			fork := make([]float64, 4)
			shift := noise / 2 * r.NormFloat64()
			for i := range fork {
				fork[i] = speed * factor * math.Exp(shift+noise*r.ExpFloat64())
			}
			f.Typical = append(f.Typical, Median(fork))
			f.Undisturbed = append(f.Undisturbed, min(fork[0], fork[1], fork[2], fork[3]))
		}
		return f
	}
	old, new := side(1), side(1+change)
	return CompareForks(old, new, Options{Resamples: -1})
}

// TestCombineMachinesCoverage: forks on machines of unlike speed and noise, both sides alike on average. The interval
// holds the mean change, and at most 5 % of the verdicts claim a change.
func TestCombineMachinesCoverage(t *testing.T) {
	trials := testutil.Pick(60, 120)
	for i, sd := range []float64{0, 0.01, 0.05} {
		for _, k := range []int{2, 4, 10} {
			t.Run(fmt.Sprintf("sd=%g/machines=%d", sd, k), func(t *testing.T) {
				r := seeded(uint64(1000 + 100*i + k))
				covered, claimed := 0, 0
				for range trials {
					var cs []Comparison
					for range k {
						cs = append(cs, onMachine(r, 8, math.Expm1(sd*r.NormFloat64())))
					}
					m := CombineMachines(cs, Options{})
					covered += int(indicator(m.Lo <= 1 && 1 <= m.Hi))
					claimed += directional([]Comparison{m.Comparison})
				}
				t.Logf("covered %d, claimed %d of %d", covered, claimed, trials)
				atLeast(t, "covered", covered, trials, 0.94)
				atLeast(t, "no verdict", trials-claimed, trials, 0.95)
			})
		}
	}
}

// TestCombineMachinesVerdicts: a change on all machines is found, and a change that differs is not called one.
func TestCombineMachinesVerdicts(t *testing.T) {
	r := seeded(7)
	on := func(changes ...float64) MachinesComparison {
		var cs []Comparison
		for _, x := range changes {
			cs = append(cs, onMachine(r, 20, x))
		}
		return CombineMachines(cs, Options{})
	}
	if m := on(-0.1, -0.1, -0.1, -0.1); m.Verdict != Faster || m.Over(m.By).Machines != 4 || m.ForksNeeded != 0 {
		t.Errorf("-10 %% on all: %+v", m)
	}
	if m := on(0, 0, 0, 0, 0, 0); m.Verdict != Equivalent {
		t.Errorf("no change on six: %+v", m)
	}
	m := on(-0.2, 0.2, -0.2, 0.2)
	if m.Verdict != Undecided || m.Over(m.By).HomogeneityP > 0.01 || m.Over(m.By).Share < 0.9 {
		t.Errorf("-20 %%, +20 %%: %+v", m)
	}
	if m := on(-0.3); m.Verdict != Undecided || m.Over(m.By).Machines != 1 || m.ForksNeeded != 0 {
		t.Errorf("one machine: %+v", m)
	}
}

// TestCombineMachinesFewForks: a machine with too few forks for an interval is not used, and which ones are is said.
func TestCombineMachinesFewForks(t *testing.T) {
	r := seeded(8)
	cs := []Comparison{onMachine(r, 10, 0), onMachine(r, 3, 0), onMachine(r, 10, 0)}
	m := CombineMachines(cs, Options{})
	if fmt.Sprint(m.Used) != "[0 2]" || m.Over(m.By).Machines != 2 {
		t.Errorf("%+v", m)
	}
}

// TestCombineMachinesMixedTests: where one machine has not compared undisturbed speed, typical speed is combined.
func TestCombineMachinesMixedTests(t *testing.T) {
	r := seeded(9)
	u := Compare(draws(r, normalShape(0.01), 20), draws(r, normalShape(0.01), 20), Options{Resamples: -1})
	m := CombineMachines([]Comparison{onMachine(r, 20, 0), u}, Options{})
	if m.Test != TestMachines || m.Over(m.By).Machines != 2 || m.Confidence != 0.95 {
		t.Errorf("%+v", m)
	}
}

// TestCombineMachinesExact: counts are not weighed.
func TestCombineMachinesExact(t *testing.T) {
	allocs := func(old, new float64) Comparison {
		return Compare([]float64{old, old, old}, []float64{new, new, new}, Options{Exact: true})
	}
	almost := []float64{1000, 1001, 1000, 1002, 1001, 1000, 1000, 1001}
	varying := Compare(almost, almost, Options{Exact: true, Resamples: -1})
	for _, tt := range []struct {
		cs      []Comparison
		verdict Verdict
		lo, hi  float64
	}{
		{[]Comparison{allocs(2, 2), allocs(2, 2)}, Same, 1, 1},
		{[]Comparison{allocs(2, 3), allocs(4, 6)}, More, 1.5, 1.5},
		{[]Comparison{allocs(2, 3), allocs(2, 4)}, More, 1.5, 2},
		{[]Comparison{allocs(2, 3), allocs(2, 1)}, Undecided, 0.5, 1.5},
		{[]Comparison{allocs(2, 2), varying}, Equivalent, varying.Lo, varying.Hi},
		{[]Comparison{varying, allocs(2, 3)}, Undecided, varying.Lo, 1.5},
	} {
		m := CombineMachines(tt.cs, Options{Exact: true})
		if m.Verdict != tt.verdict || m.Lo != tt.lo || m.Hi != tt.hi || !math.IsNaN(m.P) {
			t.Errorf("%v: %+v", tt.verdict, m.Comparison)
		}
		if again := Adjust([]Comparison{m.Comparison}, Holm)[0]; again.Verdict != tt.verdict {
			t.Errorf("%v: corrected to %v", tt.verdict, again.Verdict)
		}
	}
}
