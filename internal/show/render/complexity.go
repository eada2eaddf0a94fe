package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/stat"
)

// complexity shows the curves by which benchmarks grow with a parameter: of the main units,
// and of the others if all are wanted. Where sides are compared, those whose curves differ.
func (p *view) complexity(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "side", Gap: 3}, {Title: "curve", Gap: 3, Drop: 1, Quiet: true}, {Title: "fit", Gap: 3},
		{Title: p.level + " interval", Gap: 3, Kind: table.Right, Join: units.Dots, Mid: true, Drop: 4},
		{Title: "rms", Gap: 3, Kind: table.Right, Join: " ", Drop: 3}, {Title: "chosen", Gap: 3, Drop: 2},
	}}, least: 16, subject: "benchmark"}
	var wanted []*result.Complexity
	for i := range s.Complexity {
		c := &s.Complexity[i]
		if all || c.Main && c.Sizes() >= stat.MinSizes-1 && (len(p.versus) == 0 || sidesDiffer(s, c)) {
			wanted = append(wanted, c)
		}
	}
	packages := slices.ContainsFunc(wanted, func(c *result.Complexity) bool { return c.Pkg != wanted[0].Pkg })
	notes := [2]string{}
	for _, c := range bySize(wanted) {
		title := p.growthTitle(c, packages)
		if n := len(out.table.Blocks); n == 0 || out.table.Blocks[n-1].Title != title {
			out.table.Blocks = append(out.table.Blocks, table.Block{Title: title})
		}
		b := &out.table.Blocks[len(out.table.Blocks)-1]
		b.Lines = append(b.Lines, p.growth(c, wanted))
		if c.CurveFit != nil && c.Rough && c.Curve != "" {
			notes[0] = distrusted + " the nearest curve, and no more: caches or branch prediction change the cost on the way, or it grows otherwise"
		}
	}
	for _, c := range s.Complexity {
		if c.CurveFit != nil && c.Resamples > 0 {
			notes[1] = fmt.Sprintf("chosen: in so many of %d resamplings of the forks", c.Resamples)
		}
	}
	out.notes = slices.DeleteFunc(notes[:], func(n string) bool { return n == "" })
	return out
}

// growthName returns the name of a benchmark among others, with GOMAXPROCS if there are several.
func (p *view) growthName(c *result.Complexity, among []*result.Complexity) string {
	return p.benchmark(c.Name, c.Procs, slices.ContainsFunc(among, func(x *result.Complexity) bool {
		return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs != c.Procs
	}))
}

// bySize returns those of one package, parameter and sizes together, and within
// them those of one benchmark and unit, in the order in which they first appear.
func bySize(cs []*result.Complexity) []*result.Complexity {
	return result.Together(cs, func(c *result.Complexity) []string {
		from, to := sizeEnds(c)
		k := fmt.Sprintf("%q %q %d %q %q", c.Pkg, strings.ToLower(c.Param), c.Sizes(), from, to)
		return []string{k, fmt.Sprintf("%s %q %d %q %q", k, c.Name, c.Procs, c.Role, c.Unit)}
	})
}

// sidesDiffer reports whether the sides of a benchmark grow by different curves.
func sidesDiffer(s *result.Result, c *result.Complexity) bool {
	return slices.ContainsFunc(s.Complexity, func(x result.Complexity) bool {
		return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs == c.Procs && x.Role == c.Role && x.Unit == c.Unit && x.Curve != c.Curve
	})
}

// sizeEnds returns the smallest and the largest size as the benchmark writes them.
func sizeEnds(c *result.Complexity) (from, to string) {
	if len(c.Points) == 0 {
		return "", ""
	}
	return c.Points[0].Value, c.Points[len(c.Points)-1].Value
}

// growthTitle returns a text such as "complexity over n (6 sizes, 10 … 1e6)".
func (p *view) growthTitle(c *result.Complexity, pkg bool) string {
	from, to := sizeEnds(c)
	title := "complexity over " + p.Name(strings.ToLower(c.Param))
	if pkg {
		title = p.pkg(c.Pkg) + ": " + title
	}
	return title + " (" + units.Plural(c.Sizes(), "size") + ", " + p.Name(from) + units.Dots + p.Name(to) + ")"
}

