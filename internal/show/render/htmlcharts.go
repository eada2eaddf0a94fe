package render

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/internal/show/webpage"
)

// maxFigures is the most charts of a section.
const maxFigures = 60

// htmlCharts returns the sections with charts: of the main units, of memory, and of growth.
func (p *view) htmlCharts(s *result.Result) ([]webpage.Block, error) {
	var out []webpage.Block
	families := p.families()
	for _, x := range []struct {
		title string
		units []string
		help  []string
	}{{"Charts", p.mainUnits(), helpCharts}, {"Memory", pictureUnits, helpMemory}} {
		figures, err := p.htmlBars(families, x.units, confidence(s))
		if err != nil {
			return nil, err
		}
		out = append(out, figuresBlock(x.title, x.help, figures)...)
	}
	figures, err := p.htmlGrowth(s)
	if err != nil {
		return nil, err
	}
	return append(out, figuresBlock("Growth", helpGrowth, figures)...), nil
}

// figuresBlock returns charts as a block of the page; nothing without charts.
func figuresBlock(title string, help []string, figures []webpage.Figure) []webpage.Block {
	if len(figures) == 0 {
		return nil
	}
	b := webpage.Block{Title: title, Help: help, Figures: figures}
	if more := len(figures) - maxFigures; more > 0 {
		b.Figures = figures[:maxFigures]
		b.Notes = []string{fmt.Sprintf("the first %d charts of %d; the tables have all figures", maxFigures, len(figures))}
	}
	return []webpage.Block{b}
}

// htmlBars returns the panels of units as charts. One bar alone compares nothing, and is left out.
func (p *view) htmlBars(families []family, of []string, level float64) ([]webpage.Figure, error) {
	var out []webpage.Figure
	for _, unit := range of {
		for _, x := range panels(families, unit) {
			if len(x.items) < 2 {
				continue
			}
			if len(out) >= maxFigures {
				out = append(out, webpage.Figure{}) // counted, and not shown
				continue
			}
			c := x.bars(p, level)
			c.Live = true
			svg, err := chart.Inline(c, p.barsInWords(&x))
			if err != nil {
				return nil, err
			}
			out = append(out, webpage.Figure{SVG: svg, Title: c.Title, Bars: true, Table: p.panelTable(&x)})
		}
	}
	return out, nil
}

// barsInWords says what a panel shows, for those who do not see it.
func (p *view) barsInWords(x *panel) string {
	low, high := 0, 0
	for i := range x.items {
		if x.items[i].interval.Median < x.items[low].interval.Median {
			low = i
		}
		if x.items[i].interval.Median > x.items[high].interval.Median {
			high = i
		}
	}
	return fmt.Sprintf("%s: bars of %s, from %s to %s", x.title(p), units.Plural(len(x.items), "row"), p.itemInWords(x, low), p.itemInWords(x, high))
}

func (p *view) itemInWords(x *panel, i int) string {
	f := x.figure(p, i)
	return fmt.Sprintf("%s %s (%s)", f.value, f.long, x.items[i].name())
}

// name returns the label of an item behind its group.
func (it *panelItem) name() string {
	if it.group == "" {
		return it.label
	}
	return it.group + textpage.Sep + it.label
}

// figure returns the value of an item, rounded.
func (x *panel) figure(p *view, i int) figure {
	iv := x.items[i].interval
	return p.figure(x.unit, result.Interval{Median: result.Number(iv.Median), Lo: result.Number(iv.Lo), Hi: result.Number(iv.Hi)}, nil)
}

// panelTable returns the figures of a panel.
func (p *view) panelTable(x *panel) *webpage.Table {
	t := p.figuresTable("row")
	for i := range x.items {
		f := x.figure(p, i)
		t.Add(append([]webpage.Cell{{Text: x.items[i].name()}}, htmlFigure(f, f.long)...)...)
	}
	return t
}

// figuresTable returns a table, without rows, of figures of what first names.
func (p *view) figuresTable(first string) *webpage.Table {
	return &webpage.Table{Columns: []webpage.Column{{Title: first}, {Title: "median", Number: true}, {Title: p.level + " interval", Number: true}}}
}
