package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Complexity is how one unit of a benchmark grows with its parameter n or size:
// by which curve of [stat.Curves], if by any. There is one for each group of at
// least two results that differ in that parameter alone, for the main unit
// unless it is a rate, and for what else is a cost per operation, such as B/op.
type Complexity struct {
	Pkg   string `json:"pkg"`
	Name  string `json:"name"` // with * for the parameter: "Sort/n=*"
	Procs int    `json:"procs,omitempty"`
	Side  string `json:"side,omitempty"`
	Role  string `json:"role,omitempty"`
	Param string `json:"param"` // the parameter's name as the benchmark writes it: "n", "Size"
	Unit  string `json:"unit"`
	Main  bool   `json:"main,omitempty"`  // Unit is the main unit of the results
	Curve string `json:"curve,omitempty"` // see stat.Curve: "1", "log n", "n" …
	Why   string `json:"why,omitempty"`   // there is no Curve: see stat.Obstacle
	*CurveFit
	Points []SizePoint `json:"points"` // in the order of n
}

// CurveFit is what is known of a curve: Unit = Fixed + Coefficient·curve(n).
type CurveFit struct {
	Nearest     string  `json:"nearest,omitempty"` // the curve of these figures, where none was near enough to be called Curve
	Coefficient Number  `json:"coefficient"`       // in Unit, per curve(n); logarithms are to base 2
	Lo          Number  `json:"lo"`                // interval of Coefficient, over resampled forks
	Hi          Number  `json:"hi"`
	Confidence  float64 `json:"confidence,omitempty"` // of Lo … Hi; 0: no interval
	Fixed       Number  `json:"fixed,omitempty"`      // in Unit: what an operation costs at any n
	RMS         Number  `json:"rms"`                  // by how much it misses at a typical size: 0.03 is 3 %, 1 a factor of 2
	Rough       bool    `json:"rough,omitempty"`      // RMS is 25 % or more: the curve is the nearest, and no more
	Resamples   int     `json:"resamples,omitempty"`
	Share       float64 `json:"share,omitempty"`       // of the resamplings that choose the same
	Rival       string  `json:"rival,omitempty"`       // what most of the others choose
	RivalShare  float64 `json:"rival_share,omitempty"` // of the resamplings; without Rival these find no curve
}

// SizePoint is one result of a Complexity.
type SizePoint struct {
	N      float64 `json:"n"`
	Value  string  `json:"value"`  // of the parameter, as the benchmark writes it: "1k"
	Median Number  `json:"median"` // of the fork values
	Lo     Number  `json:"-"`      // its interval
	Hi     Number  `json:"-"`
	forks  []float64
}

// complexities groups the results by all but a size, and fits each group. No curve can be fitted to less than two sizes,
// and a unit other than the main one that is 0 at some size gets no warning: 0 B/op is normal.
func (b *Builder) complexities(results []Benchmark, confidence float64) (out []Complexity) {
	at := map[string]int{}
	for i := range results {
		r := &results[i]
		for _, c := range b.sizesOf(r) {
			p := c.Points[0]
			c.Points = nil
			for _, u := range costsOf(r) {
				c.Unit, c.Main = u.Unit, u.Unit == r.Unit
				key := fmt.Sprintf("%q %q %d %q %q %q", c.Pkg, c.Name, c.Procs, c.Side, c.Role, c.Unit)
				if _, seen := at[key]; !seen {
					at[key], out = len(out), append(out, c)
				}
				points := &out[at[key]].Points
				*points = append(*points, SizePoint{p.N, p.Value, u.Median, u.Lo, u.Hi, Reported(u.Values)})
			}
		}
	}
	out = slices.DeleteFunc(out, func(c Complexity) bool {
		return c.Sizes() < 2 || !c.Main && slices.ContainsFunc(c.Points, func(p SizePoint) bool { return !(p.Median > 0) })
	})
	for i := range out {
		out[i].fit(stat.ComplexityOptions{Confidence: confidence, Seed: b.seed()})
	}
	return out
}

// fit asks package stat.
func (c *Complexity) fit(o stat.ComplexityOptions) {
	slices.SortStableFunc(c.Points, func(a, b SizePoint) int { return cmp.Compare(a.N, b.N) })
	var sizes []stat.Sized
	for _, p := range c.Points {
		sizes = append(sizes, stat.Sized{N: p.N, Values: p.forks})
	}
	x := stat.FitComplexity(sizes, o)
	c.Curve, c.Why = string(x.Curve), string(x.Obstacle)
	if x.Fit.Curve == "" {
		return
	}
	c.CurveFit = &CurveFit{
		Coefficient: Number(x.Fit.Coefficient), Lo: Number(x.Lo), Hi: Number(x.Hi), Confidence: x.Confidence,
		Fixed: Number(x.Fit.Fixed), RMS: Number(x.Fit.RMS), Rough: x.Fit.Rough(),
		Resamples: x.Resamples, Share: x.Share, Rival: string(x.Rival), RivalShare: x.RivalShare,
	}
	if c.Curve == "" {
		c.Nearest = string(x.Fit.Curve)
	}
}

// Sizes returns how many different sizes there are.
func (c *Complexity) Sizes() int {
	seen := map[float64]bool{}
	for _, p := range c.Points {
		seen[p.N] = true
	}
	return len(seen)
}

// From returns the smallest size as the benchmark writes it.
func (c *Complexity) From() string { return c.Points[0].Value }

// To returns the largest size as the benchmark writes it.
func (c *Complexity) To() string { return c.Points[len(c.Points)-1].Value }

// costsOf returns the units of a result that may grow with n: the main unit unless it is a rate, and costs per operation
// such as B/op.
func costsOf(r *Benchmark) []Metric {
	costs := slices.DeleteFunc(slices.Clone(r.Metrics), func(m Metric) bool {
		return !strings.HasSuffix(m.Unit, "/op") || strings.HasPrefix(m.Unit, FloorPrefix) || record.UnitOf(m.Unit).Better != record.Lower
	})
	if r.Forks == 0 || record.IsRate(r.Unit) {
		return costs
	}
	return append([]Metric{{Unit: r.Unit, Interval: r.Interval, Values: r.Values}}, costs...)
}

// sizesOf returns a benchmark's name seen as that of one size, for each parameter that has a number as value and is called
// n or size, in any case. Of commands, all parameters are sizes: also where their values are the sides.
func (b *Builder) sizesOf(r *Benchmark) (out []Complexity) {
	name, side, command := r.Name, r.Side, record.KindOf(b.run) == record.KindTime
	if command && !strings.Contains(name, "/") && strings.Contains(side, "=") {
		name, side = name+"/"+side, ""
	}
	parts := strings.Split(name, "/")
	for i, part := range parts[1:] {
		key, value, _ := strings.Cut(part, "=")
		n, ok := units.ParseSize(value)
		if ok && (command || strings.EqualFold(key, "n") || strings.EqualFold(key, "size")) {
			rest := slices.Clone(parts)
			rest[i+1] = key + "=*"
			out = append(out, Complexity{Pkg: r.Pkg, Name: strings.Join(rest, "/"), Procs: r.Procs, Side: side, Role: r.Role,
				Param: key, Points: []SizePoint{{N: n, Value: value}}})
		}
	}
	return out
}
