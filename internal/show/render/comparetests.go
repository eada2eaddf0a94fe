package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// tests prints what -v adds, as a table of its own.
func (t *textReport) tests(v *versus) {
	if !v.tested {
		return
	}
	t.Table(t.testTable(v).Fit(t.Charset, t.Columns, textpage.LeastName))
	t.Blank()
}

func (t *textReport) testTable(v *versus) *table.Table {
	tb := &table.Table{Columns: []table.Column{{}}}
	for i, title := range testTitles() {
		c := table.Column{Title: title, Gap: 3, Kind: table.Figures, Drop: len(testTitles()) - i}
		if i == bootstrapInterval {
			c.Kind, c.Join, c.Mid = table.Right, units.Dots, true
		}
		tb.Columns = append(tb.Columns, c)
	}
	add := func(b *table.Block, name string, r *ratio) {
		cells := []table.Cell{{Text: name}}
		for i, w := range test(r) {
			c := table.Cell{Text: w}
			if i == bootstrapInterval {
				lo, hi, found := strings.Cut(w, units.Dots)
				c = table.Cell{Text: lo, Tail: hi, Free: !found}
			}
			cells = append(cells, c)
		}
		b.Lines = append(b.Lines, table.Line{Cells: cells})
	}
	for _, b := range v.blocks {
		tblock := table.Block{Title: b.pkg}
		for _, x := range b.pairs {
			if x.main != nil {
				add(&tblock, "  "+x.name, x.main)
			} else {
				tblock.Lines = append(tblock.Lines, table.Line{Cells: []table.Cell{{Text: "  " + x.name}}})
			}
			for i := range x.under {
				add(&tblock, "    "+x.under[i].unit, &x.under[i])
			}
		}
		tb.Blocks = append(tb.Blocks, tblock)
	}
	return tb
}

// testTitles returns the columns that -v adds to a comparison.
func testTitles() []string {
	return []string{"p", "adjusted p", "ratio of medians", "its interval", "forks"}
}

// bootstrapInterval is the column of testTitles that holds an interval.
const bootstrapInterval = 3

// test returns the figures under testTitles.
func test(r *ratio) []string {
	c := r.c
	if c.Verdict == identical {
		return []string{"", "", "", "", forksOf(c.OldN, c.NewN)}
	}
	out := []string{units.Probability(float64(c.P)), units.Probability(float64(c.AdjustedP)), units.None, ""}
	if b := c.Bootstrap; b != nil {
		n := ratioRounding(float64(b.Median), float64(b.Lo), float64(b.Hi), claimed(c))
		out[2] = multiple(float64(b.Median), n)
		if b.Lo < b.Hi && !math.IsInf(float64(b.Hi), 1) {
			out[3] = multiple(float64(b.Lo), n) + units.Dots + multiple(float64(b.Hi), n)
		}
	}
	return append(out, forksOf(c.OldN, c.NewN))
}

// forksOf returns a text such as "20/18": those of the old and of the new side.
func forksOf(old, new int) string { return strconv.Itoa(old) + "/" + strconv.Itoa(new) }
