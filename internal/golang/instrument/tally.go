package instrument

import "math"

// tally is the statistics of many calls, in ticks.
type tally struct {
	callSet
	nested          callSet // calls made during another call of the same function
	panics, goexits uint64
	min, max        float64
	mean, squares   float64 // squares: sum of squared distances from the mean
	hist            map[[2]int]uint64
}

// callSet is a set of calls with the sums of their times.
type callSet struct {
	calls, timed uint64
	loose        uint64  // timed calls that were not timed exactly
	sum, inner   float64 // of timed calls; inner: probes, in units
	heads        uint64  // timed calls that were the first of their element, if one of several calls is timed
	headSum      float64
	headInner    float64
}

func (p *callSet) add(o *callSet) {
	p.calls += o.calls
	p.timed += o.timed
	p.loose += o.loose
	p.sum += o.sum
	p.inner += o.inner
	p.heads += o.heads
	p.headSum += o.headSum
	p.headInner += o.headInner
}

// without returns p less the calls of o. The calls of o must be part of those of p.
func (p callSet) without(o callSet) callSet {
	timed := p.timed - min(o.timed, p.timed)
	return callSet{
		p.calls - min(o.calls, p.calls), timed, min(p.loose, timed), p.sum - o.sum, p.inner - o.inner,
		p.heads - min(o.heads, p.heads), p.headSum - o.headSum, p.headInner - o.headInner,
	}
}

// estimate estimates the total time of all calls. sum is the time of the timed calls, and head that of the first
// calls among them. First calls count as themselves. The others, which were sampled at random, are scaled up
// (stratified sampling: Cochran, Sampling Techniques, §5.3).
func (p *callSet) estimate(sum, head float64) float64 {
	rest, more := float64(p.timed-p.heads), float64(p.calls-min(p.heads, p.calls))
	switch {
	case more == 0 || p.timed == 0:
		return sum
	case rest == 0:
		return head / float64(p.heads) * float64(p.calls)
	}
	return head + (sum-head)/rest*more
}

// variance returns the variance of the estimate of a part, if its calls vary like all timed calls. The standard error
// of an estimate from one call is the estimate itself.
func (t *tally) variance(p *callSet, estimate float64) float64 {
	rest, more := float64(p.timed-p.heads), float64(p.calls-min(p.heads, p.calls))
	switch {
	case more <= rest || p.timed == 0:
		return 0
	case rest < 1 || t.timed < 2:
		return estimate * estimate
	}
	return more * more / rest * (1 - rest/more) * t.squares / float64(t.timed-1)
}

// add adds a tally. Variances are combined as in Chan, Golub and LeVeque, Updating Formulae and a Pairwise Algorithm
// for Computing Sample Variances (1979), eq. 2.1.
func (t *tally) add(o *tally) {
	had := t.timed
	t.callSet.add(&o.callSet)
	t.nested.add(&o.nested)
	t.panics += o.panics
	t.goexits += o.goexits
	if o.timed == 0 {
		return
	}
	if had == 0 {
		t.min, t.max, t.mean, t.squares = o.min, o.max, o.mean, o.squares
	} else {
		n, m := float64(had), float64(o.timed)
		far := o.mean - t.mean
		t.mean += far * m / (n + m)
		t.squares += o.squares + far*far*n*m/(n+m)
		t.min, t.max = math.Min(t.min, o.min), math.Max(t.max, o.max)
	}
	if t.hist == nil {
		t.hist = make(map[[2]int]uint64)
	}
	for b, n := range o.hist {
		t.hist[b] += n
	}
}

// readTally reads the tally of a tareCall.
func (d *decoder) readTally(at uint64) (*tally, error) {
	t := &tally{callSet: callSet{
		calls: d.word(at, callCalls), timed: d.word(at, callTimed), loose: d.word(at, callLoose),
		sum: float64(d.word(at, callSum)), inner: float64(d.word(at, callInner)),
	}}
	// Calls in progress while counts were discarded may end by a panic or Goexit without being counted.
	t.panics = min(d.word(at, callPanics), t.calls)
	t.goexits = min(d.word(at, callGoexits), t.calls-t.panics)
	t.nested = callSet{
		calls: min(d.word(at, callAgain), t.calls), timed: min(d.word(at, callNestedTimed), t.timed),
		sum: float64(d.word(at, callNested)), inner: float64(d.word(at, callNestedInner)),
	}
	if heads := d.word(at, callHeads); heads > 0 && t.timed > 0 {
		t.heads, t.headSum, t.headInner = 1, float64(d.word(at, callHeadSum)), float64(d.word(at, callHeadInner))
		if heads > 1 && t.nested.timed > 0 {
			t.nested.heads, t.nested.headSum, t.nested.headInner = 1, t.headSum, t.headInner
		}
	}
	t.loose = min(t.loose, t.timed)
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
		for s := range subs {
			if n := d.word(h, uint64(s)*8); n > 0 {
				t.hist[[2]int{o, s}] = n
			}
		}
	}
	return t, nil
}
