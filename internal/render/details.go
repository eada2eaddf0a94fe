package render

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// details prints what -v adds, as a table of its own: it would leave no room for
// the bars, which say the same at a glance. What does not fit is left out from
// the right.
func (t *textReport) details() {
	for n := len(t.detailTitles()); n > 0; n-- {
		tb := t.detailTable(n)
		if len(tb.blocks) == 0 {
			return
		}
		if t.squeeze(tb, n == 1) {
			return
		}
	}
}

// detailTable is the table with the first n details.
func (t *textReport) detailTable(n int) *table {
	tb := &table{columns: t.leadHeads()}
	titles := t.detailTitles()[:n]
	for i, title := range titles {
		c := column{title: title, gap: 2, kind: figures}
		if i == 0 || title == titleAdvice {
			c.gap = 3
		}
		if title == titleAdvice {
			c.kind = words
		}
		tb.columns = append(tb.columns, c)
	}
	for _, b := range t.blocks {
		tblock := tableBlock{title: b.pkg}
		for i := range b.rows {
			r := &b.rows[i]
			if r.failed != "" {
				continue
			}
			cells := t.lead(r)
			for _, d := range t.detail(r.res, titles) {
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

// detailTitles are the columns that -v adds; the last two only where there is
// something in them.
func (p *page) detailTitles() []string {
	titles := []string{"within forks", "between forks", "forks", "coverage", "operations"}
	layouts, advice := false, false
	for _, b := range p.blocks {
		for i := range b.rows {
			layouts = layouts || p.layouts(b.rows[i].res) != p.none
			advice = advice || b.rows[i].res.Advice != ""
		}
	}
	if layouts {
		titles = append(titles, titleLayouts)
	}
	if advice {
		titles = append(titles, titleAdvice)
	}
	return titles
}

const (
	titleLayouts = "layouts"
	titleAdvice  = "to measure better"
)

// detail are the figures under detailTitles: the spread of the iterations inside
// a fork and of the forks, what layouts add to it, how many forks count, the true coverage of the
// interval (forks are few, so that it cannot be what was asked for exactly), and
// the operations of an iteration, and where more measuring pays.
func (p *page) detail(r *result.Benchmark, titles []string) []string {
	out := []string{
		p.spread(r.SpreadWithin), p.spread(r.SpreadBetween),
		strconv.Itoa(r.Forks), p.coverage(r.Confidence), p.operations(r),
	}
	if slices.Contains(titles, titleLayouts) {
		out = append(out, p.layouts(r))
	}
	if slices.Contains(titles, titleAdvice) {
		out = append(out, p.Text(cmp.Or(r.Advice, p.none)))
	}
	return out[:len(titles)]
}

// layouts is what code layouts add to the spread, if there were several.
func (p *page) layouts(r *result.Benchmark) string {
	for _, c := range r.Components {
		if c.Level == result.LevelLayout {
			return p.percent(float64(c.SD))
		}
	}
	return p.none
}

// operations says how many an iteration has.
func (p *page) operations(r *result.Benchmark) string {
	switch {
	case r.N > 0:
		return group(strconv.FormatInt(r.N, 10))
	case r.Mode == "":
		return p.none
	}
	return "by " + p.Name(r.Mode)
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

// squeeze prints a table if there is room for its names, shortened if need be;
// the last try always prints.
func (t *textReport) squeeze(tb *table, last bool) bool {
	const least = 12 // columns of a shortened name
	sizes := tb.layout()
	room := t.n - (tb.total(sizes) - sizes[0].whole)
	if room < least && room < sizes[0].whole && !last {
		return false
	}
	tb.shrink(t.glyphs, max(room, least), sizes)
	t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
	t.print(termtext.Normal, "")
	return true
}