// growth returns the curve of one benchmark.
func (p *view) growth(c *result.Complexity, among []*result.Complexity) table.Line {
	name := p.growthName(c, among)
	if c.Role != "" {
		name += " " + p.Name(c.Role)
	}
	if !c.Main {
		name += " " + p.Name(c.Unit)
	}
	l := table.Line{Cells: []table.Cell{{Text: "  " + name}, {Text: p.Middle(p.Name(c.Side), maxSide)}}}
	if c.Curve == "" || c.CurveFit == nil {
		l.Rest, l.Style = p.noCurve(c), termtext.Yellow
		return l
	}
	fit, interval := p.fitted(c)
	rms := table.Cell{Text: units.Percent(float64(c.RMS))}
	if c.Rough {
		rms.Tail, rms.Style = distrusted, termtext.Yellow
	}
	chosen := units.None
	if c.Resamples > 0 {
		chosen = p.chosen(c)
	}
	l.Cells = append(l.Cells, table.Cell{Text: p.curve(c.Curve)}, table.Cell{Text: fit}, interval, rms, table.Cell{Text: chosen})
	return l
}

// fitted writes what a curve costs and the interval of its coefficient, with the digits that
// the interval supports.
func (p *view) fitted(c *result.Complexity) (fit string, interval table.Cell) {
	unit := cmp.Or(unitOnly(c.Unit), c.Unit)
	s := units.ScaleOf(unit, float64(c.Coefficient))
	x, lo, hi := float64(c.Coefficient)/s.Div, float64(c.Lo)/s.Div, float64(c.Hi)/s.Div
	if c.Confidence == 0 {
		lo, hi = math.Inf(-1), math.Inf(1)
		interval = table.Cell{Text: "need ≥ 2 forks", Free: true, Style: termtext.Yellow}
	}
	r := units.Round(x, lo, hi, true)
	if c.Confidence > 0 {
		interval = table.Cell{Text: r.Text(lo), Tail: r.Text(hi)}
	}
	cost := func(number string, s units.Scale) string {
		return strings.TrimRight(number+" "+p.Middle(p.Text(s.Each()), maxUnit), " ")
	}
	fit = cost(r.Text(x), s)
	if f := p.shape(c.Curve); f != "" {
		fit += " × " + f
	}
	if c.Fixed > 0 {
		s := units.ScaleOf(unit, float64(c.Fixed))
		fit += " + " + cost(s.Number(float64(c.Fixed), 2), s)
	}
	return fit, interval
}

// chosen returns how often the choice holds, and what is chosen else if it does not
// hold often.
func (p *view) chosen(c *result.Complexity) string {
	const often = 0.9
	text := units.PercentTo(float64(c.Share), 0)
	switch {
	case c.Share >= often:
		return text
	case c.Rival != "":
		return text + ", else " + p.curve(c.Rival)
	}
	return text + ", else none"
}

// curve returns the name of a curve.
func (p *view) curve(name string) string {
	if name == string(stat.CurveConstant) {
		return "constant"
	}
	return powers.Replace(p.Name(name))
}

// shape returns a curve as a factor, nothing for a constant.
func (p *view) shape(name string) string {
	if name == string(stat.CurveConstant) {
		return ""
	}
	return strings.NewReplacer("n log n", "n·log₂n", "log n", "log₂n").Replace(powers.Replace(p.Name(name)))
}

var powers = strings.NewReplacer("^2", "²", "^3", "³")

// noCurve returns why there is none.
func (p *view) noCurve(c *result.Complexity) string {
	from, to := sizeEnds(c)
	switch stat.Obstacle(c.Why) {
	case stat.FewSizes:
		return fmt.Sprintf("too few sizes to tell a curve: %d, it takes %d", c.Sizes(), stat.MinSizes)
	case stat.NarrowSizes:
		return fmt.Sprintf("too close together to tell a curve: from %s to %s, it takes a factor of %d", p.Name(from), p.Name(to), stat.MinRange)
	case stat.NotPositive:
		return "no curve: at some size it costs nothing"
	case stat.NoCurve:
		if c.CurveFit != nil && !math.IsNaN(float64(c.RMS)) && !math.IsInf(float64(c.RMS), 0) {
			return fmt.Sprintf("no curve fits: the closest, %s, is off by a factor of %s", p.curve(c.Nearest), units.Fixed(1+float64(c.RMS), 1))
		}
		return "no curve fits"
	}
	return p.Text(c.Why)
}
