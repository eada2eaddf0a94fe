package aatest

import (
	"math"

	"github.com/tarebench/tare/stat"
)

// Alpha is the error that a comparison is allowed: what is called different
// although nothing is, in so many windows.
const Alpha = 1 - stat.DefaultConfidence

// window is what one comparison would have looked at: the values of both sides
// in the order of the rounds, NaN where a value has not come.
type window struct {
	block int
	a, b  []float64

	judged, unlike bool // what different found, once the window was usable
}

func newWindow(block, n int) *window {
	w := &window{block: block, a: make([]float64, n), b: make([]float64, n)}
	for i := range n {
		w.a[i], w.b[i] = math.NaN(), math.NaN()
	}
	return w
}

// side is the slice of a side's values; nil for a name that is no side.
func (w *window) side(name string) []float64 {
	switch name {
	case SideA:
		return w.a
	case SideB:
		return w.b
	}
	return nil
}

// usable reports whether all values are there and have ratios.
func (w *window) usable() bool {
	for _, xs := range [][]float64{w.a, w.b} {
		for _, x := range xs {
			if !(x > 0) || math.IsInf(x, 0) {
				return false
			}
		}
	}
	return true
}

// compare judges the window as tare compare judges two sides, B slowed down by
// a share.
func (w *window) compare(slowdown float64) stat.Comparison {
	b := w.b
	if slowdown != 0 {
		b = make([]float64, len(w.b))
		for i, x := range w.b {
			b[i] = x * (1 + slowdown)
		}
	}
	return stat.Compare(w.a, b, stat.Options{Resamples: -1})
}

// different reports whether the U test calls the sides of a usable window
// different.
func (w *window) different() bool {
	if !w.judged {
		w.judged, w.unlike = true, w.compare(0).P <= Alpha
	}
	return w.unlike
}

// difference is by how much the medians of the sides differ, as a share.
func (w *window) difference() float64 {
	return math.Abs(stat.Median(w.b)/stat.Median(w.a) - 1)
}

// The search for the smallest slowdown that is found.
const (
	mostSlowdown = 10.0 // beyond elevenfold nothing is looked for
	fineSlowdown = 1e-4
)

// found is the smallest slowdown of B that is called slower, +Inf if none up to
// mostSlowdown is. Slowing B down can only raise its ranks, so that what is
// called slower once is called so at every larger slowdown: bisection finds it.
func (w *window) found() float64 {
	slower := func(d float64) bool {
		c := w.compare(d)
		return c.P <= Alpha && c.Ratio > 1
	}
	switch {
	case slower(0):
		return 0
	case !slower(mostSlowdown):
		return math.Inf(1)
	}
	lo, hi := 0.0, fineSlowdown
	for !slower(hi) {
		lo, hi = hi, min(2*hi, mostSlowdown)
	}
	for hi-lo > fineSlowdown {
		if mid := (lo + hi) / 2; slower(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}
