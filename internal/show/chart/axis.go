package chart

import (
	"math"

	"github.com/tarebench/tare/internal/base/units"
)

// A scale maps values from min up to pixels.
type scale struct {
	from, to float64 // pixels of min and of max
	min, max float64 // min is 0 but for an axis that is Near
	step     float64 // between ticks
	unit     unit
}

// most is the largest value that charts draw; what is above it is as good as infinite.
const most = 1e15

// least is the smallest value that charts tell from 0: the step between the ticks of an axis must not become 0.
const least = 1e-30

// newScale returns a scale on which largest has its place, with about so many ticks.
func newScale(largest float64, ticks int, from, to float64, u string, plain bool) scale {
	if !(largest > least) {
		largest = 1
	}
	largest = min(largest, most)
	step := niceStep(largest / float64(ticks))
	top := step * math.Ceil(largest/step*(1-1e-9))
	return scale{from: from, to: to, max: top, step: step, unit: unitFor(top, u, plain)}
}

// leastSpan is the least part of its largest value that an axis shows that is Near: noise must not look like steps.
const leastSpan = 0.1

// newNearScale returns a scale on which the values from smallest to largest have their place, and 0 only if it is near.
func newNearScale(smallest, largest float64, ticks int, from, to float64, u string, plain bool) scale {
	s := newScale(largest, ticks, from, to, u, plain)
	if !(smallest > least) || !(smallest <= largest) || largest > most {
		return s
	}
	span := max(largest-smallest, leastSpan*largest)
	s.step = niceStep(span / float64(ticks))
	s.max = s.step * math.Ceil(largest/s.step*(1-1e-9))
	s.min = max(0, s.step*math.Floor((largest-span)/s.step*(1+1e-9)))
	return s
}

func (s scale) at(v float64) float64 { return s.from + (s.to-s.from)*(v-s.min)/(s.max-s.min) }

// ticks returns the values of the ticks, min among them.
func (s scale) ticks() []float64 {
	var out []float64
	for i := math.Round(s.min / s.step); ; i++ {
		v := i * s.step
		if v > s.max*(1+1e-9) {
			return out
		}
		out = append(out, v)
	}
}

// niceStep returns the smallest of 1, 2 and 5 times a power of ten that is at least x.
func niceStep(x float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*ten >= x*(1-1e-9) {
			return m * ten
		}
	}
	return 10 * ten
}

// A unit is one that all figures of an axis are written in.
type unit struct {
	name string  // with its prefix: "Mop/s"
	one  float64 // how many of the values' own unit it is
}

var prefixes = []unit{{"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"µ", 1e-6}, {"n", 1e-9}}

// unitFor chooses the prefix with which the top of an axis is from 1 to 1000. Seconds get none, as kiloseconds are
// not usual.
func unitFor(top float64, name string, plain bool) unit {
	if plain || name == "" {
		return unit{name, 1}
	}
	for _, p := range prefixes {
		if top >= p.one && (name != "s" || p.one <= 1) {
			return unit{p.name + name, p.one}
		}
	}
	return unit{name, 1}
}

// tick writes the value of a tick.
func (s scale) tick(v float64) string {
	return units.Plain(math.Round(v/s.unit.one*1e9) / 1e9)
}

// figure writes a value to three digits, of which those before the point are all
// written.
func (s scale) figure(v float64) string { return units.Significant(v/s.unit.one, 3) }
