package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
)

// mostVerdicts is how many benchmarks have a sentence of their own at the top of a page.
const mostVerdicts = 10

// kindOf returns how a comparison is drawn.
func kindOf(r *ratio) webpage.Kind {
	switch {
	case r.c == nil:
		return webpage.Plain
	case !r.c.Trusted && claimed(r.c):
		return webpage.Distrusted
	}
	switch r.c.Verdict {
	case faster:
		return webpage.Good
	case slower:
		return webpage.Bad
	case more, less:
		if (r.c.Verdict == less) != isShareOfGood(r.c) {
			return webpage.Good
		}
		return webpage.Bad
	case undecided:
		return webpage.Unknown
	}
	return webpage.Same
}

// isShareOfGood reports whether a comparison is of the share of operations that went well, of which more is better: that of load runs.
func isShareOfGood(c *result.Comparison) bool { return c.Sample != "" && c.Unit == "%" }

// htmlVerdicts returns the verdicts on a side: those that matter most in a sentence each, then how many there are of each.
func htmlVerdicts(v *versus) []webpage.Verdict {
	var out []webpage.Verdict
	for _, kind := range []webpage.Kind{webpage.Bad, webpage.Good, webpage.Distrusted, webpage.Unknown} {
		for _, b := range v.blocks {
			for i := range b.pairs {
				x := &b.pairs[i]
				if x.main == nil || kindOf(x.main) != kind {
					continue
				}
				out = append(out, webpage.Verdict{Kind: kind, Text: sentence(x)})
			}
		}
	}
	rest := len(out) - mostVerdicts
	if rest > 0 {
		out = out[:mostVerdicts]
	}
	var counts []string
	for _, c := range v.counts {
		counts = append(counts, c.String())
	}
	text := v.side + " against " + v.base + ": " + strings.Join(counts, textpage.Sep)
	if rest > 0 {
		text += fmt.Sprintf(" (%d of them are not named above)", rest)
	}
	return append(out, webpage.Verdict{Text: text})
}

// sentence says what became of a benchmark.
func sentence(x *pair) string {
	r := x.main
	text := x.name + ": " + verdictWord(r.c.Verdict)
	switch {
	case r.lo != "":
		text += fmt.Sprintf(", ratio %s (%s%s%s)", r.ratio, r.lo, units.Dots, r.hi)
	case r.ratio != "":
		text += ", ratio " + r.ratio
	}
	if len(r.why) > 0 {
		text += ": " + strings.Join(r.why, " ")
	}
	if !r.c.Trusted {
		text += "; not trusted: see the notes below"
	}
	return text
}

// htmlVersus returns the table of a side against the base.
func (p *view) htmlVersus(v *versus, threshold float64, named bool) webpage.Block {
	axis := ratioAxis(v, threshold)
	t := &webpage.Table{Columns: []webpage.Column{
		{Title: "benchmark"}, {Title: v.base, Number: true}, {Title: v.side, Number: true}, {Title: "ratio", Number: true},
		{Title: p.level + " interval", Number: true}, {Title: "ratio, logarithmic", Axis: axis}, {Title: "verdict"},
	}}
	for _, b := range v.blocks {
		g := webpage.Group{Title: b.pkg}
		for i := range b.pairs {
			x := &b.pairs[i]
			marks := p.marks(x.name, x.notes())
			if x.main != nil {
				g.Rows = append(g.Rows, htmlRatio(x.name, marks, x.main, x.main.long, axis, false))
			} else {
				g.Rows = append(g.Rows, webpage.Row{Cells: []webpage.Cell{{Text: x.name, Marks: marks}}})
			}
			for k := range x.under {
				g.Rows = append(g.Rows, htmlRatio(x.under[k].unit, "", &x.under[k], x.under[k].short, axis, true))
			}
		}
		t.Groups = append(t.Groups, g)
	}
	if len(v.geomeans) > 0 {
		g := webpage.Group{}
		for i := range v.geomeans {
			g.Rows = append(g.Rows, htmlRatio(v.geomeans[i].unit+" (descriptive)", "", &v.geomeans[i], "", axis, true))
		}
		t.Groups = append(t.Groups, g)
	}
	title := "Comparison"
	if named {
		title = v.side + " against " + v.base
	}
	return webpage.Block{Title: title, Table: t, Notes: v.legend, Help: helpComparison}
}

// htmlRatio returns a comparison as a row.
func htmlRatio(name, marks string, r *ratio, unit string, axis *webpage.Axis, detail bool) webpage.Row {
	kind := kindOf(r)
	row := webpage.Row{Detail: detail, Cells: []webpage.Cell{
		{Text: name, Marks: marks}, {Text: r.old}, {Text: r.new, Unit: unit}, {Text: r.ratio}, r.html(),
		{Span: ratioSpan(name, r, axis)}, {Text: strings.Join(r.verdict(""), " "), Kind: kind},
	}}
	if r.c != nil {
		for i, x := range []result.Number{r.c.Old, r.c.New, r.c.Ratio} {
			row.Cells[1+i].Value = exactValue(float64(x))
		}
	}
	return row
}

// Factors that the axis of ratios shows at least and at most.
const (
	leastFactor = 1.1
	mostFactor  = 4
)

// ratioAxis returns a logarithmic axis on which the intervals lie, as far as they are within mostFactor.
func ratioAxis(v *versus, threshold float64) *webpage.Axis {
	far := math.Log(leastFactor)
	for _, b := range v.blocks {
		for _, x := range b.pairs {
			for _, r := range x.rows() {
				for _, end := range []float64{float64(r.c.Lo), float64(r.c.Hi), float64(r.c.Ratio)} {
					if d := math.Abs(math.Log(end)); !math.IsNaN(d) && !math.IsInf(d, 0) {
						far = max(far, d)
					}
				}
			}
		}
	}
	far = min(far*1.05, math.Log(mostFactor))
	return &webpage.Axis{Lo: -far, Hi: far, Band: math.Log1p(threshold),
		Left: "÷ " + factorText(far), Right: "× " + factorText(far)}
}

func factorText(log float64) string {
	x := math.Exp(log)
	return units.Digits(x, 3).Text(x)
}

// ratioSpan returns the drawing of a ratio; nil if it has none.
func ratioSpan(name string, r *ratio, axis *webpage.Axis) *webpage.Span {
	if r.c == nil || r.c.Verdict == identical || !(r.c.Ratio > 0) || math.IsInf(float64(r.c.Ratio), 1) {
		return nil
	}
	s := &webpage.Span{Axis: axis, Mid: math.Log(float64(r.c.Ratio)), Lo: math.Log(float64(r.c.Lo)), Hi: math.Log(float64(r.c.Hi))}
	s.Words = fmt.Sprintf("%s: ratio %s", name, r.ratio)
	if r.lo != "" {
		s.Words += fmt.Sprintf(", interval %s to %s", r.lo, r.hi)
	}
	return s
}
