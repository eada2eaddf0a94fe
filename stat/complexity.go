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
func Curves() []Curve { return slices.Clone(allCurves[:]) }

var allCurves = [...]Curve{CurveConstant, CurveLog, CurveLinear, CurveLinearLog, CurveQuadratic, CurveCubic}

// exponents are those of n and of its logarithm.
var exponents = map[Curve][2]float64{
	CurveConstant: {0, 0}, CurveLog: {0, 1}, CurveLinear: {1, 0}, CurveLinearLog: {1, 1}, CurveQuadratic: {2, 0}, CurveCubic: {3, 0},
}

// At returns the value of the curve at n ≥ 1, with coefficient 1. It returns NaN for
// an unknown curve.
func (c Curve) At(n float64) float64 {
	if e, known := exponents[c]; known {
		return math.Pow(n, e[0]) * math.Pow(math.Log2(n), e[1])
	}
	return math.NaN()
}

// Obstacle says why no curve was chosen.
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
	// MinSizes is the least number of different n. A curve with a fixed part has two
	// unknowns and fits any two points; four points leave two to distinguish curves.
	MinSizes = 4
	// MinRange is the least ratio of the largest n to the smallest. Over a factor of
	// two the logarithm hardly changes, so that n log n and n agree within a few
	// percent. From 100 to 1000 they differ by a half.
	MinRange = 10
	// RoughRMS is the RMS from which on a fit is rough. Caches and branch prediction
	// change the cost per item severalfold over some decades; n^1.2 in place of n has
	// the same effect. The curve is then only the nearest one.
	RoughRMS = 0.25
	// MaxRMS is the largest RMS with which a curve is chosen: a factor of 3. Sorting
	// the same few items repeatedly, which branch prediction learns, misses n log n
	// by 2.6; n^1.5 over five decades by 4.3.
	MaxRMS = 2
)

// DefaultComplexityResamples is the default number of resamples, enough to
// distinguish 95 % from 97 %.
const DefaultComplexityResamples = 1000

// Sized is the cost at one size.
type Sized struct {
	N      float64   // the size; sizes below 1 are left out
	Values []float64 // one cost per fork
}

// ComplexityOptions are the options of FitComplexity. The zero value has all
// defaults.
type ComplexityOptions struct {
	Confidence float64 // of the coefficient's interval; 0 means DefaultConfidence
	Resamples  int     // 0 means DefaultComplexityResamples, a negative value none
	Seed       uint64  // of the resampling
}

// CurveFit is the best fit of one curve: cost(n) = Fixed + Coefficient·curve(n).
type CurveFit struct {
	Curve       Curve
	Fixed       float64 // in the unit of the costs; 0 if it does not improve the fit enough
	Coefficient float64 // in the unit of the costs, per curve(n); for CurveConstant the cost itself
	// RMS is the typical relative error of the fit at a size, up or down: 0.03 is 3
	// %, 1 a factor of 2. It is exp(r)-1, where r is the root of the mean square of
	// log(fitted/measured).
	RMS float64
}

// Rough reports whether the RMS is RoughRMS or more.
func (f CurveFit) Rough() bool { return f.RMS >= RoughRMS }

// fits reports whether the RMS is at most MaxRMS.
func (f CurveFit) fits() bool { return f.RMS <= MaxRMS }

// Complexity is how a cost grows with n.
type Complexity struct {
	Curve      Curve      // the chosen curve; "" if there is an Obstacle
	Obstacle   Obstacle   // why no curve was chosen; "" if one was
	Fit        CurveFit   // of the chosen curve, or the nearest if there is NoCurve; zero for other obstacles
	Lo, Hi     float64    // interval of the coefficient; 0 and +Inf if there is none
	Confidence float64    // level of Lo … Hi; 0: no interval
	Resamples  int        // 0 if nothing was resampled, as when a size has only one fork
	Share      float64    // share of resamples with the same choice, also of NoCurve
	Rival      Curve      // the most frequent other choice; "" for NoCurve, or if there is none
	RivalShare float64    // share of resamples that choose Rival
	Sizes      int        // number of different n used
	From, To   float64    // the smallest and the largest of them
	Fits       []CurveFit // the better form of each curve, the simplest curve first
}

// FitComplexity returns the curve by which a cost grows with n, from one sample of
// forks for each of several sizes.
//
// Like Google benchmark (src/complexity.cc) it fits each curve by least squares and
// takes the one with the least error. It differs in these points:
//
//   - Errors are those of logarithms: noise and caches multiply costs. A plain sum
//     of squares depends on the largest size alone.
//   - A curve may have a fixed part, Fixed ≥ 0, if it improves the fit enough. Calls
//     and allocations cost the same at any n; without a fixed part, a constant plus
//     n fits log n or n log n.
//   - Sizes are weighted by the spread of their forks. No size has an error below
//     1 %, because layout and caches cause as much.
//   - A simpler curve wins unless the other is clearly better: each unknown has to
//     lower the sum of squares by 4 units of noise, and a curve has to beat a simpler
//     one by 2. The unit of noise is that of the forks, or the error of the best
//     curve if that is larger.
//   - No curve is a possible result: see Obstacle.
//
// The forks of each size are then resampled: Share says how often the choice is the
// same, and Lo … Hi is the percentile interval of the coefficient with the chosen
// curve. Both describe only the noise of the forks. If caches double a linear cost
// between two sizes, the cost fits n log n, over three decades for half of the
// possible places, and it does so in every resample. A high RMS indicates such
// effects.
func FitComplexity(sizes []Sized, o ComplexityOptions) Complexity {
	c := Complexity{Hi: math.Inf(1)}
	sizes = slices.DeleteFunc(slices.Clone(sizes), func(s Sized) bool { return !(s.N >= 1) || math.IsInf(s.N, 0) })
	slices.SortStableFunc(sizes, func(a, b Sized) int { return cmp.Compare(a.N, b.N) })
	c.Sizes = len(slices.CompactFunc(slices.Clone(sizes), func(a, b Sized) bool { return a.N == b.N }))
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
	m := newModel(sizes, costs)
	x := m.choose(costs)
	for i, best := range x.best {
		if !math.IsInf(best.squares, 0) {
			c.Fits = append(c.Fits, m.fit(&x, i, costs))
		}
	}
	c.Fit = m.fit(&x, x.chosen, costs)
	if c.Curve = c.Fit.Curve; !c.Fit.fits() {
		c.Curve, c.Obstacle = "", NoCurve
	}
	// One fork has no spread to resample.
	if !slices.ContainsFunc(sizes, func(s Sized) bool { return len(s.Values) < 2 }) {
		c.Resamples = max(0, cmp.Or(o.Resamples, DefaultComplexityResamples))
	}
	if c.Resamples > 0 {
		m.resample(&c, sizes, &x, o)
	}
	return c
}

// medians returns the median cost of each size, or nil if a size has none.
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
