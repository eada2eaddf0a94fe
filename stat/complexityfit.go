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
	// maxSteps is the most Gauss–Newton steps that a fit takes: where the curve is
	// near, two are enough.
	maxSteps = 8
	// goodEnough is the gain, in units of noise, that ends the steps.
	goodEnough = 1e-3
	// flat is a ratio of the fixed part to the growing part with which a curve is as good as constant.
	flat = 1e6
)

// model is what fits of all curves to costs at the same sizes have in common.
type model struct {
	shapes [len(allCurves)][]float64 // each curve at each size, 1 at the largest
	scales [len(allCurves)]float64   // what they were divided by
	weight []float64                 // of each size: one over its squared relative error
	total  float64                   // sum of the weights
	skip   [len(allCurves)]bool
}

// form is one fit: fixed + coefficient·shape, and the weighted sum of the squares of
// log(fitted/cost), infinite for a curve that cannot be fitted.
type form struct {
	fixed, coefficient, squares float64
}

// choice is the fits of all curves to some costs, and the index of the one that the rules of FitComplexity choose.
type choice struct {
	forms     [len(allCurves)][2]form // without a fixed part, with one
	best      [len(allCurves)]form    // the better of both
	penalised [len(allCurves)]float64 // its squares, in units of noise, with the penalty of its unknowns
	chosen    int
}

// newModel prepares fits for sizes of these costs. The weight of a size is 1/error², where error is that of the median
// of its forks. The spread of a few forks is imprecise itself, so that half of it is the spread of all sizes.
func newModel(sizes []Sized, costs []float64) *model {
	m, mean := &model{}, 0.0
	for i, s := range sizes {
		e := math.Sqrt(math.Pi/2) * madScale * MAD(s.Values) / costs[i]
		m.weight = append(m.weight, e*e/float64(len(s.Values)))
		mean += m.weight[i] / float64(len(sizes))
		for k, c := range allCurves {
			m.scales[k] = c.At(sizes[len(sizes)-1].N) // sizes are sorted, and curves rise
			m.shapes[k] = append(m.shapes[k], c.At(s.N)/m.scales[k])
		}
	}
	for i, w := range m.weight {
		m.weight[i] = 1 / ((w+mean)/2 + minSizeError*minSizeError)
		m.total += m.weight[i]
	}
	return m
}

// choose fits all curves in both forms, takes the better form of each, and chooses. Sums of squares are compared in
// units of noise. The weights make the noise of the forks 1; if the best curve has a larger error, that error is the
// unit.
func (m *model) choose(costs []float64) (x choice) {
	unit := math.Inf(1)
	for i, shape := range m.shapes {
		x.forms[i] = [2]form{{squares: math.Inf(1)}, {squares: math.Inf(1)}}
		if !m.skip[i] {
			x.forms[i] = m.solve(shape, costs)
		}
		for k, f := range x.forms[i] {
			unit = min(unit, f.squares/float64(len(costs)-1-k))
		}
	}
	unit = max(1, unit)
	for i, forms := range x.forms {
		x.penalised[i] = math.Inf(1)
		for k, f := range forms {
			if p := f.squares/unit + float64(k+1)*unknownPenalty; k == 0 || p < x.penalised[i] {
				x.best[i], x.penalised[i] = f, p
			}
		}
	}
	least := slices.Min(x.penalised[:])
	x.chosen = slices.IndexFunc(x.penalised[:], func(p float64) bool { return p <= least+minGain }) // the simplest first
	return x
}

