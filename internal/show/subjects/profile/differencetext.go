package profile

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Text writes the largest differences of shares with their intervals, and what noise is.
func (d *Difference) Text(w io.Writer, o Options) error {
	t := newText(o, d.New.cfg)
	if o.Title != "" {
		t.Items(termtext.Bold, t.Line(o.Title))
	}
	for i, v := range []*View{d.Old, d.New} {
		t.say("%s: %s", t.Line(d.Names[i]), d.side(v))
	}
	t.kept(d.Old, d.Names[0]+": ")
	t.kept(d.New, d.Names[1]+": ")
	t.Blank()
	t.differences(d)
	t.Blank()
	for _, s := range d.Notes() {
		t.say("%s", s)
	}
	t.Warn(d.Warnings())
	return t.Flush(w)
}

// side says what one side is: how many samples, of how much.
func (d *Difference) side(v *View) string {
	var parts []string
	if v.program != "" {
		parts = append(parts, v.program)
	}
	if v.how != nil {
		parts = append(parts, units.Plural(v.how.Samples, "sample"))
	}
	what := value(v.Shown, v.Unit)
	if v.ExcludesBlocked() {
		what += " running, " + value(v.Blocked, v.Unit) + " blocked"
	}
	return strings.Join(append(parts, what), ", ")
}

// By returns which share the text is about: of self, or of total.
func (d *Difference) By(c *Change) ShareChange {
	if d.New.cfg.Sort == textpage.SortTotal {
		return c.Total
	}
	return c.Self
}

// differences is the table.
func (t *text) differences(d *Difference) {
	by := textpage.SortSelf
	if d.New.cfg.Sort == textpage.SortTotal {
		by = textpage.SortTotal
	}
	tb := &table.Table{Short: withoutPaths, Columns: []table.Column{
		{Title: "function, by " + by}, {Title: d.Names[0], Kind: table.Right, Max: 20}, {Title: d.Names[1], Kind: table.Right, Max: 20},
		{Title: "points", Kind: table.Figures},
	}}
	if d.Sampled {
		tb.Columns = append(tb.Columns, table.Column{Title: units.Level(d.Confidence) + " interval", Kind: table.Figures, Join: units.Dots}, table.Column{Title: "verdict"})
	}
	var list []Change
	for _, c := range d.Functions {
		if x := d.By(&c); x.Old+x.New > 0 {
			list = append(list, c)
		}
	}
	places := d.places()
	shown, rest := cutTop(list, t.top)
	for i := range shown {
		c := d.By(&shown[i])
		cells := []table.Cell{{Text: t.Name(shown[i].Name)}, {Text: units.PercentTo(c.Old, places)}, {Text: units.PercentTo(c.New, places)}, {Text: Points(c.Value, places)}}
		if d.Sampled {
			cells = append(cells, table.Cell{Text: Points(c.Lo, places), Tail: Points(c.Hi, places)}, table.Cell{Text: d.Verdict(c)})
		}
		tb.Add(table.Line{Cells: cells})
	}
	const least = 20 // cells of a name
	t.Table(tb.Fit(t.Charset, t.Columns, least))
	if len(rest) == 0 {
		return
	}
	sure := 0
	for _, c := range rest {
		if d.Sampled && d.Exceeds(d.By(&c)) {
			sure++
		}
	}
	more := fmt.Sprintf("%d more functions", len(rest))
	if d.Sampled {
		more += fmt.Sprintf(", %d of them beyond noise", sure)
	}
	t.say("%s", more)
}

// Notes says what the figures are, and what noise is.
func (d *Difference) Notes() []string {
	out := []string{"shares: of the time of each side; a function has more also where others have less. points: percentage points, " + d.Names[1] + " less " + d.Names[0]}
	if !d.Sampled {
		return append(out, "calls were counted, not sampled: there is no noise of sampling. How one run differs from the next is not known")
	}
	return append(out, "noise: of sampling alone (Newcombe's interval; verdicts corrected for the number of functions by Benjamini and Hochberg). How one process differs from the next comes on top")
}

// places returns how many decimals of per cent shares have: as many as the noise of a small one leaves.
func (d *Difference) places() int {
	if d.Sampled && min(d.Old.draws, d.New.draws) < 20_000 {
		return 1
	}
	return 2
}

// Points returns a difference of shares in percentage points, with its sign.
func Points(x float64, places int) string {
	return units.Signed(x, units.Fixed(math.Abs(100*x), places))
}
