package report

import (
	"strconv"

	"github.com/tarebench/tare/summary"
)

// details prints what -v adds, as a table of its own: it would leave no room for
// the bars, which say the same at a glance. What does not fit is left out from
// the right.
func (t *textReport) details() {
	const least = 12 // columns of a shortened name
	for n := len(detailTitles()); n > 0; n-- {
		tb := t.detailTable(n)
		if len(tb.blocks) == 0 {
			return
		}
		sizes := tb.layout()
		room := t.n - (tb.total(sizes) - sizes[0].whole)
		if room < least && room < sizes[0].whole && n > 1 {
			continue
		}
		tb.shrink(t.glyphs, max(room, least), sizes)
		t.print(normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		t.print(normal, "")
		return
	}
}

// detailTable is the table with the first n details.
func (t *textReport) detailTable(n int) *table {
	tb := &table{columns: t.leadHeads()}
	for i, title := range detailTitles()[:n] {
		gap := 2
		if i == 0 {
			gap = 3
		}
		tb.columns = append(tb.columns, column{title: title, gap: gap, kind: figures})
	}
	for _, b := range t.blocks {
		tblock := tableBlock{title: b.pkg}
		for i := range b.rows {
			r := &b.rows[i]
			if r.failed != "" {
				continue
			}
			cells := t.lead(r)
			for _, d := range t.detail(r.res)[:n] {
				cells = append(cells, cell{text: d})
			}
			tblock.lines = append(tblock.lines, tableLine{cells: cells})
		}
		if len(tblock.lines) > 0 {
			tb.blocks = append(tb.blocks, tblock)
		}
	}
	return tb
}

// detailTitles are the columns that -v adds.
func detailTitles() []string {
	return []string{"within forks", "between forks", "forks", "coverage", "operations"}
}

// detail are the figures under detailTitles: the spread of the iterations inside
// a fork and of the forks, how many forks count, the true coverage of the
// interval (forks are few, so that it cannot be what was asked for exactly), and
// the operations of an iteration.
func (p *page) detail(r *summary.Result) []string {
	return []string{
		p.spread(r.SpreadWithin), p.spread(r.SpreadBetween),
		strconv.Itoa(r.Forks), p.coverage(r.Confidence), p.operations(r),
	}
}

// operations says how many an iteration has.
func (p *page) operations(r *summary.Result) string {
	switch {
	case r.N > 0:
		return group(strconv.FormatInt(r.N, 10))
	case r.Mode == "":
		return p.none
	}
	return "by " + p.name(r.Mode)
}

// spread writes a relative spread, of which 0 means that it is not known.
func (p *page) spread(x float64) string {
	if x == 0 {
		return p.none
	}
	return p.percent(x)
}

// coverage keeps a decimal more than spread: what matters is near 100 %.
func (p *page) coverage(x float64) string {
	if x == 0 {
		return p.none
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + " %"
}
