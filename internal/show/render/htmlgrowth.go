package render

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/stat"
)

// htmlGrowth returns a chart for each parameter, unit and family of benchmarks that grow with it, with the curves that were
// fitted.
func (p *view) htmlGrowth(s *result.Result) ([]webpage.Figure, error) {
	var charts []growthChart
	for i := range s.Complexity {
		c := &s.Complexity[i]
		if c.Sizes() < 2 || c.CurveFit == nil && c.Sizes() < stat.MinSizes-1 {
			continue
		}
		k := slices.IndexFunc(charts, func(g growthChart) bool { return g.holds(c) })
		if k < 0 {
			k, charts = len(charts), append(charts, growthChart{view: p})
		}
		charts[k].of = append(charts[k].of, c)
	}
	out := make([]webpage.Figure, len(charts))
	for i, g := range charts[:min(len(charts), maxFigures)] { // the others are counted, and not shown
		var err error
		if out[i], err = g.draw(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// maxLines is the most curves of a chart: so many colours there are.
const maxLines = 8

// growthChart is a chart of cost over size.
type growthChart struct {
	*view
	of []*result.Complexity
}

// holds reports whether a curve is one of the chart's package, function, parameter and unit.
func (g growthChart) holds(c *result.Complexity) bool {
	x := g.of[0]
	return x.Pkg == c.Pkg && functionOf(x.Name) == functionOf(c.Name) && x.Param == c.Param && x.Unit == c.Unit
}

// draw returns the chart with logarithmic axes, and with linear ones.
func (g growthChart) draw() (webpage.Figure, error) {
	all, c := len(g.of), g.of[0]
	g.of = g.of[:min(all, maxLines)]
	title := g.Text(pictureTitle(c.Unit)) + " over " + g.Name(c.Param) + ": " + g.Name(functionOf(c.Name))
	if len(g.blocks) > 1 {
		title += " (" + g.pkg(c.Pkg) + ")"
	}
	var laws []string
	for _, c := range g.of {
		laws = append(laws, g.name(c)+", "+g.law(c))
	}
	words := title + ": " + strings.Join(laws, "; ")
	svg, err := chart.Inline(g.lines(title, true, all), words)
	if err != nil {
		return webpage.Figure{}, err
	}
	linear, err := chart.Inline(g.lines(title, false, all), words)
	return webpage.Figure{Title: title, Table: g.table(), SVG: svg, Linear: linear}, err
}

// lines returns the chart: points with their intervals, and the curve through them.
func (g growthChart) lines(title string, log bool, all int) chart.Lines {
	unit, factor, plain := axisUnit(g.of[0].Unit)
	l := chart.Lines{
		Title: title, Subtitle: "points: median of forks and " + g.level + " interval; lines: the curve that was fitted",
		X: chart.Axis{Name: g.Name(g.of[0].Param), Plain: true, Log: log}, Y: chart.Axis{Unit: unit, Plain: plain, Log: log},
	}
	for i, c := range g.of {
		measured := chart.Line{Label: g.Middle(g.name(c), maxLabel), Hue: i, Marks: true, Unjoined: c.Curve != ""}
		for _, x := range c.Points {
			measured.Points = append(measured.Points, chart.Point{X: x.N, Y: float64(x.Median) * factor})
			measured.Spans = append(measured.Spans, [2]float64{float64(x.Lo) * factor, float64(x.Hi) * factor})
		}
		if c.Curve != "" && c.CurveFit != nil {
			l.Lines = append(l.Lines, chart.Line{Label: measured.Label, Hue: i, Plain: true, Points: fittedPoints(c, factor, log)})
		}
		l.Lines = append(l.Lines, measured)
		l.Notes = append(l.Notes, measured.Label+": "+g.law(c))
	}
	if all > len(g.of) {
		l.Notes = append(l.Notes, fmt.Sprintf("the first %d of %d; the table of results has all", len(g.of), all))
	}
	return l
}

// curvePoints is how many points a fitted curve is drawn through.
const curvePoints = 48

// name returns what tells a curve from others of its chart.
func (g growthChart) name(c *result.Complexity) string {
	name := g.growthName(c, g.of)
	for _, more := range []string{c.Role, c.Side} {
		if more != "" {
			name += " " + g.Name(more)
		}
	}
	return name
}

// law says by which curve a cost grows, or why none is known.
func (g growthChart) law(c *result.Complexity) string {
	if c.Curve == "" || c.CurveFit == nil {
		return g.noCurve(c)
	}
	fit, _ := g.fitted(c)
	text := g.curve(c.Curve) + ", " + fit
	if c.Rough {
		text += " " + distrusted
	}
	return text
}

// table returns the points of the chart.
func (g growthChart) table() *webpage.Table {
	t := &webpage.Table{Columns: []webpage.Column{{Title: g.Name(g.of[0].Param)}, {Title: "median", Number: true}, {Title: g.level + " interval", Number: true}}}
	for _, c := range g.of {
		x := webpage.Group{Title: g.name(c) + ": " + g.law(c)}
		for _, at := range c.Points {
			f := g.figure(c.Unit, result.Interval{Median: at.Median, Lo: at.Lo, Hi: at.Hi}, nil)
			cells := []webpage.Cell{{Text: g.Name(at.Value), Value: exactValue(at.N)}}
			x.Rows = append(x.Rows, webpage.Row{Cells: append(cells, htmlFigure(f, f.long)...)})
		}
		t.Groups = append(t.Groups, x)
	}
	return t
}

// fittedPoints returns points of the curve of a complexity, from its smallest size to its largest.
func fittedPoints(c *result.Complexity, factor float64, log bool) []chart.Point {
	lo, hi := c.Points[0].N, c.Points[len(c.Points)-1].N
	var out []chart.Point
	for i := range curvePoints {
		share := float64(i) / (curvePoints - 1)
		n := lo + share*(hi-lo)
		if log && lo > 0 {
			n = lo * math.Pow(hi/lo, share)
		}
		y := float64(c.Fixed) + float64(c.Coefficient)*stat.Curve(c.Curve).At(n)
		out = append(out, chart.Point{X: n, Y: y * factor})
	}
	return out
}
