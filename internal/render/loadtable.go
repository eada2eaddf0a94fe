package render

import (
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// fewBeyond is how many values must lie beyond a percentile for another run to
// have nearly the same.
const fewBeyond = 10

// loadColumn is a figure of a latency that has a column.
type loadColumn struct {
	title   string
	value   func(*result.Latency) int64
	percent float64 // of a percentile, else 0
}

// loadColumns are the figures of a latency.
func loadColumns(verbose bool) []loadColumn {
	all := []loadColumn{
		{"min", func(l *result.Latency) int64 { return l.Min }, 0},
		{"mean", func(l *result.Latency) int64 { return wholeMean(l.Mean) }, 0},
		{"p50", func(l *result.Latency) int64 { return l.P50 }, 50},
		{"p90", func(l *result.Latency) int64 { return l.P90 }, 90},
		{"p99", func(l *result.Latency) int64 { return l.P99 }, 99},
		{"p99.9", func(l *result.Latency) int64 { return l.P999 }, 99.9},
		{"p99.99", func(l *result.Latency) int64 { return l.P9999 }, 99.99},
		{"max", func(l *result.Latency) int64 { return l.Max }, 0},
	}
	if verbose {
		return all
	}
	return append(all[1:6:6], all[7])
}

// wholeMean is a mean in whole ns: the nearest below a microsecond, where these are
// shown, and else without the rest, since three digits are rounded once.
func wholeMean(ns float64) int64 {
	if ns < 1000 {
		return int64(ns + 0.5)
	}
	return int64(ns)
}

// kindNote says what a kind of latency is.
func (t *loadText) kindNote(kind string) string {
	switch kind {
	case record.TagResponse:
		return "from the due time"
	case record.TagService:
		return "what an omitting tool says"
	case result.KindCorrected:
		return "estimated from service"
	case record.TagFailed:
		return "of errors"
	case record.TagLateness:
		return "tare's own"
	}
	return ""
}

// latencies prints the table of latencies, a block for each operation, in the
// first of several shapes that fits: what the kinds mean goes below the table,
// then the mean and p90 go. The generator's own lateness stands below.
func (t *loadText) latencies(rows []result.Latency, verbose bool) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(l result.Latency) bool { return l.Kind == record.TagLateness && !verbose })
	if len(rows) == 0 {
		t.print(termtext.Normal, "no operation was answered", "")
		return
	}
	cols := loadColumns(verbose)
	few := slices.DeleteFunc(slices.Clone(cols), func(c loadColumn) bool { return c.title == "mean" || c.title == "p90" })
	legend := t.legend(rows)
	for i, shape := range []struct {
		cols  []loadColumn
		notes bool
	}{{cols, true}, {cols, false}, {few, false}} {
		tb := t.latencyTable(rows, shape.cols, shape.notes)
		if sizes := tb.layout(); i == 2 || tb.total(sizes) <= t.n {
			t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
			if !shape.notes {
				t.print(termtext.Dim, legend...)
			}
			break
		}
	}
	t.print(termtext.Normal, "")
}

func (t *loadText) latencyTable(rows []result.Latency, cols []loadColumn, notes bool) *table {
	tb := &table{columns: []column{{}, {title: "count", gap: 2, kind: ends}}}
	for _, c := range cols {
		tb.columns = append(tb.columns, column{title: c.title, gap: 2, kind: ends})
	}
	tb.columns = append(tb.columns, column{gap: 1})
	if notes {
		tb.columns = append(tb.columns, column{gap: 1})
	}
	for i := range rows {
		l := &rows[i]
		if k := len(tb.blocks); k == 0 || tb.blocks[k-1].title != t.Name(l.Name) {
			tb.blocks = append(tb.blocks, tableBlock{title: t.Name(l.Name)})
		}
		cells := []cell{{text: "  " + t.Name(l.Kind)}, {text: t.number(float64(l.Count), rounding{})}}
		for _, c := range cols {
			cells = append(cells, t.latencyCell(c.value(l), t.floor()))
		}
		cells = append(cells, cell{text: t.notes.marks(t.glyphs, restsOnFew(l, cols)), style: termtext.Yellow})
		if notes {
			cells = append(cells, cell{text: t.kindNote(l.Kind), style: termtext.Dim})
		}
		b := &tb.blocks[len(tb.blocks)-1]
		b.lines = append(b.lines, tableLine{cells: cells})
	}
	return tb
}

// legend says what the kinds are, where there is no room for it beside them.
func (t *loadText) legend(rows []result.Latency) []string {
	var items, kinds []string
	for i := range rows {
		k := rows[i].Kind
		if note := t.kindNote(k); note != "" && !slices.Contains(kinds, k) {
			kinds, items = append(kinds, k), append(items, k+": "+note)
		}
	}
	return t.join(items, t.n)
}

// floor is below what figures are not resolvable.
func (t *loadText) floor() int64 {
	if t.s.Load == nil {
		return 0
	}
	return t.s.Load.Floor
}

func (t *loadText) latencyCell(ns, floor int64) cell {
	c := cell{text: t.latency(ns)}
	if ns < floor {
		c.style = termtext.Dim
	}
	return c
}

// restsOnFew is the doubt about the percentiles of a row that rest on few values: the
// lowest of them and those above.
func restsOnFew(l *result.Latency, cols []loadColumn) []result.Warning {
	if l.Kind == record.TagFailed || l.Kind == result.KindCorrected {
		return nil
	}
	for i, c := range cols {
		if c.percent == 0 || l.Beyond(c.percent) >= fewBeyond {
			continue
		}
		which := c.title + " rests"
		if i+1 < len(cols) && cols[i+1].percent > 0 {
			which = c.title + " and above rest"
		}
		return []result.Warning{{Text: which + " on fewer than 10 values: the next run will have others", Advice: "a longer run has more"}}
	}
	return nil
}

// latency writes a time in ns with three digits, in the unit that suits it.
func (g glyphs) latency(ns int64) string {
	x := float64(ns)
	s := scaleOf("ns", x, g)
	if s.div == 1 {
		return g.number(x, rounding{}) + " " + s.long()
	}
	x /= s.div
	places := 2 - magnitudeOf3(x)
	return g.number(x, rounding{places: max(places, 0)}) + " " + s.long()
}

// magnitudeOf3 is the power of ten of x's first digit after rounding it to three.
func magnitudeOf3(x float64) int {
	switch {
	case x >= 99.95:
		return 2
	case x >= 9.995:
		return 1
	}
	return 0
}
