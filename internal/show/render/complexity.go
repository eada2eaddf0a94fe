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
	wanted := slices.DeleteFunc(result.Pointers(s.Complexity), func(c *result.Complexity) bool {
		return !all && !(c.Main && c.Sizes() >= stat.MinSizes-1 && (len(p.versus) == 0 || sidesDiffer(s, c)))
	})
	rough := false
	for _, c := range p.byGrowthTitle(wanted) {
		out.table.Under(p.growthTitle(c, wanted), p.growth(c, wanted))
		rough = rough || c.Curve != "" && c.Rough
	}
	if rough {
		out.notes = append(out.notes, distrusted+" the nearest curve, and no more: caches or branch prediction change the cost on the way, or it grows otherwise")
	}
	for _, c := range s.Complexity {
		if c.CurveFit != nil && c.Resamples > 0 {
			out.notes = append(out.notes, fmt.Sprintf("chosen: in so many of %d resamplings of the forks", c.Resamples))
			break
		}
	}
	return out
}

// byGrowthTitle returns those under one title together, and within them those of one benchmark and unit, in the order in
// which they first appear.
func (p *view) byGrowthTitle(cs []*result.Complexity) []*result.Complexity {
	return result.Together(cs, func(c *result.Complexity) []string {
		return []string{p.growthTitle(c, cs), fmt.Sprintf("%q %q %d %q %q", c.Pkg, c.Name, c.Procs, c.Role, c.Unit)}
	})
}

// sidesDiffer reports whether the sides of a benchmark grow by different curves.
func sidesDiffer(s *result.Result, c *result.Complexity) bool {
	return slices.ContainsFunc(s.Complexity, func(x result.Complexity) bool {
		return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs == c.Procs && x.Role == c.Role && x.Unit == c.Unit && x.Curve != c.Curve
	})
}

// growthTitle returns a text such as "complexity over n (6 sizes, 10 … 1e6)", with the package if there are several.
func (p *view) growthTitle(c *result.Complexity, among []*result.Complexity) string {
	title := "complexity over " + p.Name(strings.ToLower(c.Param))
	if slices.ContainsFunc(among, func(x *result.Complexity) bool { return x.Pkg != c.Pkg }) {
		title = p.pkg(c.Pkg) + ": " + title
	}
	return title + " (" + units.Plural(c.Sizes(), "size") + ", " + p.Name(c.From()) + units.Dots + p.Name(c.To()) + ")"
}

// growthName returns the name of a benchmark among others, with GOMAXPROCS if there are several, and more that tells it
// from them.
func (p *view) growthName(c *result.Complexity, among []*result.Complexity, more ...string) string {
	name := p.benchmark(c.Name, c.Procs, slices.ContainsFunc(among, func(x *result.Complexity) bool {
		return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs != c.Procs
	}))
	for _, m := range more {
		name += strings.TrimRight(" "+p.Name(m), " ")
	}
	return name
}

// growth returns the curve of one benchmark.
func (p *view) growth(c *result.Complexity, among []*result.Complexity) table.Line {
	more := []string{c.Role, c.Unit}
	if c.Main {
		more = more[:1]
	}
	l := table.Line{Cells: []table.Cell{{Text: "  " + p.growthName(c, among, more...)}, {Text: p.Middle(p.Name(c.Side), maxSide)}}}
	if c.Curve == "" {
		l.Rest, l.Style = p.noCurve(c), termtext.Yellow
		return l
	}
	fit, interval := p.fitted(c)
	rms := table.Cell{Text: units.Percent(float64(c.RMS))}
	if c.Rough {
		rms.Tail, rms.Style = distrusted, termtext.Yellow
	}
	word, _ := p.curve(c.Curve)
	l.Cells = append(l.Cells, table.Cell{Text: word}, table.Cell{Text: fit}, interval, rms, table.Cell{Text: p.chosen(c)})
	return l
}

// fitted writes what a curve costs and the interval of its coefficient, with the digits that
// the interval supports.
func (p *view) fitted(c *result.Complexity) (fit string, interval table.Cell) {
	unit := cmp.Or(unitOnly(c.Unit), c.Unit)
	cost := func(number string, s units.Scale) string {
		return strings.TrimRight(number+" "+p.Middle(p.Text(s.Each()), maxUnit), " ")
	}
	s := units.ScaleOf(unit, float64(c.Coefficient))
	lo, hi := float64(c.Lo)/s.Div, float64(c.Hi)/s.Div
	if c.Confidence == 0 {
		lo, hi = math.Inf(-1), math.Inf(1)
	}
	r := units.Round(float64(c.Coefficient)/s.Div, lo, hi, true)
	interval = table.Cell{Text: r.Text(lo), Tail: r.Text(hi)}
	if c.Confidence == 0 {
		interval = table.Cell{Text: "need ≥ 2 forks", Free: true, Style: termtext.Yellow}
	}
	fit = cost(r.Text(float64(c.Coefficient)/s.Div), s)
	if _, factor := p.curve(c.Curve); factor != "" {
		fit += " × " + factor
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
	if c.Resamples == 0 {
		return units.None
	}
	text := units.PercentTo(float64(c.Share), 0)
	if c.Share >= often {
		return text
	}
	rival, _ := p.curve(c.Rival)
	return text + ", else " + cmp.Or(rival, "none")
}

// curve returns the name of a curve, and what it multiplies a coefficient by: nothing for a constant.
func (p *view) curve(name string) (word, factor string) {
	if name == string(stat.CurveConstant) {
		return "constant", ""
	}
	word = strings.NewReplacer("^2", "²", "^3", "³").Replace(p.Name(name))
	return word, strings.NewReplacer("n log n", "n·log₂n", "log n", "log₂n").Replace(word)
}

// noCurve returns why there is none.
func (p *view) noCurve(c *result.Complexity) string {
	switch stat.Obstacle(c.Why) {
	case stat.FewSizes:
		return fmt.Sprintf("too few sizes to tell a curve: %d, it takes %d", c.Sizes(), stat.MinSizes)
	case stat.NarrowSizes:
		return fmt.Sprintf("too close together to tell a curve: from %s to %s, it takes a factor of %d", p.Name(c.From()), p.Name(c.To()), stat.MinRange)
	case stat.NotPositive:
		return "no curve: at some size it costs nothing"
	case stat.NoCurve:
		if c.CurveFit != nil && !math.IsNaN(float64(c.RMS)) && !math.IsInf(float64(c.RMS), 0) {
			nearest, _ := p.curve(c.Nearest)
			return fmt.Sprintf("no curve fits: the closest, %s, is off by a factor of %s", nearest, units.Fixed(1+float64(c.RMS), 1))
		}
		return "no curve fits"
	}
	return p.Text(c.Why)
}
