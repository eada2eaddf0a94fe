package stat

import (
	"cmp"
	"math"
	"slices"
)

// Curve is a way in which a cost grows with n.
type Curve string

// The curves, the simplest first. Logarithms are to base 2.
const (
	CurveConstant  Curve = "1"
	CurveLog       Curve = "log n"
	CurveLinear    Curve = "n"
	CurveLinearLog Curve = "n log n"
	CurveQuadratic Curve = "n^2"
	CurveCubic     Curve = "n^3"
)

// Curves returns all curves, the simplest first.
func Curves() []Curve {
	return []Curve{CurveConstant, CurveLog, CurveLinear, CurveLinearLog, CurveQuadratic, CurveCubic}
}

// At returns the value of the curve at n ≥ 1, with coefficient 1. It is NaN for
// a word that is no curve.
func (c Curve) At(n float64) float64 {
	switch c {
	case CurveConstant:
		return 1
	case CurveLog:
		return math.Log2(n)
	case CurveLinear:
		return n
	case CurveLinearLog:
		return n * math.Log2(n)
	case CurveQuadratic:
		return n * n
	case CurveCubic:
		return n * n * n
	}
	return math.NaN()
}

// Obstacle says why no curve is told.
type Obstacle string

// Obstacles.
const (
	FewSizes    Obstacle = "few-sizes"    // less than MinSizes different n
	NarrowSizes Obstacle = "narrow-sizes" // the largest n is less than MinRange times the smallest
	NotPositive Obstacle = "not-positive" // a cost is zero, negative, NaN or infinite, or there is none
	NoCurve     Obstacle = "no-curve"     // the nearest curve misses by more than MaxRMS
)

// What it takes to tell a curve.
const (
	// MinSizes is the least number of different n. A curve with a fixed part
	// has two unknowns and meets any two points; of four, two are left to tell
	// curves apart.
	MinSizes = 4
	// MinRange is the least ratio of the largest n to the smallest. Over a
	// factor of two the logarithm hardly changes: n log n is n within a few
	// percent. From 100 to 1000 the two part by a half.
	MinRange = 10
	// RoughRMS is the RMS from which on a fit is rough. Caches and branch
	// prediction make costs per item change severalfold over some decades, and
	// so does n^1.2 in place of n: the curve is the nearest, and no more.
	RoughRMS = 0.25
	// MaxRMS is the largest RMS with which a curve is told at all: a factor of 3.
	// Sorting the same items again and again, which a processor learns by heart
	// while they are few, comes to 2.6 from n log n; n^1.5 over five decades to
	// 4.3.
	MaxRMS = 2
)

// DefaultComplexityResamples is the number of resamplings used where none is
// given: enough to tell 95 % from 97 %.
const DefaultComplexityResamples = 1000

// Sized is what one size costs.
type Sized struct {
	N      float64   // the size; sizes below 1 are left out
	Values []float64 // one cost per fork
}

// ComplexityOptions say how FitComplexity judges. The zero value is fine.
type ComplexityOptions struct {
	Confidence float64 // of the coefficient's interval; 0 means DefaultConfidence
	Resamples  int     // 0 means DefaultComplexityResamples, a negative value none
	Seed       uint64  // of the resampling
}

// CurveFit is the best of one curve: cost(n) = Fixed + Coefficient·curve(n).
type CurveFit struct {
	Curve       Curve
	Fixed       float64 // in the unit of the costs; 0 where the data do not call for it
	Coefficient float64 // in the unit of the costs, per curve(n); for CurveConstant the cost itself
	// RMS is by how much the curve misses at a typical size, up or down: 0.03 is
	// 3 %, 1 a factor of 2. It is exp(r)-1, where r is the root of the mean
	// square of log(fitted/measured).
	RMS float64
}

// Rough tells whether the curve is just the nearest: it misses by RoughRMS and
// more.
func (f CurveFit) Rough() bool { return f.RMS >= RoughRMS }

// fits tells whether the curve comes near enough to be told.
func (f CurveFit) fits() bool { return f.RMS <= MaxRMS }

