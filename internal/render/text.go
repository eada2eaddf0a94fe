package render

import (
	"bytes"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// textReport is a text report being written.
type textReport struct {
	*page
	b     *bytes.Buffer
	n     int // columns
	color bool
	side  int // columns of a side's name in the table at hand; 0: all
}

func newText(b *bytes.Buffer, s *result.Result, o Options) *textReport {
	return &textReport{page: newPage(s, newGlyphs(o.UTF8), o.Verbose), b: b, n: termtext.Columns(o.Width), color: o.Color}
}

func writeText(b *bytes.Buffer, s *result.Result, o Options) {
	if s.IsTime() {
		writeTimes(b, s, o)
		return
	}
	t := newText(b, s, o)
	t.head(s)
	if len(t.versus) > 0 {
		t.comparisons(o.Verbose)
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
	t.growths(s, o.Verbose)
	t.goroutines(s, o.Verbose)
	t.heapShow(s, o.Verbose)
	t.sampled(s, o.Verbose)
	t.traced(s, o.Verbose)
	t.failures()
	t.foot(s, o.Verbose)
}

func (t *textReport) print(st termtext.Style, lines ...string) {
	for _, l := range lines {
		t.b.WriteString(st.Paint(l, t.color))
		t.b.WriteByte('\n')
	}
}

// hung prints lines behind a heading, the later ones below the first.
func (t *textReport) hung(st termtext.Style, head string, lines []string) {
	for i, l := range lines {
		if i > 0 {
			head = termtext.Pad(termtext.Width(head))
		}
		t.print(st, head+l)
	}
}

// head says where and how was measured.
func (t *textReport) head(s *result.Result) {
	lines := t.join(t.header(s), t.n)
	t.print(termtext.Dim, lines...)
	const sides = "sides: "
	about := t.flow(t.sides(s), t.n-termtext.Width(sides))
	t.hung(termtext.Dim, sides, about)
	if len(lines)+len(about) > 0 {
		t.print(termtext.Normal, "")
	}
}

// results prints the table of figures in the first of several shapes that fits:
// the bars go first, then names are shortened down to 32 columns, then the units
// move from columns to rows of their own, and at last all names become very short.
func (t *textReport) results() {
	if len(t.blocks) == 0 {
		t.print(termtext.Normal, "no results", "")
		return
	}
	const enough = 32 // columns of a shortened name that still tell what it is
	shapes := []struct {
		columns, spark bool
		name           int // shorten names, but to no less; 0: not at all
		side           int // columns of a side's name
	}{
		{true, true, 0, maxSide}, {true, false, 0, maxSide}, {true, false, enough, maxSide},
		{false, false, 0, maxSide}, {false, false, 12, maxSide}, {false, false, 6, 8},
	}
	for i, shape := range shapes {
		t.side = shape.side
		tb := t.table(shape.columns, shape.spark)
		sizes := tb.layout()
		room := t.n - (tb.total(sizes) - sizes[0].whole)
		last := i == len(shapes)-1
		switch {
		case sizes[0].whole <= room:
		case last || shape.name > 0 && room >= shape.name:
			tb.shrink(t.glyphs, max(room, shape.name), sizes)
		default:
			continue
		}
		t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		break
	}
	t.print(termtext.Normal, "")
}

// table builds the table, with units in columns or in rows of their own.
func (t *textReport) table(columns, spark bool) *table {
	tb := &table{columns: t.columnHeads(columns, spark)}
	for _, b := range t.blocks {
		tblock := tableBlock{title: b.pkg}
		for i := range b.rows {
			r := &b.rows[i]
			tblock.lines = append(tblock.lines, t.mainLine(r, columns, spark))
			below := t.under(r, columns)
			if f := r.forks(); f != "" && !columns {
				below = append(below, figure{unit: "forks", value: f})
			}
			for _, f := range below {
				lead := t.lead(&row{name: "  " + f.unit})
				tblock.lines = append(tblock.lines, tableLine{cells: append(lead, t.figureCells(f, f.short)...)})
			}
		}
		tb.blocks = append(tb.blocks, tblock)
	}
	return tb
}

func (t *textReport) columnHeads(columns, spark bool) []column {
	out := append(t.leadHeads(),
		column{title: "median", gap: 3, kind: figures, join: " "},
		column{title: t.level + " interval", gap: 3, kind: ends, join: t.dots, mid: true})
	if t.marked() {
		out = append(out, column{gap: 1})
	}
	if columns {
		for i, u := range t.columns {
			gap := 2
			if i == 0 {
				gap = 3
			}
			out = append(out, column{title: u, gap: gap, kind: columnKind(u)})
		}
	}
	if spark {
		out = append(out, column{title: "forks in order", gap: 3})
	}
	if t.flaky && columns {
		out = append(out, column{gap: 2})
	}
	return out
}

func (t *textReport) leadHeads() []column {
	if t.sided {
		return []column{{}, {title: "side", gap: 3}}
	}
	return []column{{}}
}

func (t *textReport) marked() bool { return len(t.notes.list) > 0 }

func (t *textReport) mainLine(r *row, columns, spark bool) tableLine {
	if r.failed != "" {
		return tableLine{cells: t.lead(r), rest: strings.TrimRight(r.failed+"  "+r.marks, " "), style: termtext.Red}
	}
	l := tableLine{cells: append(t.lead(r), t.figureCells(r.main, r.main.long)...)}
	if t.marked() {
		l.cells = append(l.cells, cell{text: r.marks, style: termtext.Yellow})
	}
	if columns {
		for _, u := range t.columns {
			l.cells = append(l.cells, cell{text: t.column(r.res, u)})
		}
	}
	if spark {
		l.cells = append(l.cells, cell{text: t.sparkline(r.res.Values, float64(r.res.Median)), style: termtext.Dim})
	}
	if f := r.forks(); f != "" && columns {
		l.cells = append(l.cells, cell{text: "forks " + f, style: termtext.Yellow})
	}
	return l
}

// lead are the cells that say what a row is about.
func (t *textReport) lead(r *row) []cell {
	name := "  " + r.name
	if r.repeat {
		name = ""
	}
	cells := []cell{{text: name}}
	if t.sided {
		side := r.side
		if t.side > 0 {
			side = t.Middle(side, t.side)
		}
		cells = append(cells, cell{text: side})
	}
	return cells
}

// figureCells are a figure and its interval.
func (t *textReport) figureCells(f figure, unit string) []cell {
	interval := cell{text: f.lo, tail: f.hi}
	if f.lo == "" {
		interval = cell{text: f.note, free: true}
	}
	if f.doubt {
		interval.style = termtext.Yellow
	}
	return []cell{{text: f.value, tail: unit}, interval}
}

// failures prints what failed forks printed last.
func (t *textReport) failures() {
	for _, o := range t.outputs {
		t.print(termtext.Red, t.Middle(o.of, t.n-1)+":")
		for _, l := range o.lines {
			for _, part := range chop(l, t.n-4) {
				t.print(termtext.Normal, strings.TrimRight("    "+part, " "))
			}
		}
		t.print(termtext.Normal, "")
	}
}

// foot prints what the tool weighs, the doubts, and how to repeat the run.
func (t *textReport) foot(s *result.Result, verbose bool) {
	notes := t.notes.brief(t.mark)
	t.footLines(s, t.tare(s.Tare, verbose), t.warnings(s), notes...)
}

// footLines prints what the tool adds, the warnings, the footnotes, and how to repeat the run.
func (t *textReport) footLines(s *result.Result, overhead []string, warnings []result.Warning, notes ...result.Warning) {
	const tare, partial, repeat = "tare: ", "partial: ", "repeat: "
	t.hung(termtext.Dim, tare, t.join(overhead, t.n-termtext.Width(tare)))
	for _, w := range warnings {
		t.print(termtext.Yellow, t.doubt("warning:", w, t.n)...)
	}
	for i, w := range notes {
		t.print(termtext.Yellow, t.doubt(t.mark(i+1), w, t.n)...)
	}
	t.hung(termtext.Red, partial, termtext.Wrap(t.partial(s), t.n-termtext.Width(partial)))
	t.hung(termtext.Dim, repeat, t.command(repeatArgs(s.Run), t.n-termtext.Width(repeat)))
}
