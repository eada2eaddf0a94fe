package stat

import (
	"math"
	"slices"
)

const (
	// minSizeError is the least relative error assumed for a size.
	minSizeError = 0.01
	// unknownPenalty is by how many units of noise an unknown has to lower the sum of
	// squares: 4 is two standard errors of its coefficient.
	unknownPenalty = 4
	// minGain is by how many units of noise a curve has to beat a simpler one.
	minGain = 2
	// maxRelevantGap is by how many units of noise a curve has to be worse than the
	// chosen one to be skipped in resamples: ten standard errors.
	maxRelevantGap = 100
	// maxLogRMSWithFixed is the RMS, on logarithms, from which on a fixed part is not
	// accepted: it then only bends a wrong curve towards the costs.
	maxLogRMSWithFixed = math.Ln2
)

// trials are the fits of all curves to one set of costs. Values that depend on the
// sizes alone are computed once; fitting other costs allocates nothing.
type trials struct {
	curves []Curve
	shapes [][]float64 // of each curve at each size, the largest scaled to 1
	scales []float64   // what they were divided by
	weight []float64   // of each size: one over its squared relative error
	best   []trial     // of each curve
	bare   []trial     // of each curve, without a fixed part
	fixed  []trial     // of each curve, with one
	out    []bool      // curves not to be tried
}

// trial is one fit: fixed + coefficient·shape, and the weighted sum of the squares of
// log(fitted/cost), infinite for a curve that cannot be fitted.
type trial struct {
	fixed, coefficient, squares float64
}

// newTrials prepares the fits for sizes of these costs.
func newTrials(sizes []Sized, costs []float64) *trials {
	t := &trials{curves: Curves(), weight: weights(sizes, costs)}
	for _, c := range t.curves {
		shape := make([]float64, len(sizes))
		for i, s := range sizes {
			shape[i] = c.At(s.N)
		}
		scale := shape[len(shape)-1] // sizes are sorted, and curves rise
		for i := range shape {
			shape[i] /= scale
		}
		t.shapes, t.scales = append(t.shapes, shape), append(t.scales, scale)
	}
	n := len(t.curves)
	t.best, t.bare, t.fixed, t.out = make([]trial, n), make([]trial, n), make([]trial, n), make([]bool, n)
	return t
}

// weights returns 1/error² for each size, where error is that of the median of the
// forks. The spread of a few forks is imprecise itself, so that half of it is the
// spread of all sizes.
func weights(sizes []Sized, costs []float64) []float64 {
	ws, mean := make([]float64, len(sizes)), 0.0
	for i, s := range sizes {
		e := math.Sqrt(math.Pi/2) * madScale * MAD(s.Values) / costs[i]
		ws[i] = e * e / float64(len(s.Values))
		mean += ws[i] / float64(len(sizes))
	}
	for i, w := range ws {
		ws[i] = 1 / ((w+mean)/2 + minSizeError*minSizeError)
	}
	return ws
}

// choose fits all curves and returns the one that the rules of FitComplexity choose.
func (t *trials) choose(costs []float64) CurveFit { return t.scaled(t.pick(costs), costs) }

// pick returns the index of the chosen curve; t.best has the fits.
func (t *trials) pick(costs []float64) int {
	unit := t.fit(costs)
	least := math.Inf(1)
	for i := range t.best {
		least = min(least, t.penalised(i, unit))
	}
	for i := range t.best { // the simplest first
		if t.penalised(i, unit) <= least+minGain {
			return i
		}
	}
	return 0
}

// penalised returns the penalised sum of squares of the better form of a curve, in
// units of noise.
func (t *trials) penalised(i int, unit float64) float64 {
	bad := t.best[i].squares/unit + unknownPenalty
	if t.best[i].fixed > 0 {
		bad += unknownPenalty
	}
	return bad
}

// fit fits all curves in both forms, takes the better form of each, and returns the
// unit of noise. The weights make the noise of the forks 1; if the best curve has a
// larger error, that error is the unit.
func (t *trials) fit(costs []float64) (unit float64) {
	rest := float64(len(costs))
	least, none := math.Inf(1), trial{squares: math.Inf(1)}
	for i, shape := range t.shapes {
		t.bare[i], t.fixed[i] = none, none
		if !t.out[i] {
			t.bare[i], t.fixed[i] = t.solve(shape, costs)
		}
		least = min(least, t.bare[i].squares/(rest-1), t.fixed[i].squares/(rest-2))
	}
	unit = max(1, least)
	for i := range t.best {
		t.best[i] = t.bare[i]
		if (t.bare[i].squares-t.fixed[i].squares)/unit > unknownPenalty {
			t.best[i] = t.fixed[i]
		}
	}
	return unit
}

