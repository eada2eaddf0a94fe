package render

import (
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/result/why/gather"
	"github.com/tarebench/tare/internal/show/subjects/whytext"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
)

// mostExplained is how many benchmarks a page explains: those that changed most.
const mostExplained = 10

// htmlWhy returns what made the benchmarks slower or faster that changed, of a run with profilers on both sides: a table with a group
// for each.
func (p *view) htmlWhy(s *result.Result) []webpage.Block {
	axis := &webpage.Axis{Hi: 1}
	t := &webpage.Table{Columns: []webpage.Column{
		{Title: "cause"}, {Title: "explains", Number: true}, {Title: "share of the difference", Axis: axis}, {Title: "where"}, {Title: "evidence"},
	}}
	b := webpage.Block{Title: "What made the difference", Table: t, Help: helpWhy}
	for _, c := range gather.Changed(s, false, mostExplained) {
		r := whytext.Of(s, c, why.LeastShare, nil)
		if !r.Profiled() {
			continue
		}
		widen(axis, &r)
		t.Groups = append(t.Groups, p.whyGroup(&r, axis))
		for _, text := range append(append(r.Remarks(), r.Answer.Notes...), r.None(), r.Lacking()) {
			if text != "" {
				b.Notes = append(b.Notes, p.Name(r.Title)+": "+p.Line(text))
			}
		}
	}
	if len(t.Groups) == 0 {
		return nil
	}
	axis.Left, axis.Right = units.PercentTo(axis.Lo, 0), units.PercentTo(axis.Hi, 0)
	return []webpage.Block{b}
}

// whyGroup returns the causes of a benchmark, and what is left as the last row.
func (p *view) whyGroup(r *whytext.Row, axis *webpage.Axis) webpage.Group {
	verdict, values := r.Headline()
	title := []string{p.Name(r.Title) + ": " + p.Line(verdict), p.Line(values)}
	if of := r.Shares(); of != "" {
		title = append(title, of)
	}
	g := webpage.Group{Title: strings.Join(title, textpage.Sep)}
	for i := range r.Answer.Causes {
		c := &r.Answer.Causes[i]
		var evidence []string
		for _, e := range append([]string{whytext.Sure(c)}, c.Evidence...) {
			if e != "" {
				evidence = append(evidence, p.Line(e))
			}
		}
		row := shareRow(p.Line(c.What), c.Share, whytext.Explains(c), axis)
		row.Cells = append(row.Cells, webpage.Cell{Text: p.Line(whytext.Places(c.Place))}, webpage.Cell{Text: strings.Join(evidence, textpage.Sep)})
		g.Rows = append(g.Rows, row)
	}
	if rest := r.Rest(); rest != "" {
		row := shareRow("not explained", r.Answer.Rest, rest, axis)
		row.Detail = true
		row.Cells = append(row.Cells, webpage.Cell{}, webpage.Cell{})
		g.Rows = append(g.Rows, row)
	}
	return g
}

// shareRow returns the cells of a cause: its name, its share in words, and its share drawn.
func shareRow(what string, s why.Share, words string, axis *webpage.Axis) webpage.Row {
	cells := []webpage.Cell{{Text: what}, {Text: words, Value: exactValue(s.Value)}, {}}
	if !math.IsNaN(s.Value) && !math.IsInf(s.Value, 0) {
		cells[2] = webpage.Cell{Value: exactValue(s.Value), Span: &webpage.Span{Axis: axis, Lo: s.Lo, Mid: s.Value, Hi: s.Hi, Bar: true, Words: what + ": " + words}}
	}
	return webpage.Row{Cells: cells}
}

// widen extends the axis of shares, which has 0 to 100 %, to those of a benchmark, to -100 % and 200 % at most.
func widen(axis *webpage.Axis, r *whytext.Row) {
	const step = 0.25
	for _, c := range append([]why.Cause{{Share: r.Answer.Rest}}, r.Answer.Causes...) {
		if x := c.Share.Value; !math.IsNaN(x) {
			axis.Lo = max(-1, min(axis.Lo, math.Floor(x/step)*step))
			axis.Hi = min(2, max(axis.Hi, math.Ceil(x/step)*step))
		}
	}
}
