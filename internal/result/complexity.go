package result

import (
	"cmp"
	"fmt"
	"math"
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

// leastSizes is the least number of sizes that is worth a row. No curve can be fitted to fewer.
const leastSizes = 2

// complexities groups the results by all but a size, and fits each group.
func (b *Builder) complexities(results []Benchmark, confidence float64) []Complexity {
	var out []Complexity
	at := map[string]int{}
	for i := range results {
		r := &results[i]
		for _, s := range b.sizesOf(r) {
			for _, u := range costsOf(r) {
				c := Complexity{Pkg: r.Pkg, Name: s.rest, Procs: r.Procs, Side: s.side, Role: r.Role, Param: s.key, Unit: u.Unit, Main: u.Unit == r.Unit}
				key := fmt.Sprintf("%q %q %d %q %q %q", c.Pkg, c.Name, c.Procs, c.Side, c.Role, c.Unit)
				k, seen := at[key]
				if !seen {
					k, at[key] = len(out), len(out)
					out = append(out, c)
				}
				out[k].Points = append(out[k].Points, SizePoint{s.n, s.value, u.Median, u.Lo, u.Hi, finiteOnes(u.Values)})
			}
		}
	}
	out = slices.DeleteFunc(out, func(c Complexity) bool { return c.Sizes() < leastSizes || c.idle() })
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

// idle reports whether a unit other than the main one is 0 at some size. Such a unit gets no warning: 0 B/op is
// normal.
func (c *Complexity) idle() bool {
	return !c.Main && slices.ContainsFunc(c.Points, func(p SizePoint) bool { return !(p.Median > 0) })
}

// Sizes returns how many different sizes there are.
func (c *Complexity) Sizes() int {
	seen := map[float64]bool{}
	for _, p := range c.Points {
		seen[p.N] = true
	}
	return len(seen)
}

func (b *Builder) seed() uint64 {
	if b.run == nil {
		return 0
	}
	return uint64(b.run.Seed)
}

// costsOf returns the units of a result whose growth is worth knowing: of which less is better, or of which that is
// not known. A rate does not grow with n, and what is no cost per operation has little to do with it.
func costsOf(r *Benchmark) []Metric {
	costs := slices.DeleteFunc(slices.Clone(r.Metrics), func(m Metric) bool {
		return !strings.HasSuffix(m.Unit, "/op") || strings.HasPrefix(m.Unit, FloorPrefix) || record.UnitOf(m.Unit).Better != record.Lower
	})
	if r.Forks == 0 || record.IsRate(r.Unit) {
		return costs
	}
	return append([]Metric{{Unit: r.Unit, Interval: r.Interval, Values: r.Values}}, costs...)
}

// finiteOnes returns the values without those of forks that did not report the unit.
func finiteOnes(xs []Number) []float64 {
	var out []float64
	for _, x := range xs {
		if !math.IsNaN(float64(x)) {
			out = append(out, float64(x))
		}
	}
	return out
}

// sized is a benchmark's name seen as that of one size.
type sized struct {
	rest  string // the name with * for the size
	side  string // of the benchmark, unless that is the size
	key   string
	value string
	n     float64
}

// sizesOf returns the sizes of a benchmark. Of commands, all parameters are: also where their values are the sides.
func (b *Builder) sizesOf(r *Benchmark) []sized {
	command := record.KindOf(b.run) == record.KindTime
	name, side := r.Name, r.Side
	if command && !strings.Contains(name, "/") && strings.Contains(side, "=") {
		name, side = name+"/"+side, ""
	}
	out := sizesIn(name, command)
	for i := range out {
		out[i].side = side
	}
	return out
}

// sizesIn returns the parameters of a benchmark's name that have a number as value: those that are called n or size,
// in any case, or all.
func sizesIn(name string, all bool) []sized {
	parts := strings.Split(name, "/")
	var out []sized
	for i, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		if !ok || !all && !strings.EqualFold(key, "n") && !strings.EqualFold(key, "size") {
			continue
		}
		if n, ok := units.ParseSize(value); ok {
			rest := slices.Clone(parts)
			rest[i+1] = key + "=*"
			out = append(out, sized{rest: strings.Join(rest, "/"), key: key, value: value, n: n})
		}
	}
	return out
}