// solve fits a curve in both forms; neither unknown may be negative.
//
// Without a fixed part the least squares of logarithms have a closed form: the
// coefficient is the weighted geometric mean of cost/shape. With one they are
// approached by the Gauss–Newton method, from the least squares of relative errors,
// which are linear.
func (t *trials) solve(shape, costs []float64) (bare, fixed trial) {
	var sw, sl float64
	for i, w := range t.weight {
		sw, sl = sw+w, sl+w*math.Log(costs[i]/shape[i])
	}
	bare = t.judge(trial{coefficient: math.Exp(sl / sw)}, shape, costs)
	fixed = t.judge(t.step(trial{}, shape, costs), shape, costs)
	for range gaussNewton {
		next := t.judge(t.step(fixed, shape, costs), shape, costs)
		if !(next.squares < fixed.squares-goodEnough) {
			break
		}
		fixed = next
	}
	if fixed.squares > maxLogRMSWithFixed*maxLogRMSWithFixed*sw {
		fixed.squares = math.Inf(1)
	}
	return bare, fixed
}

const (
	// gaussNewton is the most steps that a fit takes: where the curve is near,
	// two will do.
	gaussNewton = 8
	// goodEnough is the gain, in units of noise, that ends the steps.
	goodEnough = 1e-3
)

// step solves for the change of both unknowns that makes the squares of
// log(cost/fitted) least, to the first order; from nothing, for the unknowns
// themselves and the squares of fitted/cost - 1. Where an unknown is not
// positive the result is no trial.
func (t *trials) step(from trial, shape, costs []float64) trial {
	top := costs[len(costs)-1] // keeps the sums within the range of float64
	var suu, suv, svv, su, sv float64
	for i, w := range t.weight {
		at, r := costs[i], 1.0
		if from != (trial{}) {
			at = from.fixed + from.coefficient*shape[i]
			r = math.Log(costs[i] / at)
		}
		u, v := top/at, shape[i]*(top/at)
		suu, suv, svv = suu+w*u*u, suv+w*u*v, svv+w*v*v
		su, sv = su+w*u*r, sv+w*v*r
	}
	det := suu*svv - suv*suv
	if !(det > 1e-12*suu*svv) {
		return trial{}
	}
	return trial{
		fixed:       from.fixed + top*(su*svv-sv*suv)/det,
		coefficient: from.coefficient + top*(sv*suu-su*suv)/det,
	}
}

// judge computes the sum of squares, infinite for an invalid trial.
func (t *trials) judge(x trial, shape, costs []float64) trial {
	if !(x.fixed >= 0 && x.coefficient > 0) {
		return trial{squares: math.Inf(1)}
	}
	x.squares = 0
	for i, w := range t.weight {
		e := math.Log((x.fixed + x.coefficient*shape[i]) / costs[i])
		x.squares += w * e * e
	}
	if math.IsNaN(x.squares) { // n³ may leave the range of float64
		x.squares = math.Inf(1)
	}
	return x
}

// scaled returns the fit of curve i in the units of the caller. Its RMS is NaN or
// infinite if the numbers exceed the range of float64 for all curves.
func (t *trials) scaled(i int, costs []float64) CurveFit {
	x, sum := t.best[i], 0.0
	for k, s := range t.shapes[i] {
		e := math.Log((x.fixed + x.coefficient*s) / costs[k])
		sum += e * e
	}
	return CurveFit{
		Curve: t.curves[i], Fixed: x.fixed, Coefficient: x.coefficient / t.scales[i],
		RMS: math.Expm1(math.Sqrt(sum / float64(len(costs)))),
	}
}

// dropHopeless excludes curves that have no chance against the chosen one.
func (t *trials) dropHopeless(costs []float64) {
	unit := t.fit(costs)
	chosen := t.penalised(t.pick(costs), unit)
	for i := range t.out {
		t.out[i] = t.penalised(i, unit) > chosen+maxRelevantGap
	}
}

// all returns the fits of all curves that could be fitted.
func (t *trials) all(costs []float64) []CurveFit {
	var out []CurveFit
	for i := range t.best {
		if !math.IsInf(t.best[i].squares, 0) {
			out = append(out, t.scaled(i, costs))
		}
	}
	return slices.Clip(out)
}
