package listing

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/internal/binary/disasm"
)

// maxLanes is how many lanes of jumps are drawn. More would separate the code too far from
// its counts.
const maxLanes = 10

// edge is a jump between two instructions of a function.
type edge struct{ from, to int }

// edges returns the jumps from within the region, in the order of addresses: those that
// stay in it, and the instructions whose jumps leave it.
func (r *region) edges() (inside []edge, leaving []int) {
	for i := r.from; i < r.to; i++ {
		in := &r.fn.insts[i]
		if in.Flow != disasm.Jump && in.Flow != disasm.Branch {
			continue
		}
		to, ok := r.fn.find(in.Target)
		if ok && r.from <= to && to < r.to {
			inside = append(inside, edge{i, to})
			continue
		}
		leaving = append(leaving, i)
	}
	return inside, leaving
}

// drawn returns the jumps of the region without those of failed checks: there is one for
// nearly every index, they are not taken, and a note says what they are.
func (r *region) drawn() (inside []edge, leaving []int) {
	inside, leaving = r.edges()
	inside = slices.DeleteFunc(inside, func(e edge) bool { return r.fn.check(e.from) != "" })
	leaving = slices.DeleteFunc(leaving, func(i int) bool { return r.fn.check(i) != "" })
	return inside, leaving
}

// bundle is all jumps to one instruction: they share a lane.
type bundle struct {
	to     int
	from   []int
	lo, hi int // instructions that the lane runs along, both inclusive
}

// bundles puts jumps together by where they lead, the shortest bundle first. An
// instruction that jumps to itself needs no lane.
func bundles(edges []edge) []bundle {
	index := map[int]int{}
	var out []bundle
	for _, e := range edges {
		if e.from == e.to {
			continue
		}
		i, ok := index[e.to]
		if !ok {
			i = len(out)
			index[e.to] = i
			out = append(out, bundle{to: e.to, lo: e.to, hi: e.to})
		}
		b := &out[i]
		b.from = append(b.from, e.from)
		b.lo, b.hi = min(b.lo, e.from), max(b.hi, e.from)
	}
	slices.SortStableFunc(out, func(a, b bundle) int {
		return cmp.Or(cmp.Compare(a.hi-a.lo, b.hi-b.lo), cmp.Compare(a.to, b.to))
	})
	return out
}

// pack puts bundles into lanes, innermost first, of which there are at most as many as
// said: each goes into the first in which its rows are free. Those that
// do not fit are the longest; it returns how many jumps they are.
func pack(bs []bundle, most int) (lanes [][]bundle, omitted int) {
next:
	for _, b := range bs {
		for i := range lanes {
			if !slices.ContainsFunc(lanes[i], func(o bundle) bool { return b.lo <= o.hi && o.lo <= b.hi }) {
				lanes[i] = append(lanes[i], b)
				continue next
			}
		}
		if len(lanes) == most {
			omitted += len(b.from)
			continue
		}
		lanes = append(lanes, []bundle{b})
	}
	return lanes, omitted
}
