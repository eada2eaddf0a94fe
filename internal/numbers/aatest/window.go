package aatest

import (
	"math"

	"github.com/tarebench/tare/stat"
)

// Alpha is the significance level of a comparison: the share of A/A windows in which it may find a difference by
// chance.
const Alpha = 1 - stat.DefaultConfidence

// window holds the values that one comparison uses: those of both sides in the order of the rounds, NaN where a
// value is missing.
type window struct {
	block int
	a, b  []float64
	test  string // stat.TestSavage, else the U test

	judged, unlike bool // what different found, once the window was usable
}

func newWindow(block, n int) *window {
	w := &window{block: block, a: make([]float64, n), b: make([]float64, n)}
	for i := range n {
		w.a[i], w.b[i] = math.NaN(), math.NaN()
	}
	return w
}

// side returns the values of a side, nil if no side has that name.
func (w *window) side(name string) []float64 {
	switch name {
	case SideA:
		return w.a
	case SideB:
		return w.b
	}
	return nil
}

// usable reports whether no value is missing and all ratios can be computed.
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

// compare returns the comparison of B with A, as tare compare does it. B's values are first multiplied by
// 1+slowdown.
func (w *window) compare(slowdown float64) stat.Comparison {
	b := w.b
	if slowdown != 0 {
		b = make([]float64, len(w.b))
		for i, x := range w.b {
			b[i] = x * (1 + slowdown)
		}
	}
	if w.test == stat.TestSavage { // a fork of one iteration is its own median and its own best
		return stat.CompareForks(stat.Forks{Typical: w.a, Undisturbed: w.a}, stat.Forks{Typical: b, Undisturbed: b}, stat.Options{Resamples: -1})
	}
	return stat.Compare(w.a, b, stat.Options{Resamples: -1})
}

// different reports whether the test finds a difference between the sides of a usable window.
func (w *window) different() bool {
	if !w.judged {
		w.judged, w.unlike = true, w.compare(0).P <= Alpha
	}
	return w.unlike
}

// difference returns the relative difference of the sides' medians: 0.01 is 1 %.
func (w *window) difference() float64 {
	return math.Abs(stat.Median(w.b)/stat.Median(w.a) - 1)
}

// Limits of the search for the smallest slowdown that is detected, as shares.
const (
	mostSlowdown = 10.0 // beyond elevenfold nothing is searched for
	fineSlowdown = 1e-4
)

// found returns the smallest slowdown of B that is judged slower, as a share; +Inf if even mostSlowdown is not. A
// larger slowdown can only raise B's ranks, so bisection finds the limit.
func (w *window) found() float64 {
	if w.test == stat.TestSavage { // by inverting the tests, which is the same and costs one of them
		if d := stat.Smallest(w.compare(0)) - 1; d <= mostSlowdown {
			return d
		}
		return math.Inf(1)
	}
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
