package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tarebench/tare/stat"
)

// shapes are those for which the interval of Savage's test is simulated. Where forks have one value it is their median
// and their best iteration.
var shapes = append(scenarios[:2:2], scenarios[3], scenarios[5], alike("one-sided: 1 + an exponential of 20 % in half of the forks", disturbed))

// disturbed is an undisturbed speed that varies by 2 %, and in half of the forks something that makes it worse.
func disturbed(r *rand.Rand) float64 {
	x := 1 + 0.02*r.NormFloat64()
	if r.Float64() < 0.5 {
		x *= 1 + 0.2*r.ExpFloat64()
	}
	return x
}

// renderUndisturbed returns the table of the coverage of the interval of Savage's test, alone, at the nominal level, and
// of what the rule calls.
func renderUndisturbed(c config) string {
	head := strings.Split("fork values|n|stated|Savage at 1|Savage at 1.05|width|width of HL|called different at 1|called slower at 1.05", "|")
	lines := []string{"`" + c.command() + "`", "", line(head), "| --- " + strings.Repeat("| ---: ", len(head)-1) + "|"}
	for i, s := range shapes {
		for _, n := range sizes {
			rnd := rand.New(rand.NewPCG(c.seed, uint64(i)<<40|uint64(n)))
			old, new := make([]float64, n), make([]float64, n)
			var iv, hl interval
			var stated float64
			var called [2]int
			for k, truth := range []float64{1, shift} {
				for range c.runs {
					s.draw(rnd, truth, old, new)
					x := stat.Savage(old, new, nominal, false).Ratio
					stated = x.Confidence
					iv.add(k, x.Lo, x.Hi, truth)
					y := stat.HodgesLehmann(old, new, nominal)
					hl.add(k, y.Lo, y.Hi, truth)
					v := stat.CompareForks(stat.Forks{Typical: old, Undisturbed: old}, stat.Forks{Typical: new, Undisturbed: new}, stat.Options{Resamples: -1})
					if v.Verdict == stat.Slower || k == 0 && v.Verdict == stat.Faster {
						called[k]++
					}
				}
			}
			r := row{runs: c.runs}
			lines = append(lines, line([]string{s.name, fmt.Sprint(n), fmt.Sprintf("%.1f", 100*stated), rate(iv.held[0], c.runs), rate(iv.held[1], c.runs),
				r.width(iv), r.width(hl), rate(called[0], c.runs), rate(called[1], c.runs)}))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
