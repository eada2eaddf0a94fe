package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// details prints what -v adds, as a table of its own: it would leave no room for
// the bars, which say the same at a glance.
func (t *textReport) details() {
	if tb := t.detailTable(); len(tb.Blocks) > 0 {
		t.Table(tb.Fit(t.Charset, t.Columns, textpage.LeastName))
		t.Blank()
	}
}

func (t *textReport) detailTable() *table.Table {
	tb := &table.Table{Columns: t.leadHeads()}
	titles := t.detailTitles()
	for i, title := range titles {
		c := table.Column{Title: title, Kind: table.Figures, Drop: len(titles) - i}
		if i == 0 || title == titleAdvice {
			c.Gap = 3
		}
		if title == titleAdvice {
			c.Kind = table.Words
		}
		tb.Columns = append(tb.Columns, c)
	}
	for _, b := range t.blocks {
		tblock := table.Block{Title: b.pkg}
		for i := range b.rows {
			r := &b.rows[i]
			if r.failed != "" {
				continue
			}
			cells := t.lead(r)
			for _, d := range t.detail(r.res, titles) {
				cells = append(cells, table.Cell{Text: d})
			}
			tblock.Lines = append(tblock.Lines, table.Line{Cells: cells})
		}
		if len(tblock.Lines) > 0 {
			tb.Blocks = append(tb.Blocks, tblock)
		}
	}
	return tb
}

// detailTitles returns the columns that -v adds; the last two only where there is
// something in them.
func (p *view) detailTitles() []string {
	titles := []string{"within forks", "between forks", "forks", "coverage", "operations"}
	hasLayouts, advice, planned := false, false, false
	for _, b := range p.blocks {
		for i := range b.rows {
			hasLayouts = hasLayouts || layouts(b.rows[i].res) != units.None
			advice = advice || b.rows[i].res.Advice != ""
			planned = planned || b.rows[i].res.Planned.Iterations > 0
		}
	}
	if planned {
		titles = append(titles, titlePlanned)
	}
	if hasLayouts {
		titles = append(titles, titleLayouts)
	}
	if advice {
		titles = append(titles, titleAdvice)
	}
	return titles
}

const (
	titlePlanned = "iterations"
	titleLayouts = "layouts"
	titleAdvice  = "to measure better"
)

// detail returns the figures under detailTitles: the spread of the iterations inside
// a fork and of the forks, what layouts add to it, how many forks count, the true coverage of the
// interval (forks are few, so that it cannot be what was asked for exactly), and
// the operations of an iteration, and where more measuring pays.
func (p *view) detail(r *result.Benchmark, titles []string) []string {
	out := []string{
		spread(r.SpreadWithin), spread(r.SpreadBetween),
		strconv.Itoa(r.Forks), coverage(r.Confidence), p.operations(r),
	}
	if slices.Contains(titles, titlePlanned) {
		out = append(out, p.planned(r))
	}
	if slices.Contains(titles, titleLayouts) {
		out = append(out, layouts(r))
	}
	if slices.Contains(titles, titleAdvice) {
		out = append(out, p.Text(cmp.Or(r.Advice, units.None)))
	}
	return out[:len(titles)]
}

// layouts returns what code layouts add to the spread, if there were several.
func layouts(r *result.Benchmark) string {
	for _, c := range r.Components {
		if c.Level == result.LevelLayout {
			return units.Percent(float64(c.SD))
		}
	}
	return units.None
}

// operations returns how many an iteration has.
func (p *view) operations(r *result.Benchmark) string {
	switch {
	case r.N > 0:
		return units.Count(r.N)
	case r.Mode == "":
		return units.None
	}
	return "by " + p.Name(r.Mode)
}

// planned returns the measured iterations of a fork and their length, and why they are not shorter.
func (p *view) planned(r *result.Benchmark) string {
	x := r.Planned
	if x.Iterations == 0 {
		return units.None
	}
	s := fmt.Sprintf("%d × %s", x.Iterations, units.Duration(x.Time))
	if x.Long != "" {
		s += ": " + x.Long
	}
	return p.Text(s)
}

// spread writes a relative spread, of which 0 means that it is not known.
func spread(x float64) string {
	if x == 0 {
		return units.None
	}
	return units.Percent(x)
}

// coverage returns a coverage in percent with one decimal more than spread, because the values are near 100 %.
func coverage(x float64) string {
	if x == 0 {
		return units.None
	}
	return units.PercentTo(x, 1)
}
