package attached

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// WaitDifference is a site, or all of a cause, on two sides. Lines may have moved between them: sites are the same if
// their functions and operations are.
type WaitDifference struct {
	Cause    string
	At, By   record.WaitPlace // as on the new side if it has it; of a whole cause, zero
	Old, New stat.Number      // ns/op, of all goroutines
	OwnOld   stat.Number      // ns/op, of the benchmark's own one
	OwnNew   stat.Number
	P        float64 // of Welch's test, not corrected; NaN: too few forks, or neither side varies
}

// Delta returns new less old, in ns/op.
func (d *WaitDifference) Delta() float64 { return float64(d.New - d.Old) }

// WaitDifferences returns the causes and the sites of two sides beside each other, those with the largest difference
// first. Neither side may be nil.
func WaitDifferences(base, side *Waits) (causes, sites []WaitDifference) {
	of := func(w *Waits) (out []WaitSite) {
		for _, c := range w.Causes {
			out = append(out, WaitSite{WaitCause: c})
		}
		return out
	}
	return waitPairs(of(base), of(side), base.Forks, side.Forks), waitPairs(base.Sites, side.Sites, base.Forks, side.Forks)
}

// waitPair is a site on two sides, ns/op of each fork.
type waitPair struct {
	d        WaitDifference
	old, new []float64
}

func waitPairs(base, side []WaitSite, baseForks, sideForks int) []WaitDifference {
	pairs := map[waitKey]*waitPair{}
	of := func(x *WaitSite) *waitPair {
		k := waitKey{cause: x.Cause, at: unmoved(&x.At), by: unmoved(x.By)}
		p := pairs[k]
		if p == nil {
			p = &waitPair{old: make([]float64, baseForks), new: make([]float64, sideForks)}
			pairs[k] = p
		}
		p.d.Cause, p.d.At = x.Cause, x.At
		if x.By != nil {
			p.d.By = *x.By
		}
		return p
	}
	for i := range base {
		p := of(&base[i])
		p.d.Old, p.d.OwnOld = p.d.Old+base[i].Time, p.d.OwnOld+base[i].Own
		addTo(p.old, base[i].times)
	}
	for i := range side {
		p := of(&side[i])
		p.d.New, p.d.OwnNew = p.d.New+side[i].Time, p.d.OwnNew+side[i].Own
		addTo(p.new, side[i].times)
	}
	var out []WaitDifference
	for _, p := range pairs {
		p.d.P = stat.Welch(p.old, p.new).P
		out = append(out, p.d)
	}
	slices.SortFunc(out, func(a, b WaitDifference) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Delta()), math.Abs(a.Delta())), cmp.Compare(a.Cause, b.Cause), comparePlaces(&a.At, &b.At), comparePlaces(&a.By, &b.By))
	})
	return out
}

// unmoved returns what of a place stays when lines are added above it.
func unmoved(p *record.WaitPlace) record.WaitPlace {
	if p == nil {
		return record.WaitPlace{}
	}
	return record.WaitPlace{Func: p.Func, Op: p.Op}
}

func addTo(sum, xs []float64) {
	for i, x := range xs {
		sum[i] += x
	}
}