// Complexity is how a cost grows with n.
type Complexity struct {
	Curve      Curve      // that was chosen; "" if an Obstacle is in the way
	Obstacle   Obstacle   // "" if a Curve was chosen
	Fit        CurveFit   // of the chosen curve, or the nearest if there is NoCurve; zero for other obstacles
	Lo, Hi     float64    // interval of the coefficient; 0 and +Inf if there is none
	Confidence float64    // level of Lo … Hi; 0: no interval
	Resamples  int        // 0 if nothing was resampled, as when some size has but one fork
	Share      float64    // of the resamplings that choose the same, be it NoCurve
	Rival      Curve      // what the others choose most often; "" for NoCurve, or if there are no others
	RivalShare float64    // of all resamplings
	Sizes      int        // different n that counted
	From, To   float64    // the smallest and the largest of them
	Fits       []CurveFit // the better form of each curve, the simplest curve first
}

// FitComplexity tells by which curve a cost grows with n, from one sample of
// forks for each of several sizes.
//
// Like Google benchmark (src/complexity.cc) it fits each curve by least squares
// and takes the one that misses least. It departs from it where that is known
// to mislead:
//
//   - Errors are those of logarithms. What disturbs benchmarks, noise and caches
//     alike, multiplies costs; a plain sum of squares sees the largest size alone.
//   - A curve may have a fixed part, Fixed ≥ 0, if the data call for it. Calls
//     and allocations cost the same at any n; without it a constant plus n
//     passes for log n or n log n.
//   - Sizes count by what is known of them: each by the spread of its forks, and
//     none as known to better than 1 %, because layout and caches do as much.
//   - What is not plainly better loses to what is simpler: each unknown has to
//     lower the sum of squares by 4 units of noise, and a curve has to beat a
//     simpler one by 2. The unit of noise is that of the forks, or what the best
//     curve still misses by if that is more, as the curves are only models.
//   - "None" is an answer: see Obstacle.
//
// The forks of each size are then resampled: Share says how often the choice
// holds, and Lo … Hi is the percentile interval of the coefficient with the
// chosen curve. Neither knows what is not noise of the forks: a linear cost that
// caches double on the way looks like n log n, over three decades in half of the
// places where that may be, and does so in every resampling. RMS is what hints at
// it.
func FitComplexity(sizes []Sized, o ComplexityOptions) Complexity {
	c := Complexity{Hi: math.Inf(1)}
	sizes = slices.DeleteFunc(slices.Clone(sizes), func(s Sized) bool { return !(s.N >= 1) || math.IsInf(s.N, 0) })
	slices.SortStableFunc(sizes, func(a, b Sized) int { return cmp.Compare(a.N, b.N) })
	for i, s := range sizes {
		if i == 0 || s.N != sizes[i-1].N {
			c.Sizes++
		}
	}
	if len(sizes) > 0 {
		c.From, c.To = sizes[0].N, sizes[len(sizes)-1].N
	}
	costs := medians(sizes)
	switch {
	case c.Sizes < MinSizes:
		c.Obstacle = FewSizes
	case c.To/c.From < MinRange*(1-1e-9):
		c.Obstacle = NarrowSizes
	case costs == nil:
		c.Obstacle = NotPositive
	}
	if c.Obstacle != "" {
		return c
	}
	t := newTrials(sizes, costs)
	c.Fit = t.choose(costs)
	c.Fits = t.all(costs)
	if c.Fit.fits() {
		c.Curve = c.Fit.Curve
	} else {
		c.Obstacle = NoCurve
	}
	t.resample(&c, sizes, o)
	return c
}

// medians returns the cost of each size, or nil if there is one without.
func medians(sizes []Sized) []float64 {
	costs := make([]float64, len(sizes))
	for i, s := range sizes {
		if _, ok := logs(s.Values); !ok || len(s.Values) == 0 {
			return nil
		}
		costs[i] = Median(s.Values)
	}
	return costs
}
