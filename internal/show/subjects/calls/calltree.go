package calls

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/record"
)

// calltree is the tree of calls, as it is shown: so that what elements with the same
// parent took adds up to no more than what that one took.
type calltree struct {
	roots []int
	kids  [][]int   // of each element: most time first
	time  []float64 // of each, in ns
	net   []float64 // of that, without probes
	loops []bool    // what is within it leads back further up: its total holds its own calls again and again
	all   float64   // ns of the roots
}

func newTree(t *record.Trace) calltree {
	n := len(t.Tree)
	out := calltree{kids: make([][]int, n), time: make([]float64, n), net: make([]float64, n), loops: make([]bool, n)}
	for i := range t.Tree {
		up := i
		for range t.Tree[i].Back {
			out.loops[up] = true
			up = t.Tree[up].Parent
		}
	}
	below, netBelow := make([]float64, n), make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		e := &t.Tree[i]
		// A call that has not ended, or none of which was timed, took what it called at least.
		out.time[i], out.net[i] = max(e.Total, below[i]), max(e.Corrected, netBelow[i])
		if out.loops[i] {
			out.time[i], out.net[i] = max(e.Self, 0)+below[i], max(e.CorrectedSelf, 0)+netBelow[i]
		}
		out.net[i] = min(out.net[i], out.time[i])
		if e.Parent < 0 {
			out.roots = append(out.roots, i)
			out.all += out.time[i]
			continue
		}
		out.kids[e.Parent] = append(out.kids[e.Parent], i)
		below[e.Parent] += out.time[i]
		netBelow[e.Parent] += out.net[i]
	}
	for _, k := range append(out.kids[:n:n], out.roots) {
		slices.SortFunc(k, func(a, b int) int {
			x, y := &t.Tree[a], &t.Tree[b]
			return cmp.Or(cmp.Compare(out.time[b], out.time[a]), cmp.Compare(y.Calls, x.Calls), cmp.Compare(t.Funcs[x.Func].Name, t.Funcs[y.Func].Name), cmp.Compare(a, b))
		})
	}
	return out
}

// share returns an element's part of all time.
func (c *calltree) share(i int) float64 {
	if !(c.all > 0) {
		return 0
	}
	return c.time[i] / c.all
}
