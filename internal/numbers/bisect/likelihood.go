package bisect

import (
	"math"

	"github.com/tarebench/tare/stat"
)

func (p *posterior) scaled(x float64) float64 {
	if p.log {
		return math.Log(x)
	}
	return x
}

// calibrate corrects the log likelihoods by what they are for forks whose level is known. Student's t is symmetric and has
// one mode. Where forks are skewed or have two groups, those of the old level may look as if they were of the new one on
// average. So the mean of both sides is subtracted. Then a fork favours its level by d on average with variance v.
// That of a true likelihood is 2d; where it is larger, forks tell less than t says.
func (p *posterior) calibrate(old, new []float64) {
	p.bias, p.gain = 0, 1
	mean := func(xs []float64) (m, v float64) {
		for _, x := range xs {
			m += p.contrast(x) / float64(len(xs))
		}
		for _, x := range xs {
			d := p.contrast(x) - m
			v += d * d / float64(len(xs))
		}
		return m, v
	}
	a, va := mean(old)
	b, vb := mean(new)
	p.bias = (a + b) / 2
	if d, v := (a-b)/2, (va+vb)/2; v > 0 {
		p.gain = min(1, max(faint, 2*d/v))
	}
}

// levels estimates both levels and the spread around them.
func (p *posterior) levels(slow []float64) {
	var old, new []float64
	for _, c := range p.measurable {
		for _, x := range p.s.values[c] {
			switch {
			case slow[c] < settled:
				old = append(old, p.scaled(x))
			case slow[c] > 1-settled:
				new = append(new, p.scaled(x))
			}
		}
	}
	p.old, p.new = stat.Median(old), stat.Median(new)
	defer p.calibrate(old, new)
	var residues []float64
	for _, x := range old {
		residues = append(residues, x-p.old)
	}
	for _, x := range new {
		residues = append(residues, x-p.new)
	}
	const perMAD = 1.4826 // standard deviations of a normal distribution
	p.scale = max(perMAD*stat.MAD(residues), math.Abs(p.new-p.old)/20)
	if !(p.scale > 0) {
		p.scale = 1 // all values are equal and tell nothing
	}
}

// surprise is minus the log density of Student's t with 4 degrees of freedom, without its constant: a lone spike says
// little. x is scaled.
func (p *posterior) surprise(x, level float64) float64 {
	z := (x - level) / p.scale
	return 2.5 * math.Log1p(z*z/4)
}

// contrast is how much likelier a value is at the old level than at the new one, as a logarithm: 0 where the numbers are
// too large to tell. x is scaled.
func (p *posterior) contrast(x float64) float64 {
	f := p.surprise(x, p.new) - p.surprise(x, p.old)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// favour is the contrast of a value, calibrated.
func (p *posterior) favour(x float64) float64 {
	return temper * p.gain * (p.contrast(p.scaled(x)) - p.bias)
}
