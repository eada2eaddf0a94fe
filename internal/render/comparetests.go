package render

import (
	"math"
	"strconv"
	"strings"
)

// tests prints what -v adds, as a table of its own. What does not fit is left out
// from the right.
func (t *textReport) tests(v *versus) {
	if !v.tested {
		return
	}
	for n := len(testTitles()); n > 0; n-- {
		tb := t.testTable(v, n)
		if t.squeeze(tb, n == 1) {
			return
		}
	}
}

// testTable is the table with the first n columns.
func (t *textReport) testTable(v *versus, n int) *table {
	tb := &table{columns: []column{{}}}
	for i, title := range testTitles()[:n] {
		c := column{title: title, gap: 3, kind: figures}
		if i == bootstrapInterval {
			c.kind, c.join, c.mid = ends, t.dots, true
		}
		tb.columns = append(tb.columns, c)
	}
	add := func(b *tableBlock, name string, r *ratio) {
		cells := []cell{{text: name}}
		for i, w := range t.test(r)[:n] {
			c := cell{text: w}
			if i == bootstrapInterval {
				lo, hi, found := strings.Cut(w, t.dots)
				c = cell{text: lo, tail: hi, free: !found}
			}
			cells = append(cells, c)
		}
		b.lines = append(b.lines, tableLine{cells: cells})
	}
	for _, b := range v.blocks {
		tblock := tableBlock{title: b.pkg}
		for _, x := range b.pairs {
			if x.main != nil {
				add(&tblock, "  "+x.name, x.main)
			} else {
				tblock.lines = append(tblock.lines, tableLine{cells: []cell{{text: "  " + x.name}}})
			}
			for i := range x.under {
				add(&tblock, "    "+x.under[i].unit, &x.under[i])
			}
		}
		tb.blocks = append(tb.blocks, tblock)
	}
	return tb
}

// testTitles are the columns that -v adds to a comparison.
func testTitles() []string {
	return []string{"p", "adjusted p", "ratio of medians", "its interval", "forks"}
}

// bootstrapInterval is the column of testTitles that holds an interval.
const bootstrapInterval = 3

// test are the figures under testTitles.
func (p *page) test(r *ratio) []string {
	c := r.c
	if c.Verdict == identical {
		return []string{"", "", "", "", forksOf(c.OldN, c.NewN)}
	}
	out := []string{p.p(float64(c.P)), p.p(float64(c.AdjustedP)), p.none, ""}
	if b := c.Bootstrap; b != nil {
		n := ratioRounding(float64(b.Median), float64(b.Lo), float64(b.Hi), claimed(c))
		out[2] = p.multiple(float64(b.Median), n)
		if b.Lo < b.Hi && !math.IsInf(float64(b.Hi), 1) {
			out[3] = p.multiple(float64(b.Lo), n) + p.dots + p.multiple(float64(b.Hi), n)
		}
	}
	return append(out, forksOf(c.OldN, c.NewN))
}

// forksOf is "20/18": those of the old and of the new side.
func forksOf(old, new int) string { return strconv.Itoa(old) + "/" + strconv.Itoa(new) }
