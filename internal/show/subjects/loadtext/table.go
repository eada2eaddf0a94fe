package loadtext

import (
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

// column is a figure of a latency that has a column.
type column struct {
	title   string
	value   func(*result.Latency) int64
	percent float64 // of a percentile, else 0
}

// columns returns the figures of a latency.
func columns(verbose bool) []column {
	all := []column{
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

// wholeMean returns a mean in whole ns: the nearest below a microsecond, where these are
// shown, and else without the rest, since three digits are rounded once.
func wholeMean(ns float64) int64 {
	if ns < 1000 {
		return int64(ns + 0.5)
	}
	return int64(ns)
}

// kindNote returns what a kind of latency is.
func kindNote(kind string) string {
	switch kind {
	case record.TagResponse:
		return "from the due time"
	case record.TagService:
		return "since it was sent"
	case result.KindCorrected:
		return "estimated from service"
	case record.TagFailed:
		return "of errors"
	case record.TagLateness:
		return "tare's own"
	case record.TagUnanswered:
		return "waited in vain"
	case record.TagUnansweredService:
		return "in flight in vain"
	}
	return ""
}

// latencies prints the table of latencies, a block for each operation. Where there is no room,
// what the kinds mean goes below the table, then the mean and p90 go.
func (t *view) latencies(rows []result.Latency, all bool) {
	tb, rows := t.latencyTable(rows, all)
	if len(rows) == 0 {
		t.Print(termtext.Normal, "no operation was answered")
		t.Blank()
		return
	}
	f := tb.Fit(t.Charset, t.Columns, 0)
	t.Table(f)
	if !f.Shows(len(tb.Columns) - 1) {
		t.Items(termtext.Dim, legend(rows)...)
	}
	t.Blank()
}

// latencyTable returns a table with a row for each operation and kind of latency. It omits the generator's own
// lateness unless verbose is set, because it is printed below.
func (t *view) latencyTable(all []result.Latency, verbose bool) (tb *table.Table, rows []result.Latency) {
	rows = slices.DeleteFunc(slices.Clone(all), func(l result.Latency) bool {
		return !verbose && (l.Kind == record.TagLateness || l.Kind == record.TagUnansweredService && !t.closedLoop())
	})
	cols := columns(verbose)
	tb = &table.Table{Columns: []table.Column{{}, {Title: "count", Kind: table.Right}}}
	for _, c := range cols {
		col := table.Column{Title: c.title, Kind: table.Right}
		if c.title == "mean" || c.title == "p90" {
			col.Drop, col.Quiet = 2, true
		}
		tb.Columns = append(tb.Columns, col)
	}
	tb.Columns = append(tb.Columns, table.Column{Gap: 1}, table.Column{Gap: 1, Drop: 1})
	for i := range rows {
		l := &rows[i]
		name := t.Name(l.Name)
		cells := []table.Cell{{Text: "  " + t.Name(l.Kind)}, {Text: units.Count(l.Count)}}
		for _, c := range cols {
			cells = append(cells, latencyCell(l, c.title, c.value(l), t.floor(l.Kind)))
		}
		cells = append(cells,
			table.Cell{Text: t.Marks(&t.notes, name+" "+l.Kind, restsOnFew(l, cols)), Style: termtext.Yellow},
			table.Cell{Text: kindNote(l.Kind), Style: termtext.Dim})
		tb.Under(name, table.Line{Cells: cells})
	}
	return tb, rows
}

func (t *view) closedLoop() bool { return t.s.Load != nil && t.s.Load.ClosedLoop }

// legend returns what the kinds are, where there is no room for it beside them.
func legend(rows []result.Latency) []string {
	var items, kinds []string
	for i := range rows {
		k := rows[i].Kind
		if note := kindNote(k); note != "" && !slices.Contains(kinds, k) {
			kinds, items = append(kinds, k), append(items, k+": "+note)
		}
	}
	return items
}

// floor returns the time in ns below which figures of a kind are not resolvable.
func (t *view) floor(kind string) int64 {
	if t.s.Load == nil {
		return 0
	}
	return t.s.Load.FloorOf(kind)
}

// latencyCell shows a figure of a latency: with > if it is a lower bound.
func latencyCell(l *result.Latency, figure string, ns, floor int64) table.Cell {
	c := table.Cell{Text: units.Time(ns)}
	if l.IsAtLeast(figure) {
		c.Text, c.Style = "> "+c.Text, termtext.Yellow
		return c
	}
	if ns < floor {
		c.Style = termtext.Dim
	}
	return c
}

// restsOnFew returns the warning about the percentiles of a row that rest on few values: the
// lowest of them and those above.
func restsOnFew(l *result.Latency, cols []column) []result.Warning {
	switch l.Kind {
	case record.TagFailed, result.KindCorrected, record.TagUnanswered, record.TagUnansweredService:
		return nil
	}
	for i, c := range cols {
		if c.percent == 0 || l.IsAtLeast(c.title) || l.Beyond(c.percent) >= latencies.FewBeyond {
			continue
		}
		w := result.WarningOf(diagnosis.Warn(diagnosis.FewBeyond, diagnosis.Facts{"percentile": c.title, "more": i+1 < len(cols) && cols[i+1].percent > 0}))
		w.Figure, w.Severity = c.title, -c.percent
		return []result.Warning{w}
	}
	return nil
}
