package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/stat"
)

// htmlGrowth returns a chart for each parameter, unit and family of benchmarks that grow with it, with the curves that were
// fitted.
func (p *view) htmlGrowth(s *result.Result) ([]webpage.Figure, error) {
	var charts [][]*result.Complexity
	at := map[[4]string]int{}
	for _, c := range result.Pointers(s.Complexity) {
		if c.CurveFit == nil && c.Sizes() < stat.MinSizes-1 {
			continue
		}
		key := [4]string{c.Pkg, functionOf(c.Name), c.Param, c.Unit}
		if _, seen := at[key]; !seen {
			at[key], charts = len(charts), append(charts, nil)
		}
		charts[at[key]] = append(charts[at[key]], c)
	}
	out := make([]webpage.Figure, len(charts))
	for i, of := range charts[:min(len(charts), maxFigures)] { // the others are counted, and not shown
		var err error
		if out[i], err = p.growthFigure(of); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const (
	maxLines    = 8  // the most curves of a chart: so many colours there are
	curvePoints = 96 // how many points a fitted curve is drawn through
)

// growthFigure returns a chart of cost over size: points with their intervals, and the curve through them. The axes are
// logarithmic, or linear.
func (p *view) growthFigure(of []*result.Complexity) (f webpage.Figure, err error) {
	all, c := len(of), of[0]
	of = of[:min(all, maxLines)]
	f.Title = p.Text(pictureTitle(c.Unit)) + " over " + p.Name(c.Param) + ": " + p.Name(functionOf(c.Name))
	if len(p.blocks) > 1 {
		f.Title += " (" + p.pkg(c.Pkg) + ")"
	}
	f.Table = p.figuresTable(p.Name(c.Param))
	unit, factor, plain := axisUnit(c.Unit)
	l := chart.Lines{
		Title: f.Title, Subtitle: "points: median of forks and " + p.level + " interval; lines: the curve that was fitted",
		X: chart.Axis{Name: p.Name(c.Param), Plain: true}, Y: chart.Axis{Unit: unit, Plain: plain},
	}
	for i, c := range of {
		name := p.growthName(c, of, c.Role, c.Side)
		f.Table.Groups = append(f.Table.Groups, webpage.Group{Title: name + ": " + p.law(c)})
		l.Notes = append(l.Notes, p.Middle(name, maxLabel)+": "+p.law(c))
		measured := chart.Line{Label: p.Middle(name, maxLabel), Hue: i, Marks: true, Unjoined: c.Curve != ""}
		for _, x := range c.Points {
			measured.Points = append(measured.Points, chart.Point{X: x.N, Y: float64(x.Median) * factor})
			measured.Spans = append(measured.Spans, [2]float64{float64(x.Lo) * factor, float64(x.Hi) * factor})
			y := p.figure(c.Unit, result.Interval{Median: x.Median, Lo: x.Lo, Hi: x.Hi}, nil)
			f.Table.Add(append([]webpage.Cell{{Text: p.Name(x.Value), Value: exactValue(x.N)}}, htmlFigure(y, y.long)...)...)
		}
		if c.Curve != "" {
			l.Lines = append(l.Lines, chart.Line{Label: measured.Label, Hue: i, Plain: true, Points: fittedPoints(c, factor)})
		}
		l.Lines = append(l.Lines, measured)
	}
	if all > len(of) {
		l.Notes = append(l.Notes, fmt.Sprintf("the first %d of %d; the table of results has all", len(of), all))
	}
	words := f.Title + "; " + strings.Join(l.Notes, "; ")
	if f.Linear, err = chart.Inline(l, words); err != nil {
		return f, err
	}
	l.X.Log, l.Y.Log = true, true
	f.SVG, err = chart.Inline(l, words)
	return f, err
}

// law says by which curve a cost grows, or why none is known.
func (p *view) law(c *result.Complexity) string {
	if c.Curve == "" {
		return p.noCurve(c)
	}
	word, _ := p.curve(c.Curve)
	fit, _ := p.fitted(c)
	text := word + ", " + fit
	if c.Rough {
		text += " " + distrusted
	}
	return text
}

// fittedPoints returns points of the curve of a complexity, from its smallest size to its largest. Sizes below 1 were not
// fitted.
func fittedPoints(c *result.Complexity, factor float64) []chart.Point {
	lo, hi := max(1, c.Points[0].N), c.Points[len(c.Points)-1].N
	var out []chart.Point
	for i := range curvePoints {
		n := lo * math.Pow(hi/lo, float64(i)/(curvePoints-1))
		y := float64(c.Fixed) + float64(c.Coefficient)*stat.Curve(c.Curve).At(n)
		out = append(out, chart.Point{X: n, Y: y * factor})
	}
	return out
}
