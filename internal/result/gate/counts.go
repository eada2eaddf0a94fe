package gate

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// countState returns what the gate says about a count that is the same in all forks of the base and larger in some forks of the change,
// with a text; "" if it is no such count. A median hides what some forks do.
func (g *Gate) countState(res *result.Result, rows []result.Comparison, i int) (state, text string) {
	r := &rows[i]
	more, forks := r.ForksAbove(g.limit)
	if g.verdict != stat.More || more == 0 {
		return "", ""
	}
	text = fmt.Sprintf("%s %s: %d of %d forks of %s have more than the %s of all forks of %s", res.NameOf(r.Pkg, r.Name, r.Procs), r.Unit, more, forks, r.Side, units.Value("", float64(r.Old), 5), r.Base)
	switch p := g.countP(rows, i); {
	case !r.CountTrusted():
		return result.GateNotDecided, text
	case more == forks || p <= 1-r.Tested().Options.Confidence:
		return result.GateMissed, text
	case r.Unit == "B/op" && allocsSame(rows, r): // bytes of the runtime that fall into some forks
		return "", ""
	}
	return result.GateNotDecided, text + ", too few to prove it: measure more forks (--forks)"
}

// countP returns the p of a row by Fisher's exact test, corrected by Holm over the rows of its unit and side.
func (g *Gate) countP(rows []result.Comparison, of int) float64 {
	var ps []float64
	at := 0
	for i := range rows {
		r := &rows[i]
		more, forks := r.ForksAbove(g.limit)
		if r.Unit != rows[of].Unit || r.Side != rows[of].Side || more == 0 {
			continue
		}
		if i == of {
			at = len(ps)
		}
		ps = append(ps, fisher(r.OldN, forks, more))
	}
	return stat.Holm(ps)[at]
}

// fisher returns twice the one-sided p of Fisher's exact test for k of n forks, against none of m.
func fisher(m, n, k int) float64 {
	p := 2.0
	for i := range k {
		p *= float64(n-i) / float64(m+n-i)
	}
	return min(p, 1)
}

// allocsSame reports whether the number of allocations of a row's benchmark is exact and equal on both sides.
func allocsSame(rows []result.Comparison, of *result.Comparison) bool {
	for i := range rows {
		r := &rows[i]
		if r.Unit == "allocs/op" && r.Pkg == of.Pkg && r.Name == of.Name && r.Procs == of.Procs && r.Role == of.Role && r.Side == of.Side {
			return r.Verdict == string(stat.Same)
		}
	}
	return false
}
