package stat

import (
	"cmp"
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
	// gaussNewton is the most steps that a fit takes: where the curve is near,
	// two will do.
	gaussNewton = 8
	// goodEnough is the gain, in units of noise, that ends the steps.
	goodEnough = 1e-3
)

// model is what fits of all curves to costs at the same sizes have in common.
type model struct {
	curves []Curve
	shapes [][]float64 // of each curve at each size, the largest scaled to 1
	scales []float64   // what they were divided by
	weight []float64   // of each size: one over its squared relative error
	equal  []float64   // the same for each size, 1 in all
	skip   [len(allCurves)]bool
}

// form is one fit: fixed + coefficient·shape, and the weighted sum of the squares of
// log(fitted/cost), infinite for a curve that cannot be fitted.
type form struct {
	fixed, coefficient, squares float64
}

// choice is the fits of all curves to some costs, and the index of the one that the rules of FitComplexity choose.
type choice struct {
	bare, fixed, best [len(allCurves)]form    // without a fixed part, with one, the better of both
	penalised         [len(allCurves)]float64 // squares of the best, in units of noise, with the penalty of its unknowns
	chosen            int
}

// newModel prepares fits for sizes of these costs.
func newModel(sizes []Sized, costs []float64) *model {
	m := &model{curves: Curves(), weight: weights(sizes, costs), equal: slices.Repeat([]float64{1 / float64(len(sizes))}, len(sizes))}
	largest := sizes[len(sizes)-1].N // sizes are sorted, and curves rise
	for _, c := range m.curves {
		var shape []float64
		for _, s := range sizes {
			shape = append(shape, c.At(s.N)/c.At(largest))
		}
		m.shapes, m.scales = append(m.shapes, shape), append(m.scales, c.At(largest))
	}
	return m
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

// choose fits all curves in both forms, takes the better form of each, and chooses. Sums of squares are compared in
// units of noise. The weights make the noise of the forks 1; if the best curve has a larger error, that error is the
// unit.
func (m *model) choose(costs []float64) (x choice) {
	rest, unit := float64(len(costs)), math.Inf(1)
	for i, shape := range m.shapes {
		x.bare[i].squares, x.fixed[i].squares = math.Inf(1), math.Inf(1)
		if !m.skip[i] {
			x.bare[i], x.fixed[i] = m.solve(shape, costs)
		}
		unit = min(unit, x.bare[i].squares/(rest-1), x.fixed[i].squares/(rest-2))
	}
	unit = max(1, unit)
	for i := range x.best {
		x.best[i], x.penalised[i] = x.bare[i], x.bare[i].squares/unit+unknownPenalty
		if with := x.fixed[i].squares/unit + 2*unknownPenalty; with < x.penalised[i] {
			x.best[i], x.penalised[i] = x.fixed[i], with
		}
	}
	least := slices.Min(x.penalised[:])
	x.chosen = slices.IndexFunc(x.penalised[:], func(p float64) bool { return p <= least+minGain }) // the simplest first
	return x
}

// solve fits a curve in both forms; neither unknown may be negative.
//
// Without a fixed part the least squares of logarithms have a closed form: the
// coefficient is the weighted geometric mean of cost/shape. With one they are
// approached by the Gauss–Newton method, from the least squares of relative errors,
// which are linear.
func (m *model) solve(shape, costs []float64) (bare, fixed form) {
	var sw, sl float64
	for i, w := range m.weight {
		sw, sl = sw+w, sl+w*math.Log(costs[i]/shape[i])
	}
	bare = m.judge(form{coefficient: math.Exp(sl / sw)}, shape, costs)
	fixed = m.judge(m.step(form{}, shape, costs), shape, costs)
	for range gaussNewton {
		next := m.judge(m.step(fixed, shape, costs), shape, costs)
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

// step solves for the change of both unknowns that makes the squares of
// log(cost/fitted) least, to the first order; from nothing, for the unknowns
// themselves and the squares of fitted/cost - 1. Where an unknown is not
// positive the result is no fit.
func (m *model) step(from form, shape, costs []float64) form {
	top := costs[len(costs)-1] // keeps the sums within the range of float64
	var suu, suv, svv, su, sv float64
	for i, w := range m.weight {
		at, r := costs[i], 1.0
		if from != (form{}) {
			at = from.fixed + from.coefficient*shape[i]
			r = math.Log(costs[i] / at)
		}
		u, v := top/at, shape[i]*(top/at)
		suu, suv, svv = suu+w*u*u, suv+w*u*v, svv+w*v*v
		su, sv = su+w*u*r, sv+w*v*r
	}
	det := suu*svv - suv*suv
	if !(det > 1e-12*suu*svv) {
		return form{}
	}
	return form{
		fixed:       from.fixed + top*(su*svv-sv*suv)/det,
		coefficient: from.coefficient + top*(sv*suu-su*suv)/det,
	}
}

// judge computes the sum of squares, infinite for an invalid fit. n³ may leave the range of float64.
func (m *model) judge(x form, shape, costs []float64) form {
	x.squares = misses(x, shape, costs, m.weight)
	if !(x.fixed >= 0 && x.coefficient > 0) || math.IsNaN(x.squares) {
		return form{squares: math.Inf(1)}
	}
	return x
}

// misses returns the sum of the squares of log(fitted/cost).
func misses(x form, shape, costs, weight []float64) (sum float64) {
	for i, w := range weight {
		e := math.Log((x.fixed + x.coefficient*shape[i]) / costs[i])
		sum += w * e * e
	}
	return sum
}

// fit returns the fit of curve i in the units of the caller. Its RMS is NaN or
// infinite if the numbers exceed the range of float64 for all curves.
func (m *model) fit(x choice, i int, costs []float64) CurveFit {
	best := x.best[i]
	return CurveFit{
		Curve: m.curves[i], Fixed: best.fixed, Coefficient: best.coefficient / m.scales[i],
		RMS: math.Expm1(math.Sqrt(misses(best, m.shapes[i], costs, m.equal))),
	}
}

// fits returns the fits of all curves that could be fitted.
func (m *model) fits(x choice, costs []float64) (out []CurveFit) {
	for i, best := range x.best {
		if !math.IsInf(best.squares, 0) {
			out = append(out, m.fit(x, i, costs))
		}
	}
	return slices.Clip(out)
}

// resample draws the medians of resampled forks of every size, chooses a curve for
// each resample, and sets the fields of c that describe the choices.
func (m *model) resample(c *Complexity, sizes []Sized, o ComplexityOptions) {
	n := cmp.Or(o.Resamples, DefaultComplexityResamples)
	var draws []medianDraw
	for _, s := range sizes {
		if len(s.Values) < 2 {
			n = 0 // one fork has no spread to resample
		}
		draws = append(draws, newMedianDraw(sorted(s.Values)))
	}
	if n <= 0 {
		return
	}
	c.Resamples = n
	x := m.choose(medians(sizes))
	for i := range m.skip {
		m.skip[i] = x.penalised[i] > x.penalised[x.chosen]+maxRelevantGap
	}
	counts, coefficients := map[Curve]int{}, make([]float64, n) // "" counts those without a curve
	chosen := slices.Index(m.curves, c.Fit.Curve)
	costs, u := make([]float64, len(sizes)), newUniform(o.Seed)
	for k := range n {
		for i := range draws {
			costs[i] = draws[i].draw(u)
		}
		x := m.choose(costs)
		if f := m.fit(x, x.chosen, costs); f.fits() {
			counts[f.Curve]++
		} else {
			counts[""]++
		}
		same := x.fixed[chosen]
		if c.Fit.Fixed == 0 || math.IsInf(same.squares, 0) {
			same = x.bare[chosen]
		}
		coefficients[k] = same.coefficient / m.scales[chosen]
	}
	c.count(counts)
	if alpha := alphaOf(cmp.Or(o.Confidence, DefaultConfidence)); alpha > 0 && alpha < 1 {
		c.Lo, c.Hi = percentiles(coefficients, alpha)
		c.Confidence = 1 - alpha
	}
}

// count turns choices into shares.
func (c *Complexity) count(choices map[Curve]int) {
	most := 0
	for _, curve := range append(Curves(), "") {
		if k := choices[curve]; curve != c.Curve && k > most {
			most, c.Rival = k, curve
		}
	}
	c.Share, c.RivalShare = float64(choices[c.Curve])/float64(c.Resamples), float64(most)/float64(c.Resamples)
}
