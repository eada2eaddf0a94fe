package gather

import (
	"math"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/stat"
)

// Layouts returns what forks of several layouts showed of a comparison; nil if the result has none of both sides.
func Layouts(res *result.Result, c *result.Comparison) *why.Layouts {
	if res.Run == nil || res.Run.Config.Layouts < 2 {
		return nil
	}
	out := &why.Layouts{}
	for side, name := range []string{c.Base, c.Side} {
		values := valuesOf(res, c, name)
		if len(values) == 0 {
			return nil
		}
		slices.Sort(values)
		// The extremes are those of the machine as often as of a layout.
		out.Range[side] = [2]float64{stat.Quantile(values, 0.05), stat.Quantile(values, 0.95)}
	}
	for i := range res.Comparisons {
		x := &res.Comparisons[i]
		if x.Main && x.Pkg == c.Pkg && x.Name == c.Name && x.Procs == c.Procs && x.Base == c.Base && x.Side == c.Side {
			const z95 = 1.96
			out.Ratio = why.Measure{Value: float64(x.Ratio), Err: float64(x.Ratio) * math.Log(float64(x.Hi)/float64(x.Lo)) / (2 * z95)}
			return out
		}
	}
	return nil
}

// valuesOf returns the times of the forks of a side.
func valuesOf(res *result.Result, c *result.Comparison, side string) (out []float64) {
	for i := range res.Results {
		if r := &res.Results[i]; r.Pkg == c.Pkg && r.Name == c.Name && r.Procs == c.Procs && r.Side == side && r.Unit == c.Unit {
			for _, v := range r.Values {
				out = append(out, float64(v))
			}
			return out
		}
	}
	return nil
}
