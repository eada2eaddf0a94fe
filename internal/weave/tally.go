package weave

import "math"

// tally is what is known of many calls, in ticks.
type tally struct {
	calls, timed    uint64
	panics, goexits uint64
	sum, inner      float64 // inner: probes, in units
	min, max        float64
	mean, squares   float64 // of distances from the mean
	hist            map[[2]int]uint64
}

// add puts two tallies together, variances as in Chan, Golub and LeVeque, Updating
// Formulae and a Pairwise Algorithm for Computing Sample Variances (1979), eq. 2.1.
func (t *tally) add(o *tally) {
	t.calls += o.calls
	t.panics += o.panics
	t.goexits += o.goexits
	t.sum += o.sum
	t.inner += o.inner
	if o.timed == 0 {
		return
	}
	if t.timed == 0 {
		t.min, t.max, t.mean, t.squares = o.min, o.max, o.mean, o.squares
	} else {
		n, m := float64(t.timed), float64(o.timed)
		far := o.mean - t.mean
		t.mean += far * m / (n + m)
		t.squares += o.squares + far*far*n*m/(n+m)
		t.min, t.max = math.Min(t.min, o.min), math.Max(t.max, o.max)
	}
	t.timed += o.timed
	if t.hist == nil {
		t.hist = make(map[[2]int]uint64)
	}
	for b, n := range o.hist {
		t.hist[b] += n
	}
}

// scale is how many calls a timed one stands for.
func (t *tally) scale(every bool) float64 {
	if !every || t.timed == 0 {
		return 1
	}
	return float64(t.calls) / float64(t.timed)
}

// call reads the tally of a tareCall.
func (d *decoder) call(at uint64) (*tally, error) {
	t := &tally{
		calls: d.word(at, callCalls), timed: d.word(at, callTimed),
		panics: d.word(at, callPanics), goexits: d.word(at, callGoexits),
		sum: float64(d.word(at, callSum)), inner: float64(d.word(at, callInner)),
	}
	if t.timed == 0 {
		return t, nil
	}
	n, first := float64(t.timed), float64(d.word(at, callFirst))
	t.min, t.max = float64(d.word(at, callMin)), float64(d.word(at, callMax))
	t.mean = t.sum / n
	off := t.mean - first
	t.squares = max(d.float(at, callSquare)-n*off*off, 0)
	if math.IsNaN(t.squares) || math.IsInf(t.squares, 0) {
		return nil, damaged("a sum of squares of %v", d.float(at, callSquare))
	}
	t.hist = make(map[[2]int]uint64)
	for o := range octaves {
		h := uint64(uint32At(d.b, at+callHist+4*uint64(o)))
		if h == 0 {
			continue
		}
		h, err := d.offset(h, subs*8)
		if err != nil {
			return nil, err
		}
		if h == sinkAt {
			continue // there was no room
		}
		for s := range subs {
			if n := d.word(h, uint64(s)*8); n > 0 {
				t.hist[[2]int{o, s}] = n
			}
		}
	}
	return t, nil
}
