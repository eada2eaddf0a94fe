package render

import (
	"bytes"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// textReport is a text report being written.
type textReport struct {
	*view
	side int // cells of a side's name in the table at hand; 0: all
}

func newText(s *result.Result, o Options) *textReport { return &textReport{view: newView(s, o)} }

func writeText(b *bytes.Buffer, s *result.Result, o Options) {
	if s.IsTime() {
		writeTimes(b, s, o)
		return
	}
	t := newText(s, o)
	t.head(s)
	t.lostFirst()
	if len(t.versus) > 0 {
		t.comparisons()
		if o.Verbose {
			t.addResults(s)
		}
	}
	if len(t.versus) == 0 || len(t.blocks) > 0 {
		t.results()
	}
	if o.Verbose {
		t.details()
	}
	for _, x := range t.sections(s) {
		t.section(x)
	}
	if len(s.Stacks) > 0 {
		t.Items(termtext.Dim, "tare sample, given the record, shows their call stacks")
		t.Blank()
	}
	t.failures()
	if len(t.versus) == 0 {
		t.Items(termtext.Dim, intervalNotes(s.Results)...)
	}
	t.Foot(s, &t.notes, textpage.Overhead(s.Tare, o.Verbose))
	t.WriteTo(b)
}

// head says where and how was measured.
func (t *textReport) head(s *result.Result) {
	t.Items(termtext.Dim, header(s)...)
	t.Hang(termtext.Dim, "sides: ", t.sides(s)...)
	t.Blank()
}

// results prints the table of figures in the first of several shapes that fits:
// the bars go first, then names are shortened down to 32 cells, then the units
// move from columns to rows of their own, and at last all names become very short.
func (t *textReport) results() {
	if len(t.blocks) == 0 {
		t.Print(termtext.Normal, "no results")
		t.Blank()
		return
	}
	const enough = 32 // cells of a shortened name that still tell what it is
	shapes := []struct {
		columns, spark bool
		name           int // shorten names, but to no less; 0: not at all
		side           int // cells of a side's name
	}{
		{true, true, 0, maxSide}, {true, false, 0, maxSide}, {true, false, enough, maxSide},
		{false, false, 0, maxSide}, {false, false, 12, maxSide}, {false, false, 6, 8},
	}
	t.Table(table.First(t.Charset, t.Columns, len(shapes), func(i int) (*table.Table, int) {
		t.side = shapes[i].side
		return t.table(shapes[i].columns, shapes[i].spark), shapes[i].name
	}))
	t.Blank()
}

// table builds the table, with units in columns or in rows of their own.
func (t *textReport) table(columns, spark bool) *table.Table {
	tb := &table.Table{Columns: t.columnHeads(columns, spark)}
	for _, b := range t.blocks {
		block := table.Block{Title: b.pkg}
		for i := range b.rows {
			r := &b.rows[i]
			block.Lines = append(block.Lines, t.mainLine(r, columns, spark))
			below := t.under(r, columns)
			if f := r.forks(); f != "" && !columns {
				below = append(below, figure{unit: "forks", value: f})
			}
			for _, f := range below {
				lead := t.lead(&row{name: "  " + f.unit})
				block.Lines = append(block.Lines, table.Line{Cells: append(lead, figureCells(f, f.short)...)})
			}
		}
		tb.Blocks = append(tb.Blocks, block)
	}
	return tb
}

func (t *textReport) columnHeads(columns, spark bool) []table.Column {
	out := append(t.leadHeads(),
		table.Column{Title: "median", Gap: 3, Kind: table.Figures, Join: " "},
		table.Column{Title: t.level + " interval", Gap: 3, Kind: table.Right, Join: units.Dots, Mid: true},
		table.Column{Gap: 1})
	if t.another && columns {
		out = append(out, table.Column{Title: anotherTitle, Gap: 2, Kind: table.Right})
	}
	if columns {
		for i, u := range t.columns {
			gap := 2
			if i == 0 {
				gap = 3
			}
			out = append(out, table.Column{Title: u, Gap: gap, Kind: columnKind(u)})
		}
	}
	if spark {
		out = append(out, table.Column{Title: "forks in order", Gap: 3})
	}
	return append(out, table.Column{Gap: 2})
}

func (t *textReport) leadHeads() []table.Column {
	if t.sided {
		return []table.Column{{}, {Title: "side", Gap: 3}}
	}
	return []table.Column{{}}
}

func (t *textReport) mainLine(r *row, columns, spark bool) table.Line {
	if r.failed != "" {
		return table.Line{Cells: t.lead(r), Rest: strings.TrimRight(r.failed+"  "+r.marks, " "), Style: termtext.Red}
	}
	l := table.Line{Cells: append(t.lead(r), figureCells(r.main, r.main.long)...)}
	l.Cells = append(l.Cells, table.Cell{Text: r.marks, Style: termtext.Yellow})
	if t.another && columns {
		l.Cells = append(l.Cells, table.Cell{Text: another(r.res)})
	}
	if columns {
		for _, u := range t.columns {
			l.Cells = append(l.Cells, table.Cell{Text: t.column(r.res, u)})
		}
	}
	if spark {
		l.Cells = append(l.Cells, table.Cell{Text: sparkline(r.res.Values, float64(r.res.Median)), Style: termtext.Dim})
	}
	if f := r.forks(); f != "" && columns {
		l.Cells = append(l.Cells, table.Cell{Text: "forks " + f, Style: termtext.Yellow})
	}
	return l
}

// lead returns the cells that say what a row is about.
func (t *textReport) lead(r *row) []table.Cell {
	name := "  " + r.name
	if r.repeat {
		name = ""
	}
	cells := []table.Cell{{Text: name}}
	if t.sided {
		side := r.side
		if t.side > 0 {
			side = t.Middle(side, t.side)
		}
		cells = append(cells, table.Cell{Text: side})
	}
	return cells
}

// figureCells returns a figure and its interval.
func figureCells(f figure, unit string) []table.Cell {
	return []table.Cell{{Text: f.value, Tail: unit}, f.cell()}
}

// failures prints what failed forks printed last.
func (t *textReport) failures() {
	for _, o := range t.outputs {
		t.Print(termtext.Red, t.Middle(o.of, t.Columns-1)+":")
		for _, l := range o.lines {
			for _, part := range termtext.Chop(l, t.Columns-4) {
				t.Print(termtext.Normal, "    "+part)
			}
		}
		t.Blank()
	}
}
