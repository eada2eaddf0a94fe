package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

// growthBlock holds the benchmarks of one package that ran at the same sizes.
type growthBlock struct {
	title string
	rows  []growth
}

// growth says, in words, how a benchmark grows with its parameter.
type growth struct {
	name, side string
	curve      string // "n log n"
	fit        string // "2.41 ns × n·log₂n + 120 ns"
	lo, hi     string // of the coefficient
	note       string // instead of lo and hi
	rms        string
	rough      bool   // the curve is the nearest, and no more
	chosen     string // "98 %"
	why        string // instead of all: there is no curve
}

// complexity makes the words of the curves: of the main units, and of the others
// if all are wanted. Where sides are compared those are wanted that differ.
func (p *page) complexity(s *result.Result, all bool) []growthBlock {
	var wanted []*result.Complexity
	packages, procs := map[string]bool{}, map[[2]string]map[int]bool{}
	for i := range s.Complexity {
		c := &s.Complexity[i]
		if !all && (!c.Main || sizeCount(c) < result.MinSizes-1 || len(p.versus) > 0 && !sidesDiffer(s, c)) {
			continue
		}
		wanted = append(wanted, c)
		packages[c.Pkg] = true
		k := [2]string{c.Pkg, c.Name}
		if procs[k] == nil {
			procs[k] = map[int]bool{}
		}
		procs[k][c.Procs] = true
	}
	var out []growthBlock
	for _, c := range bySize(wanted) {
		title := p.growthTitle(c, len(packages) > 1)
		if n := len(out); n == 0 || out[n-1].title != title {
			out = append(out, growthBlock{title: title})
		}
		b := &out[len(out)-1]
		b.rows = append(b.rows, p.growth(c, len(procs[[2]string{c.Pkg, c.Name}]) > 1))
	}
	return out
}

// bySize returns those of one package, parameter and sizes together, and within
// them those of one benchmark and unit, in the order in which they first appear.
func bySize(cs []*result.Complexity) []*result.Complexity {
	keys := func(c *result.Complexity) [2]string {
		from, to := sizeEnds(c)
		k := fmt.Sprintf("%q %q %d %q %q", c.Pkg, strings.ToLower(c.Param), sizeCount(c), from, to)
		return [2]string{k, fmt.Sprintf("%s %q %d %q %q", k, c.Name, c.Procs, c.Role, c.Unit)}
	}
	rank := map[string]int{}
	for _, c := range cs {
		for _, k := range keys(c) {
			if rank[k] == 0 {
				rank[k] = len(rank) + 1
			}
		}
	}
	slices.SortStableFunc(cs, func(a, b *result.Complexity) int {
		ka, kb := keys(a), keys(b)
		if d := rank[ka[0]] - rank[kb[0]]; d != 0 {
			return d
		}
		return rank[ka[1]] - rank[kb[1]]
	})
	return cs
}

// sidesDiffer tells whether the sides of a benchmark grow by different curves.
func sidesDiffer(s *result.Result, c *result.Complexity) bool {
	return slices.ContainsFunc(s.Complexity, func(x result.Complexity) bool {
		return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs == c.Procs && x.Role == c.Role && x.Unit == c.Unit && x.Curve != c.Curve
	})
}

// sizeCount is how many different sizes there are.
func sizeCount(c *result.Complexity) int {
	n := 0
	for i, x := range c.Points {
		if i == 0 || x.N != c.Points[i-1].N {
			n++
		}
	}
	return n
}

// sizeEnds are the smallest and the largest size as the benchmark writes them.
func sizeEnds(c *result.Complexity) (from, to string) {
	if len(c.Points) == 0 {
		return "", ""
	}
	return c.Points[0].Value, c.Points[len(c.Points)-1].Value
}

// growthTitle is "complexity over n (6 sizes, 10 … 1e6)".
func (p *page) growthTitle(c *result.Complexity, pkg bool) string {
	from, to := sizeEnds(c)
	title := "complexity over " + p.Name(strings.ToLower(c.Param))
	if pkg {
		title = p.pkg(c.Pkg) + ": " + title
	}
	return title + " (" + plural(sizeCount(c), "size") + ", " + p.Name(from) + p.dots + p.Name(to) + ")"
}

func (p *page) growth(c *result.Complexity, showProcs bool) growth {
	g := growth{name: p.benchmark(c.Name, c.Procs, showProcs), side: p.Middle(p.Name(c.Side), maxSide)}
	if c.Role != "" {
		g.name += " " + p.Name(c.Role)
	}
	if !c.Main {
		g.name += " " + p.Name(c.Unit)
	}
	if c.Curve == "" || c.CurveFit == nil {
		g.why = p.noCurve(c)
		return g
	}
	g.curve = p.curve(c.Curve)
	p.fitted(&g, c)
	g.rms, g.rough = p.percent(float64(c.RMS)), c.Rough
	g.chosen = p.none
	if c.Resamples > 0 {
		g.chosen = p.chosen(c)
	}
	return g
}

