package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/stat"
)

// htmlResults returns the table of results.
func (p *view) htmlResults(s *result.Result) webpage.Block {
	axis := forkAxis(s.Results)
	t := &webpage.Table{Columns: []webpage.Column{{Title: "benchmark"}}}
	if p.sided {
		t.Columns = append(t.Columns, webpage.Column{Title: "side"})
	}
	t.Columns = append(t.Columns, webpage.Column{Title: "median", Number: true}, webpage.Column{Title: p.level + " interval", Number: true})
	if p.another {
		t.Columns = append(t.Columns, webpage.Column{Title: anotherTitle, Number: true})
	}
	for _, u := range p.columns {
		t.Columns = append(t.Columns, webpage.Column{Title: u, Number: true})
	}
	t.Columns = append(t.Columns, webpage.Column{Title: "forks around the median", Axis: axis})
	for _, b := range p.blocks {
		g := webpage.Group{Title: b.pkg}
		for i := range b.rows {
			g.Rows = append(g.Rows, p.htmlRows(&b.rows[i], axis)...)
		}
		t.Groups = append(t.Groups, g)
	}
	return webpage.Block{Title: "Results", Table: t, Notes: intervalNotes(s.Results), Help: helpResults}
}

// htmlRows returns the row of a benchmark, and those of its units without a column.
func (p *view) htmlRows(r *row, axis *webpage.Axis) []webpage.Row {
	lead := func(name, side, marks string) []webpage.Cell {
		cells := []webpage.Cell{{Text: name, Marks: marks}}
		if p.sided {
			cells = append(cells, webpage.Cell{Text: side})
		}
		return cells
	}
	cells := lead(r.name, r.side, r.marks)
	if r.failed != "" {
		return []webpage.Row{{Kind: webpage.Bad, Cells: append(cells, webpage.Cell{Text: r.failed, Kind: webpage.Bad})}}
	}
	cells = append(cells, htmlFigure(r.main, r.main.long)...)
	if p.another {
		cells = append(cells, webpage.Cell{Text: another(r.res)})
	}
	for _, u := range p.columns {
		cells = append(cells, webpage.Cell{Text: p.column(r.res, u), Value: metricValue(r.res, u)})
	}
	cells = append(cells, webpage.Cell{Text: r.forks(), Span: forkSpan(r, axis)})
	out := []webpage.Row{{Cells: cells}}
	for _, f := range p.under(r, true) {
		cells := append(lead(f.unit, "", ""), htmlFigure(f, f.short)...)
		out = append(out, webpage.Row{Detail: true, Cells: append(cells, make([]webpage.Cell, len(out[0].Cells)-len(cells))...)})
	}
	return out
}

// htmlFigure returns a figure and its interval.
func htmlFigure(f figure, unit string) []webpage.Cell {
	return []webpage.Cell{{Text: f.value, Unit: unit, Value: exactValue(f.exact)}, f.html()}
}

// exactValue returns a number without rounding, by which a column is sorted.
func exactValue(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// metricValue returns the exact value of a benchmark's metric, "" if it has none.
func metricValue(r *result.Benchmark, unit string) string {
	for _, m := range r.Metrics {
		if m.Unit == unit {
			return exactValue(float64(m.Median))
		}
	}
	return ""
}

// Relative distances from the median that the axis of forks shows at least and at most.
const (
	leastAxis = 0.02
	mostAxis  = 0.5
)

// forkAxis returns an axis on which nearly all forks of all benchmarks lie: the relative distance of a fork from its
// benchmark's median, to both sides.
func forkAxis(rs []result.Benchmark) *webpage.Axis {
	var far []float64
	for i := range rs {
		for _, v := range rs[i].Values {
			if d := math.Abs(relative(float64(v), float64(rs[i].Median))); !math.IsNaN(d) && !math.IsInf(d, 0) {
				far = append(far, d)
			}
		}
	}
	width := leastAxis
	if len(far) > 0 {
		slices.Sort(far)
		width = min(max(stat.Quantile(far, 0.95), leastAxis), mostAxis)
	}
	width = math.Ceil(width*100) / 100
	text := units.Level(width)
	return &webpage.Axis{Lo: -width, Hi: width, Left: "−" + text, Right: "+" + text}
}

func relative(v, median float64) float64 { return v/median - 1 }

// maxSeries is the most forks that are drawn in the order of time.
const maxSeries = 1000

// series returns the values of the forks in the unit of the row, in the order of time; "" for one alone, or too many.
func series(r *row) string {
	n := len(r.res.Values)
	if n < 2 || n > maxSeries {
		return ""
	}
	div := units.ScaleOf(r.res.Unit, float64(r.res.Median)).Div
	var b strings.Builder
	for i, v := range r.res.Values {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatFloat(float64(v)/div, 'g', 4, 64))
	}
	return b.String()
}

// forkSpan returns the interval and the forks of a benchmark, relative to the median.
func forkSpan(r *row, axis *webpage.Axis) *webpage.Span {
	m := float64(r.res.Median)
	if !(m > 0) {
		return nil
	}
	s := &webpage.Span{Axis: axis, Lo: relative(float64(r.res.Lo), m), Hi: relative(float64(r.res.Hi), m), Unit: r.main.long, Series: series(r)}
	for _, v := range r.res.Values {
		s.Values = append(s.Values, relative(float64(v), m))
	}
	s.Words = fmt.Sprintf("%s of %s", units.Plural(len(s.Values), "fork"), r.name)
	if r.main.lo != "" {
		s.Words += fmt.Sprintf("; interval %s to %s %s", r.main.lo, r.main.hi, r.main.long)
	}
	return s
}
