package result

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/numbers/emptyloop"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

const (
	rateFactor = 1.2 // times the rate of an empty loop
	muchLost   = 0.1 // share of the search for N in which others had the processors, from which on it was disturbed
)

// emptyLoop suspects that a benchmark's figure is not about its operations.
func (b *Builder) emptyLoop(c *caseData, role, unit string, xs []float64) *derivedWarning {
	if len(xs) == 0 || !record.IsRate(unit) && unit != "ns/op" && len(c.values(role, FloorPrefix+unit)) == 0 {
		return nil
	}
	m := stat.Median(xs)
	own := stat.Median(c.values(role, FloorPrefix+unit))
	var w *record.Warn
	switch {
	case record.IsRate(unit):
		if own > 0 && m >= own/rateFactor {
			w = emptyloop.Empty(emptyloop.EmptyBody, fmt.Sprintf("%.2g %s", own, unit))
		}
	case own > 0: // of package bench, in the same roles; at a bad address a loop takes one cycle more
		w = emptyloop.Judge(emptyloop.Row{Ns: m, Floor: emptyloop.Floor{Lo: own, Hi: own + b.tare.Loop, Body: true}})
	default:
		w = emptyloop.Judge(b.loopRow(c, m))
	}
	if w == nil {
		return nil
	}
	return &derivedWarning{Warn: *w}
}

// loopRow gathers what is known of a benchmark's loop.
func (b *Builder) loopRow(c *caseData, median float64) emptyloop.Row {
	r := emptyloop.Row{
		Ns: median, Floor: emptyloop.FloorOf(b.emptyLoops[c.line.Bin], c.line.Forms, c.line.Procs),
		Reset: c.line.Resets || slices.Equal(c.line.Forms, []string{record.FormLoop}), Busy: c.disturbed(),
	}
	if !r.Floor.Measured {
		loop := b.tare.Loop
		if c.line.Mode == record.ModeTime && c.line.Procs > 1 { // the processors share one loop
			loop /= float64(c.line.Procs)
		}
		r.Floor.Lo, r.Floor.Hi = loop, loop
	}
	if k := c.line.Calibration; k != nil && c.line.Mode == record.ModeN {
		r.N, r.Tried, r.Busy = c.line.N, k.Looks, r.Busy || k.Lost > muchLost
		r.Whole, r.Loops = float64(k.Time+k.Untimed), len(c.line.Forms) > 0
	}
	return r
}

// addEmptyLoops keeps the empty loops of binaries.
func (b *Builder) addEmptyLoops(l *record.Overhead) {
	for _, id := range l.Bins {
		if b.emptyLoops == nil {
			b.emptyLoops = map[int][]record.EmptyLoop{}
		}
		b.emptyLoops[id] = l.EmptyLoops
	}
}