// fitted writes what a curve costs, its coefficient with the digits that its
// interval supports.
func (p *page) fitted(g *growth, c *result.Complexity) {
	s := scaleOf(c.Unit, float64(c.Coefficient), p.glyphs)
	x, lo, hi := float64(c.Coefficient)/s.div, float64(c.Lo)/s.div, float64(c.Hi)/s.div
	if c.Confidence == 0 {
		lo, hi = math.Inf(-1), math.Inf(1)
		g.note = "need " + p.ge + " 2 forks"
	}
	r := roundingOf(x, lo, hi, true)
	g.fit = strings.TrimRight(p.number(x, r)+" "+p.Middle(p.Name(s.each()), maxUnit), " ")
	if f := p.shape(c.Curve); f != "" {
		g.fit += " " + p.times + " " + f
	}
	if c.Fixed > 0 {
		s := scaleOf(c.Unit, float64(c.Fixed), p.glyphs)
		v := float64(c.Fixed) / s.div
		g.fit += " + " + strings.TrimRight(p.number(v, rounding{places: fewFigures - 1 - magnitude(v)})+" "+p.Middle(p.Name(s.each()), maxUnit), " ")
	}
	if g.note == "" {
		g.lo, g.hi = p.number(lo, r), p.number(hi, r)
	}
}

// each is the unit of one operation: that it is one goes without saying where
// another factor follows.
func (s scale) each() string { return s.prefix + s.name + s.what }

// chosen is how often the choice holds, and what is chosen else if it does not
// hold often.
func (p *page) chosen(c *result.Complexity) string {
	const often = 0.9
	text := strconv.FormatFloat(100*c.Share, 'f', 0, 64) + " %"
	switch {
	case c.Share >= often:
		return text
	case c.Rival != "":
		return text + ", else " + p.curve(c.Rival)
	}
	return text + ", else none"
}

// curve is the name of a curve.
func (p *page) curve(name string) string {
	switch {
	case name == "1":
		return "constant"
	case p.UTF8:
		return strings.NewReplacer("^2", "²", "^3", "³").Replace(p.Name(name))
	}
	return p.Name(name)
}

// shape is a curve as a factor, nothing for a constant.
func (p *page) shape(name string) string {
	switch {
	case name == "1":
		return ""
	case p.UTF8:
		return strings.NewReplacer("n log n", "n·log₂n", "log n", "log₂n", "^2", "²", "^3", "³").Replace(p.Name(name))
	}
	return strings.NewReplacer("n log n", "n*log2(n)", "log n", "log2(n)").Replace(p.Name(name))
}

// noCurve says why there is none.
func (p *page) noCurve(c *result.Complexity) string {
	from, to := sizeEnds(c)
	switch c.Why {
	case result.WhyFewSizes:
		return fmt.Sprintf("too few sizes to tell a curve: %d, it takes %d", sizeCount(c), result.MinSizes)
	case result.WhyNarrowSizes:
		return fmt.Sprintf("too close together to tell a curve: from %s to %s, it takes a factor of %d", p.Name(from), p.Name(to), result.MinSizeRange)
	case result.WhyNotPositive:
		return "no curve: at some size it costs nothing"
	case result.WhyNoCurve:
		if c.CurveFit != nil && !math.IsNaN(float64(c.RMS)) && !math.IsInf(float64(c.RMS), 0) {
			return fmt.Sprintf("no curve fits: the nearest, %s, misses by a factor of %.1f", p.curve(c.Nearest), 1+float64(c.RMS))
		}
		return "no curve fits"
	}
	return p.Text(c.Why)
}

// growthNotes say what the columns mean.
func growthNotes(s *result.Result, bs []growthBlock) []string {
	var out []string
	rough := func(r growth) bool { return r.rough && r.why == "" }
	if slices.ContainsFunc(bs, func(b growthBlock) bool { return slices.ContainsFunc(b.rows, rough) }) {
		out = append(out, distrusted+" the nearest curve, and no more: caches or branch prediction change the cost on the way, or it grows otherwise")
	}
	for _, c := range s.Complexity {
		if c.CurveFit != nil && c.Resamples > 0 {
			return append(out, "chosen: in so many of "+strconv.Itoa(c.Resamples)+" resamplings of the forks")
		}
	}
	return out
}
