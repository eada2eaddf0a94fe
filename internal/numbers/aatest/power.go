package aatest

import (
	"math"
	"time"

	"github.com/tarebench/tare/stat"
)

// Power is the share of windows in which a change has to be found.
const Power = 0.8

// The defaults of tare bench. The verdict of a self-test is for runs of this size.
const (
	DefaultForks      = 20
	DefaultIterations = 2
	DefaultTime       = 50 * time.Millisecond
)

// Change is the smallest slowdown that is called slower in a share of Power of
// the windows, as a fraction: 0.03 is 3 %. It is found by slowing side B of
// recorded windows down. The bounds are order statistics over windows.
type Change struct {
	Value stat.Number `json:"value"` // +Inf: none that was tried; NaN: no window
	Lo    stat.Number `json:"lo"`
	Hi    stat.Number `json:"hi"`
}

// Smallest is the smallest change found with windows of this size, and what
// it comes to for what tare bench measures by default.
type Smallest struct {
	Change
	Default    Change `json:"default"`
	Assumption string `json:"assumption"` // under which Default holds
}

// change takes each window's own smallest slowdown that is called slower; the
// smallest that is found in a share of the windows is their quantile.
func change(ws []*window) Change {
	if len(ws) == 0 {
		return Change{stat.Number(math.NaN()), 0, stat.Number(math.Inf(1))}
	}
	ds := make([]float64, len(ws))
	for i, w := range ws {
		ds[i] = w.found()
	}
	at := int(math.Ceil(Power * float64(len(ds)))) // the so-many-th smallest
	e := stat.QuantileInterval(ds, Power, stat.DefaultConfidence)
	return Change{stat.Number(sortedCopy(ds)[at-1]), stat.Number(max(0, e.Lo)), stat.Number(e.Hi)}
}

func smallest(ws []*window, n int) Smallest {
	c := change(ws)
	return Smallest{
		Change:     c,
		Default:    Change{scale(c.Value, n), scale(c.Lo, n), scale(c.Hi, n)},
		Assumption: "noise shrinks with the root of the number of forks, and is no larger in longer iterations",
	}
}

// scale takes a change from n forks a side to DefaultForks: on logarithms it
// shrinks with the root of their number. Iterations of DefaultTime are taken to
// be as noisy as the short ones, though they are rarely noisier.
func scale(x stat.Number, n int) stat.Number {
	return stat.Number(math.Expm1(math.Log1p(float64(x)) * math.Sqrt(float64(n)/DefaultForks)))
}
