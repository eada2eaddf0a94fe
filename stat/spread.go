package stat

import "math"

// Spread splits the variance of iterations grouped by fork into two
// components, on natural logarithms: Within and Between are standard deviations
// of log values, for small ones the relative standard deviation (0.05 is 5 %).
//
// A field is NaN where the data do not determine it: Within with one iteration per
// fork, Between with one fork, everything with values that are not positive and
// finite. With one iteration per fork Between holds both components together.
type Spread struct {
	Forks   int     // with at least one value
	Values  int     // over all forks
	PerFork float64 // effective iterations per fork: (N - Σn²/N)/(k-1); their number if all are equal
	Within  float64 // sd of the iterations inside a fork
	Between float64 // sd of the true fork values; 0 if the forks differ no more than Within explains
	F       float64 // mean square between forks over mean square within; +Inf if Within is 0
	ICC     float64 // share of Between in the variance of one iteration, 0 … 1
}

// OneWay returns the one-way random-effects analysis of variance of forks of
// iterations. Forks may differ in size: Between is then the analysis-of-variance
// estimator with the effective group size PerFork, which equals the balanced
// formula for equal forks. A negative estimate is set to 0. Empty forks are
// skipped.
//
// Source: Searle, Casella & McCulloch, Variance Components (1992), §3.6;
// Kalibera & Jones, ISMM 2013, for its use.
func OneWay(forks [][]float64) Spread {
	nan := math.NaN()
	s := Spread{PerFork: nan, Within: nan, Between: nan, F: nan, ICC: nan}
	var means, sizes []float64
	within, sum, broken := 0.0, 0.0, false
	for _, fork := range forks {
		if len(fork) == 0 {
			continue
		}
		s.Forks++
		s.Values += len(fork)
		ls, ok := logs(fork)
		if !ok {
			broken = true
			continue
		}
		m, n := mean(ls), float64(len(ls))
		means, sizes = append(means, m), append(sizes, n)
		within += squares(ls, m)
		sum += n * m
	}
	if broken || s.Forks == 0 {
		return s
	}
	all, k := float64(s.Values), float64(s.Forks)
	between, sizes2 := 0.0, 0.0
	for i, m := range means {
		between += sizes[i] * (m - sum/all) * (m - sum/all)
		sizes2 += sizes[i] * sizes[i]
	}
	msw, msb := within/(all-k), between/(k-1) // 0/0 is NaN where there are no degrees of freedom
	s.PerFork = (all - sizes2/all) / (k - 1)
	s.Within = math.Sqrt(msw)
	if s.Values == s.Forks {
		s.Between = math.Sqrt(msb)
		return s
	}
	vb := max(0, (msb-msw)/s.PerFork)
	s.Between = math.Sqrt(vb)
	s.F = msb / msw
	s.ICC = vb / (vb + msw)
	return s
}

// DesignEffect returns 1+(n-1)·ICC: n iterations in each fork are worth this factor
// less than the same number of independent values. n < 1 counts as 1.
func (s Spread) DesignEffect(n float64) float64 {
	return 1 + (max(n, 1)-1)*s.ICC
}

// EffectiveValues returns the number of independent values that forks of n
// iterations each are worth: with ICC 0.76, one fork of 10 is worth 1.28.
func (s Spread) EffectiveValues(forks, n float64) float64 {
	return forks * max(n, 1) / s.DesignEffect(n)
}

// OptimalIterations returns the number of iterations per fork that gives the most
// precise mean for a given time: √(forkCost/iterationCost · Within²/Between²),
// rounded up, at least 1 (Kalibera & Jones, ISMM 2013). A fork costs forkCost before
// its first measured iteration, an iteration costs iterationCost (same unit, for
// example seconds). It returns +Inf if only iterations differ and NaN if a component
// or cost is unknown, a cost is negative or both are zero.
func (s Spread) OptimalIterations(forkCost, iterationCost float64) float64 {
	return optimal(forkCost, iterationCost, s.Within*s.Within, s.Between*s.Between)
}

// optimal returns the repetitions of the lower of two adjacent levels.
func optimal(upperCost, lowerCost, lowerVar, upperVar float64) float64 {
	if !(upperCost >= 0) || !(lowerCost >= 0) {
		return math.NaN()
	}
	if lowerVar == 0 && upperVar == 0 && lowerCost > 0 {
		return 1 // without variance one value suffices
	}
	return max(1, math.Ceil(math.Sqrt(upperCost/lowerCost*(lowerVar/upperVar))))
}
