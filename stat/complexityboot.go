package stat

import (
	"math"
	"slices"
)

// resample draws the medians of resampled forks of every size, chooses a curve for
// each resample, and sets the fields of c that describe the choices.
func (t *trials) resample(c *Complexity, sizes []Sized, o ComplexityOptions) {
	if o.Confidence == 0 {
		o.Confidence = DefaultConfidence
	}
	n := o.Resamples
	if n == 0 {
		n = DefaultComplexityResamples
	}
	draws := make([]medianDraw, len(sizes))
	for i, s := range sizes {
		if len(s.Values) < 2 {
			n = 0 // one fork has no spread to resample
		}
		draws[i] = newMedianDraw(sorted(s.Values))
	}
	if n <= 0 {
		return
	}
	t.dropHopeless(medians(sizes))
	chosen, bare := slices.Index(t.curves, c.Fit.Curve), c.Fit.Fixed == 0
	counts := make([]int, len(t.curves)+1) // the last for none
	coefficients := make([]float64, n)
	costs := make([]float64, len(sizes))
	u := newUniform(o.Seed)
	for k := range n {
		for i := range draws {
			costs[i] = draws[i].draw(u)
		}
		i := t.pick(costs)
		if !t.scaled(i, costs).fits() {
			i = len(t.curves)
		}
		counts[i]++
		x := t.fixed[chosen]
		if bare || math.IsInf(x.squares, 0) {
			x = t.bare[chosen]
		}
		coefficients[k] = x.coefficient / t.scales[chosen]
	}
	c.Resamples = n
	t.count(c, counts)
	if alpha := alphaOf(o.Confidence); alpha > 0 && alpha < 1 {
		c.Lo, c.Hi = percentiles(coefficients, alpha)
		c.Confidence = 1 - alpha
	}
}

// count turns choices into shares; the last count is that of NoCurve.
func (t *trials) count(c *Complexity, counts []int) {
	same := len(t.curves)
	if c.Curve != "" {
		same = slices.Index(t.curves, c.Curve)
	}
	c.Share = float64(counts[same]) / float64(c.Resamples)
	rival := -1
	for i, k := range counts {
		if i != same && k > 0 && (rival < 0 || k > counts[rival]) {
			rival = i
		}
	}
	if rival < 0 {
		return
	}
	c.RivalShare = float64(counts[rival]) / float64(c.Resamples)
	if rival < len(t.curves) {
		c.Rival = t.curves[rival]
	}
}
