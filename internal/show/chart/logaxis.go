package chart

import "math"

// A logScale maps positive values to pixels by their logarithms. Its ends are 1, 2
// or 5 times a power of ten, so that values that are close together still fill it.
type logScale struct {
	from, to float64 // pixels of lo and of hi
	lo, hi   float64
	name     string
	plain    bool
}

// newLogScale returns a scale on which all values from smallest to largest have their
// place. Values that are not positive, or as good as 0, count for nothing.
func newLogScale(smallest, largest, from, to float64, u string, plain bool) logScale {
	if !(largest > least) || largest > most {
		smallest, largest = 1, 10
	}
	if !(smallest > least) || smallest > largest {
		smallest = largest
	}
	s := logScale{from: from, to: to, lo: niceBelow(smallest), hi: niceStep(largest), name: u, plain: plain}
	if s.lo >= s.hi*(1-1e-9) { // a single value, on a tick
		s.lo, s.hi = niceBelow(s.lo*0.75), niceStep(s.hi*1.5)
	}
	return s
}

// niceBelow returns the largest of 1, 2 and 5 times a power of ten that is at most x.
func niceBelow(x float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(x)+1e-12))
	for _, m := range []float64{5, 2} {
		if m*ten <= x*(1+1e-9) {
			return m * ten
		}
	}
	return ten
}

// at returns the place of a value. Those beyond the scale, 0 among them, lie at its ends.
func (s logScale) at(v float64) float64 {
	v = min(max(v, s.lo), s.hi)
	return s.from + (s.to-s.from)*math.Log(v/s.lo)/math.Log(s.hi/s.lo)
}

// fewDecades is up to how many decades a scale has ticks at 2 and 5, too.
const fewDecades = 3

// ticks returns the powers of ten and, where there is room, 2 and 5 times them.
func (s logScale) ticks() []float64 {
	decades := math.Log10(s.hi / s.lo)
	every := max(int(math.Ceil(decades/10)), 1)
	var out []float64
	for e := int(math.Floor(math.Log10(s.lo) + 1e-9)); e <= int(math.Floor(math.Log10(s.hi)+1e-9)); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow10(e)
			if m > 1 && decades > fewDecades || every > 1 && e%every != 0 {
				continue
			}
			if v >= s.lo*(1-1e-9) && v <= s.hi*(1+1e-9) {
				out = append(out, v)
			}
		}
	}
	return out
}

// tick writes the value of a tick with a unit of its own: 500 µs, 1 ms.
func (s logScale) tick(v float64) string {
	return s.figure(v, func(x scale) string { return x.tick(v) })
}

// words writes a value to three digits, with a unit of its own.
func (s logScale) words(v float64) string {
	return s.figure(v, func(x scale) string { return x.figure(v) })
}

func (s logScale) figure(v float64, write func(scale) string) string {
	u := unitFor(v*(1+1e-9), s.name, s.plain)
	text := write(scale{unit: u})
	if u.name != "" {
		text += " " + u.name
	}
	return text
}
