package main

import (
	"math"
	"math/rand/v2"
)

// side draws fork values around 1.
type side func(r *rand.Rand) float64

// scenario is a pair of sides. The new one is multiplied by the true ratio.
type scenario struct {
	name     string
	old, new side
	digits   bool // values are rounded as testing prints them
	// What the intervals estimate at a ratio of 1: the median of new/old over all
	// pairs, and the ratio of the medians. 0 means 1 for both: the sides differ in
	// nothing else.
	pairs, medians float64
}

const (
	sd  = 0.03 // inside a group of forks
	gap = 0.5  // by which the slow group is slower
)

// low is how many standard deviations of the fast group the median of all lies
// above the median of that group, if 15 % of the values are in a much slower group.
var low = math.Sqrt2 * math.Erfinv(2*0.5/0.85-1)

var scenarios = []scenario{
	alike("normal, sd 5 %", func(r *rand.Rand) float64 { return 1 + 0.05*r.NormFloat64() }),
	alike("lognormal, sd 10 %", lognormal(0.1)),
	alike("lognormal, sd 40 %", lognormal(0.4)),
	alike("two groups that differ by 50 %, 15 % slow", groups(0.15)),
	alike("two groups that differ by 50 %, half slow", groups(0.5)),
	alike("heavy tails: t(3), scale 5 %", student3),
	alike("spikes: Pareto in 15 % of the forks", spiked),
	{name: "lognormal, sd 10 %, 4 digits", old: lognormal(0.1), new: lognormal(0.1), digits: true},
	{name: "lognormal, sd 0.1 %, 4 digits", old: lognormal(0.001), new: lognormal(0.001), digits: true},
	{name: "lognormal, sd 0.01 %, 4 digits", old: lognormal(0.0001), new: lognormal(0.0001), digits: true},
	{name: "unequal: sd 3 % against sd 15 %", old: lognormal(sd), new: lognormal(0.15)},
	{name: "unequal: one group against two, 15 % slow", old: lognormal(sd), new: groups(0.15),
		pairs: math.Exp(math.Sqrt2 * sd * low), medians: math.Exp(sd * low)},
	{name: "unequal: one group against two, half slow", old: lognormal(sd), new: groups(0.5),
		pairs: math.Sqrt(1 + gap), medians: math.Sqrt(1 + gap)},
}

func alike(name string, s side) scenario { return scenario{name: name, old: s, new: s} }

// draw fills both sides. With rounding, the level is random, so that the table does
// not depend on the distance to the next printable number.
func (s scenario) draw(r *rand.Rand, truth float64, old, new []float64) {
	level := math.Pow(10, 2+r.Float64())
	for i := range old {
		old[i], new[i] = level*s.old(r), level*truth*s.new(r)
		if s.digits {
			old[i], new[i] = fourDigits(old[i]), fourDigits(new[i])
		}
	}
}

// fourDigits rounds as testing prints values of this size.
func fourDigits(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-3)
	return math.Round(x/unit) * unit
}

// lognormal has the standard deviation on logarithms.
func lognormal(sd float64) side {
	return func(r *rand.Rand) float64 { return math.Exp(sd * r.NormFloat64()) }
}

// groups has a slow group with that share of the values.
func groups(slow float64) side {
	return func(r *rand.Rand) float64 {
		x := math.Exp(sd * r.NormFloat64())
		if r.Float64() < slow {
			x *= 1 + gap
		}
		return x
	}
}

// student3 is t with 3 degrees of freedom, on logarithms: a normal over the root
// of a χ²(3)/3, two parts of which are an exponential.
func student3(r *rand.Rand) float64 {
	z := r.NormFloat64()
	return math.Exp(0.05 * r.NormFloat64() / math.Sqrt((2*r.ExpFloat64()+z*z)/3))
}

// spiked raises 15 % of normal logarithms by a Pareto number of standard
// deviations: at least 3, of index 1.5.
func spiked(r *rand.Rand) float64 {
	z := r.NormFloat64()
	if r.Float64() < 0.15 {
		z += 3 * math.Pow(1-r.Float64(), -1/1.5)
	}
	return math.Exp(sd * z)
}
