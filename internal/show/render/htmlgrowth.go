package render

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/webpage"
	"github.com/tarebench/tare/stat"
)

// htmlGrowth returns a chart for each parameter, unit and family of benchmarks that grow with it, with the curves that were
// fitted.
func (p *view) htmlGrowth(s *result.Result) ([]webpage.Figure, error) {
	type key struct{ pkg, function, param, unit string }
	groups := map[key][]*result.Complexity{}
	var order []key
	for i := range s.Complexity {
		c := &s.Complexity[i]
		if c.Sizes() < 2 || c.CurveFit == nil && c.Sizes() < stat.MinSizes-1 {
			continue
		}
		k := key{c.Pkg, functionOf(c.Name), c.Param, c.Unit}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	var out []webpage.Figure
	for _, k := range order {
		if len(out) >= maxFigures {
			out = append(out, webpage.Figure{}) // counted, and not shown
			continue
		}
		g := growthChart{view: p, of: groups[k][:min(len(groups[k]), maxLines)]}
		title := p.Text(pictureTitle(k.unit)) + " over " + p.Name(k.param) + ": " + p.Name(k.function)
		if len(p.blocks) > 1 {
			title += " (" + p.pkg(k.pkg) + ")"
		}
		f, err := g.draw(title, len(groups[k]))
		if err != nil {
			return nil, err
		}
		out = append(out, f)
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

// draw returns the chart with logarithmic axes, and with linear ones.
func (g growthChart) draw(title string, all int) (webpage.Figure, error) {
	f := webpage.Figure{Title: title, Table: g.table()}
	words := title
	for i, c := range g.of {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		words += sep + g.name(c) + ", " + g.law(c)
	}
	for _, log := range []bool{true, false} {
		svg, err := chart.Inline(g.lines(title, log, all), words)
		if err != nil {
			return f, err
		}
		if log {
			f.SVG = svg
		} else {
			f.Linear = svg
		}
	}
	return f, nil
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
	name := g.benchmark(c.Name, c.Procs, slices.ContainsFunc(g.of, func(x *result.Complexity) bool { return x.Procs != c.Procs }))
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
