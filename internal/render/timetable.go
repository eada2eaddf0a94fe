package render

import (
	"math"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// timeColumn is one quantity of a command.
type timeColumn struct{ title, unit string }

// The columns of the two tables.
var (
	timeColumns = []timeColumn{
		{"real", result.UnitReal}, {"user", result.UnitUser}, {"sys", result.UnitSys}, {"peak RSS", result.UnitPeak}, {"cores busy", result.UnitCores},
	}
	countColumns = []timeColumn{
		{"page faults", result.UnitMinor}, {"with I/O", result.UnitMajor}, {"waits", result.UnitVoluntary}, {"preempted", result.UnitInvoluntary},
	}
)

// timeTable prints a row for each command in the first shape that fits: names get lines of
// their own where they are too long, because two of them that are cut might look the same;
// then the intervals are left out.
func (t *textReport) timeTable(s *result.Result, columns []timeColumn) {
	for _, shape := range []struct{ stacked, halves bool }{{false, true}, {true, true}, {true, false}} {
		tb := t.timeShape(s, columns, shape.stacked, shape.halves)
		sizes := tb.layout()
		if tb.total(sizes) > t.n && shape.halves {
			continue
		}
		t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		break
	}
	t.print(termtext.Normal, "")
}

// timeShape builds the table of some columns.
func (t *textReport) timeShape(s *result.Result, columns []timeColumn, stacked, halves bool) *table {
	tb := &table{columns: []column{{}}, blocks: make([]tableBlock, 1)}
	for _, c := range columns {
		kind := figures
		if t.mixedUnits(s, c.unit) {
			kind = ends
		}
		tb.columns = append(tb.columns, column{title: c.title, gap: 3, kind: kind, join: " "})
		if halves {
			tb.columns = append(tb.columns, column{})
			if t.anyHalf(s, c.unit) {
				tb.columns[len(tb.columns)-1].gap = 1
			}
		}
	}
	for i := range s.Results {
		r := &s.Results[i]
		name := t.Name(r.Side)
		var lines []tableLine
		switch {
		case r.Failed == "" && stacked:
			lines = []tableLine{{wide: t.Middle(name, t.n)}, {cells: []cell{{}}}}
		case r.Failed == "":
			lines = []tableLine{{cells: []cell{{text: name}}}}
		case columns[0].unit == result.UnitReal: // said once
			lines = []tableLine{{wide: t.Text(t.Middle(name, t.n/2) + " failed: " + r.Failed), style: termtext.Red}}
		}
		if r.Failed == "" {
			last := &lines[len(lines)-1]
			for _, c := range columns {
				x, half := t.timeFigure(r, c.unit)
				last.cells = append(last.cells, x)
				if halves {
					last.cells = append(last.cells, cell{text: half})
				}
			}
		}
		tb.blocks[0].lines = append(tb.blocks[0].lines, lines...)
	}
	return tb
}

// mixedUnits reports whether the figures of a column have different units, so that their
// decimal points have nothing to do with each other.
func (t *textReport) mixedUnits(s *result.Result, unit string) bool {
	first := ""
	for i := range s.Results {
		x, _ := t.timeFigure(&s.Results[i], unit)
		if x.free || x.text == "0" {
			continue
		}
		if first != "" && x.tail != first {
			return true
		}
		first = x.tail
	}
	return false
}

func (t *textReport) anyHalf(s *result.Result, unit string) bool {
	for i := range s.Results {
		if _, half := t.timeFigure(&s.Results[i], unit); half != "" {
			return true
		}
	}
	return false
}

// timeFigure is a figure of a command and the relative half-width of its interval.
func (g glyphs) timeFigure(r *result.Benchmark, unit string) (x cell, half string) {
	m, ok := r.Figure(unit)
	if !ok {
		return cell{text: "n/a", free: true}, ""
	}
	if wide := math.Max(float64(m.Hi-m.Median), float64(m.Median-m.Lo)); m.Median != 0 && m.Lo < m.Hi && !math.IsInf(wide, 0) {
		half = g.pm + " " + g.percent(wide/math.Abs(float64(m.Median)))
	}
	return g.timeValue(unit, m.Median), half
}

// timeValue writes one value with three digits. A bound that is not known is empty.
func (g glyphs) timeValue(unit string, value result.Number) cell {
	v := float64(value)
	switch {
	case v == 0:
		return cell{text: "0"}
	case math.IsInf(v, 0) || math.IsNaN(v):
		return cell{}
	}
	s := scaleOf(unitOnly(unit), v, g)
	x := v / s.div
	whole := s.div == 1 && unit != result.UnitCores && x == math.Trunc(x)
	return cell{text: g.number(x, rounding{places: 2 - magnitude(x), trim: whole}), tail: strings.TrimSpace(s.long())}
}

// unitOnly is a unit without the name of what it measures, which stands above it.
func unitOnly(unit string) string {
	switch {
	case strings.HasSuffix(unit, "-ns"):
		return "ns"
	case strings.HasSuffix(unit, "-B"):
		return "B"
	}
	return ""
}

// Value writes one value in a fitting unit with three digits: "6.84" and "ms". Whole counts
// have no point.
func Value(unit string, v result.Number) (number, shown string) {
	c := newGlyphs(true).timeValue(unit, v)
	return c.text, c.tail
}
