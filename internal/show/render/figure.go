package render

import (
	"math"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/webpage"
)

// figure is a value with its interval, scaled and rounded.
type figure struct {
	unit        string // as reported
	value       string
	long, short string // unit of the value; short: beside unit
	exact       float64
	intervalText
}

// intervalText is an interval as text.
type intervalText struct {
	lo, hi    string
	note      string // instead of lo and hi
	isWarning bool   // the note is a warning
}

// cell returns the interval for a table of a text.
func (i *intervalText) cell() table.Cell {
	c := table.Cell{Text: i.lo, Tail: i.hi}
	if i.lo == "" {
		c = table.Cell{Text: i.note, Free: true}
	}
	if i.isWarning {
		c.Style = termtext.Yellow
	}
	return c
}

// words returns the interval as one text.
func (i *intervalText) words() string {
	if i.lo == "" {
		return i.note
	}
	return i.lo + units.Dots + i.hi
}

// html returns the interval for a page.
func (i *intervalText) html() webpage.Cell {
	c := webpage.Cell{Text: i.words()}
	if i.isWarning {
		c.Kind = webpage.Unknown
	}
	return c
}

// maxUnit is the most columns a unit may take: benchmarks choose their names.
const maxUnit = 24

// figure scales and rounds an interval. values, if given, tell whether a figure
// is the same in all forks.
func (p *view) figure(unit string, iv result.Interval, values []result.Number) figure {
	size := float64(iv.Median)
	if hi := float64(iv.Hi); size == 0 && !math.IsInf(hi, 0) {
		size = hi // the bounds want to be read, too
	}
	s := units.ScaleOf(unit, size)
	v, lo, hi := float64(iv.Median)/s.Div, float64(iv.Lo)/s.Div, float64(iv.Hi)/s.Div
	r := units.Round(v, lo, hi, s.Div != 1)
	f := figure{
		exact: float64(iv.Median),
		unit:  p.Text(unitName(unit)),
		value: r.Text(v),
		long:  p.Middle(p.Text(s.Long()), maxUnit),
		short: p.Middle(p.Text(beside(unit, s)), maxUnit),
	}
	switch {
	case math.IsNaN(v):
		f.note = ""
	case math.IsNaN(lo) || math.IsNaN(hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0):
		f.note, f.isWarning = p.need, true
	case same(values):
		f.note = "exact"
	default:
		f.lo, f.hi = r.Text(lo), r.Text(hi)
	}
	return f
}

// same reports whether all forks have the same value.
func same(values []result.Number) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return len(values) > 0
}
