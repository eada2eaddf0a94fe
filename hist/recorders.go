package hist

import "fmt"

// Recorders records several values of each operation, such as response time, service
// time and lateness. All Histograms of an interval have the same operations, and the
// cost of two atomic operations is paid once for all values.
//
// As with [Recorder], one goroutine records and any may swap.
type Recorders struct {
	phaser
	halves [2][]Histogram // all of one layout
}

// NewRecorders returns an empty Recorders of n values for each operation. It
// panics if n is less than 1 or the configuration is not valid.
func NewRecorders(n int, c Config) *Recorders {
	if n < 1 {
		panic(fmt.Sprintf("hist: NewRecorders: %d values", n))
	}
	r := new(Recorders)
	for i := range r.halves {
		r.halves[i] = make([]Histogram, n)
		for j := range r.halves[i] {
			r.halves[i][j].init(c)
		}
	}
	return r
}

// Record counts the values of one operation: the first in the first Histogram, and so
// on. It panics if there are more values than Histograms. The last values may be
// omitted.
func (r *Recorders) Record(values ...int64) {
	e := r.enter()
	half := r.halves[e&1]
	if len(values) > len(half) {
		r.leave(e)
		panic(fmt.Sprintf("hist: %d values for %d histograms", len(values), len(half)))
	}
	recordEach(half, values)
	r.leave(e)
}

// recordEach records each value in the Histogram at its index, without a call for each. There are as many Histograms as
// values, all of one layout.
func recordEach(into []Histogram, values []int64) {
	if len(values) == 0 {
		return
	}
	into = into[:len(values)]
	l := &into[0].layout
	for i, v := range values {
		h := &into[i]
		p := l.find(v)
		counts := h.pages[p.page&(maxPages-1)]
		if p.slot >= uint64(len(counts)) {
			h.recordSlow(v, 1)
			continue
		}
		counts[p.slot]++
		h.count++
		if v > h.max {
			h.max = v
		}
		if v < h.min {
			h.min = v
		}
	}
}

// Swap adds the values since the last Swap to each of the Histograms, and begins the
// next interval, as [Recorder.Swap] does. It panics if the number of Histograms is
// not that of the values. nil discards the values.
func (r *Recorders) Swap(into ...*Histogram) {
	if n := len(r.halves[0]); len(into) != n {
		panic(fmt.Sprintf("hist: swap: %d histograms for %d values", len(into), n))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	half := r.halves[r.flip()]
	for i := range half {
		half[i].moveTo(into[i])
	}
}