// solve fits a curve in both forms; neither unknown may be negative.
//
// The least squares of logarithms have a closed form for a given ratio of both unknowns: the coefficient is the
// weighted geometric mean of cost/(ratio+shape). Without a fixed part the ratio is 0. Else the Gauss–Newton method
// finds it, starting from the ratio with which the first and the last size agree.
func (m *model) solve(shape, costs []float64) (forms [2]form) {
	forms[0], _ = m.at(0, shape, costs)
	first := costs[0] / costs[len(costs)-1]
	ratio := (first - shape[0]) / (1 - first)
	if !(ratio > 0 && ratio < flat) {
		ratio = 1
	}
	forms[1], forms[1].squares = form{}, math.Inf(1)
	for range maxSteps {
		next, step := m.at(ratio, shape, costs)
		gain := forms[1].squares - next.squares
		if gain > 0 {
			forms[1] = next
		}
		if !(gain > goodEnough) {
			break
		}
		ratio = max(ratio+step, ratio/10)
	}
	if forms[1].squares > maxLogRMSWithFixed*maxLogRMSWithFixed*m.total {
		forms[1].squares = math.Inf(1)
	}
	return forms
}

// at returns the best fit in which the fixed part is ratio times the coefficient, and what to add to ratio to improve
// the fit. n³ may leave the range of float64; its squares are infinite then.
func (m *model) at(ratio float64, shape, costs []float64) (f form, step float64) {
	top := costs[len(costs)-1]
	var sl, sg, sll, slg, sgg float64
	for i, w := range m.weight {
		g := 1 / (ratio + shape[i]) // the slope of the logarithm
		l := math.Log(costs[i]*g) - math.Log(top)
		sl, sg = sl+w*l, sg+w*g
		sll, slg, sgg = sll+w*l*l, slg+w*l*g, sgg+w*g*g
	}
	f.coefficient, f.squares = top*math.Exp(sl/m.total), sll-sl*sl/m.total
	f.fixed = ratio * f.coefficient
	if math.IsNaN(f.squares) {
		f.squares = math.Inf(1)
	}
	return f, (slg - sl*sg/m.total) / (sgg - sg*sg/m.total)
}

// fit returns the fit of curve i in the units of the caller. Its RMS is NaN or
// infinite if the numbers exceed the range of float64 for all curves.
func (m *model) fit(x *choice, i int, costs []float64) CurveFit {
	best, squares := x.best[i], 0.0
	for k, s := range m.shapes[i] {
		e := math.Log((best.fixed + best.coefficient*s) / costs[k])
		squares += e * e / float64(len(costs))
	}
	return CurveFit{allCurves[i], best.fixed, best.coefficient / m.scales[i], math.Expm1(math.Sqrt(squares))}
}

// resample draws the medians of resampled forks of every size, chooses a curve for
// each resample, and sets the fields of c that describe the choices.
func (m *model) resample(c *Complexity, sizes []Sized, first *choice, o ComplexityOptions) {
	var draws []medianDraw
	for _, s := range sizes {
		draws = append(draws, newMedianDraw(sorted(s.Values)))
	}
	for i := range m.skip {
		m.skip[i] = first.penalised[i] > first.penalised[first.chosen]+maxRelevantGap
	}
	counts, coefficients := map[Curve]int{}, make([]float64, c.Resamples) // "" counts those without a curve
	costs, u := make([]float64, len(sizes)), newUniform(o.Seed)
	for k := range coefficients {
		for i := range draws {
			costs[i] = draws[i].draw(u)
		}
		x := m.choose(costs)
		f, same := m.fit(&x, x.chosen, costs), x.forms[first.chosen]
		if !f.fits() {
			f.Curve = ""
		}
		counts[f.Curve]++
		if c.Fit.Fixed > 0 && !math.IsInf(same[1].squares, 0) {
			same[0] = same[1]
		}
		coefficients[k] = same[0].coefficient / m.scales[first.chosen]
	}
	share := func(curve Curve) float64 { return float64(counts[curve]) / float64(c.Resamples) }
	c.Share = share(c.Curve)
	for _, curve := range append(Curves(), "") {
		if s := share(curve); curve != c.Curve && s > c.RivalShare {
			c.RivalShare, c.Rival = s, curve
		}
	}
	if alpha := alphaOf(cmp.Or(o.Confidence, DefaultConfidence)); alpha > 0 && alpha < 1 {
		c.Lo, c.Hi = percentiles(coefficients, alpha)
		c.Confidence = 1 - alpha
	}
}
