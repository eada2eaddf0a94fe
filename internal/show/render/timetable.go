package render

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
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
	// Those of Go programs that tare has built.
	runtimeColumns = []timeColumn{
		{"allocated", result.UnitAlloc}, {"objects", result.UnitAllocs}, {"GC cycles", result.UnitGCCycles}, {"GC CPU", result.UnitGCCPU},
	}
	threadColumns = []timeColumn{
		{"threads", result.UnitThreads}, {"CPU sum", result.UnitThread("cpu", "sum")}, {"min", result.UnitThread("cpu", "min")},
		{"avg", result.UnitThread("cpu", "avg")}, {"max", result.UnitThread("cpu", "max")},
	}
)

// detailColumns are the quantities that -v lists, in their order.
func detailColumns() []timeColumn {
	out := slices.Concat(timeColumns, countColumns, []timeColumn{{"user + sys", result.UnitCPU}, {"peak RSS below", result.UnitPeakBelow}},
		runtimeColumns, []timeColumn{{"GC pauses", result.UnitGCPause}, {"GOMAXPROCS", result.UnitProcs}, {"threads", result.UnitThreads}})
	for _, of := range result.ThreadTimes {
		for _, how := range result.ThreadSpreads {
			out = append(out, timeColumn{"thread " + of + ", " + how, result.UnitThread(of, how)})
		}
	}
	return out
}

// timeTable prints a row for each command in the first shape that fits: names get lines of
// their own where they are too long, because two of them that are cut might look the same;
// then the intervals are left out.
func (t *textReport) timeTable(s *result.Result, columns []timeColumn) {
	shapes := []struct{ stacked, halves bool }{{false, true}, {true, true}, {true, false}}
	t.Table(table.First(t.Charset, t.Columns, len(shapes), func(i int) (*table.Table, int) {
		return t.timeShape(s, columns, shapes[i].stacked, shapes[i].halves), 0
	}))
	t.Blank()
}

// timeShape builds the table of some columns.
func (t *textReport) timeShape(s *result.Result, columns []timeColumn, stacked, halves bool) *table.Table {
	tb := &table.Table{Columns: []table.Column{{}}}
	for _, c := range columns {
		kind := table.Figures
		if mixedUnits(s, c.unit) {
			kind = table.Right
		}
		tb.Columns = append(tb.Columns, table.Column{Title: c.title, Gap: 3, Kind: kind, Join: " "}, table.Column{Gap: 1})
	}
	tb.Columns = append(tb.Columns, table.Column{Gap: 1})
	for i := range s.Results {
		r := &s.Results[i]
		l := table.Line{Cells: []table.Cell{{Text: t.timeName(r)}}}
		if r.Failed != "" {
			if columns[0].unit == result.UnitReal { // said once
				tb.Add(table.Line{Wide: t.Middle(l.Cells[0].Text, t.Columns/2) + " failed: " + r.Failed, Style: termtext.Red})
			}
			continue
		}
		if stacked {
			tb.Add(table.Line{Wide: t.Middle(l.Cells[0].Text, t.Columns)})
			l.Cells[0].Text = ""
		}
		for _, c := range columns {
			x, half := timeFigure(r, c.unit)
			if !halves {
				half = ""
			}
			l.Cells = append(l.Cells, x, table.Cell{Text: half})
		}
		if columns[0].unit == result.UnitReal { // said once
			l.Cells = append(l.Cells, table.Cell{Text: t.timeMarks(r), Style: termtext.Yellow})
		}
		tb.Add(l)
	}
	return tb
}

// timeMarks adds the warnings about a command, and returns the marks of their notes.
func (t *textReport) timeMarks(r *result.Benchmark) string {
	return t.marks(t.timeName(r), r.Warnings)
}

// timeName returns the name of a command, with the values of its parameters.
func (t *textReport) timeName(r *result.Benchmark) string {
	name := cmp.Or(r.Side, r.Name)
	if params := result.ParamsOf(r.Name); params != "" && r.Side != "" {
		name += " " + params
	}
	return t.Name(name)
}

// mixedUnits reports whether the figures of a column have different units, so that their
// decimal points have nothing to do with each other.
func mixedUnits(s *result.Result, unit string) bool {
	first := ""
	for i := range s.Results {
		x, _ := timeFigure(&s.Results[i], unit)
		if x.Free || x.Text == "0" {
			continue
		}
		if first != "" && x.Tail != first {
			return true
		}
		first = x.Tail
	}
	return false
}

// timeFigure returns a figure of a command and the relative half-width of its interval.
func timeFigure(r *result.Benchmark, unit string) (x table.Cell, half string) {
	m, ok := r.Figure(unit)
	if bound, below := r.Figure(result.UnitPeakBelow); !ok && below && unit == result.UnitPeak {
		x = timeValue(unit, bound.Median)
		x.Text, x.Loose = "< "+x.Text, true
		return x, ""
	}
	if !ok {
		return table.Cell{Text: "n/a", Free: true}, ""
	}
	if wide := math.Max(float64(m.Hi-m.Median), float64(m.Median-m.Lo)); m.Median != 0 && m.Lo < m.Hi && !math.IsInf(wide, 0) {
		half = "± " + units.Percent(wide/math.Abs(float64(m.Median)))
	}
	return timeValue(unit, m.Median), half
}

// timeValue writes one value with three digits. A bound that is not known is empty.
func timeValue(unit string, value result.Number) table.Cell {
	v := float64(value)
	switch {
	case v == 0:
		return table.Cell{Text: "0"}
	case math.IsInf(v, 0) || math.IsNaN(v):
		return table.Cell{}
	}
	s := units.ScaleOf(unitOnly(unit), v)
	x := v / s.Div
	whole := s.Div == 1 && unit != result.UnitCores && x == math.Trunc(x)
	return table.Cell{Text: (units.Rounding{Places: 2 - units.Magnitude(x), Trim: whole}).Text(x), Tail: strings.TrimSpace(s.Long())}
}

// unitOnly returns a unit without the name of what it measures, which stands above it.
func unitOnly(unit string) string {
	switch {
	case strings.HasSuffix(unit, "-ns"):
		return "ns"
	case strings.HasSuffix(unit, "-B"):
		return "B"
	}
	return ""
}
