package hist

import (
	"errors"
	"fmt"
	"math"
)

var errOverflow = errors.New("the sum of the counts exceeds 2^63-1")

// Merge adds all values of another Histogram. If the two have different digits
// or lowest values, each count goes to the bucket of the middle of its bucket, and
// the precision is that of the coarser. Values above h's Config.Highest are
// counted as saturated. Merge returns an error, and changes nothing, only if the sum
// of all counts would exceed math.MaxInt64.
func (h *Histogram) Merge(from *Histogram) error {
	if from.count == 0 {
		return nil
	}
	h.ready()
	if from.count > math.MaxInt64-h.count {
		return fmt.Errorf("hist: merge: %w", errOverflow)
	}
	if h.same(&from.layout) && from.top <= h.top {
		h.mergePages(from)
	} else {
		for p, n := range from.counts() {
			to := h.clamp(from.middle(p), n)
			h.page(to.page)[to.slot] += n
		}
	}
	h.addTotals(from)
	return nil
}

// addTotals adds what a Histogram keeps beside its buckets, after the buckets were added.
func (h *Histogram) addTotals(from *Histogram) {
	h.count += from.count
	if h.find(from.middle(from.last())).page < h.top {
		h.saturated += from.saturated // else clamp has counted them as saturated
	}
	h.negative += from.negative
	h.min, h.max = min(h.min, from.min), max(h.max, from.max)
}

// mergePages adds the counts of a Histogram of the same layout and no larger
// range.
func (h *Histogram) mergePages(from *Histogram) {
	for i, counts := range from.pages {
		if counts == nil || empty(counts) {
			continue
		}
		to := h.page(uint(i))[:len(counts)]
		for slot, n := range counts {
			to[slot] += n
		}
	}
}

func empty(counts []int64) bool {
	for _, n := range counts {
		if n != 0 {
			return false
		}
	}
	return true
}

// Subtract removes the values of another Histogram, which must be a part of h: h was
// merged from it and others, or is a later state of it. Subtract returns an error,
// and changes nothing, if the digits or lowest values differ or if any count would
// become negative. Min and Max of the rest are exact to the Histogram's digits.
func (h *Histogram) Subtract(from *Histogram) error {
	if from.count == 0 {
		return nil
	}
	h.ready()
	if !h.same(&from.layout) {
		a, b := h.config, from.config
		return fmt.Errorf("hist: subtract: the buckets differ: %d digits of values from %d up, from %d digits from %d up",
			b.Digits, b.Lowest, a.Digits, a.Lowest)
	}
	for p, n := range from.counts() {
		if has := h.countAt(p); has < n {
			return fmt.Errorf("hist: subtract: %d values from %d to %d, of which there are only %d",
				n, h.lowest(p), h.highest(p), has)
		}
	}
	for p, n := range from.counts() {
		h.pages[p.page][p.slot] -= n
	}
	h.count -= from.count
	h.saturated = max(h.saturated-from.saturated, 0)
	h.negative = max(h.negative-from.negative, 0)
	h.tighten()
	return nil
}

// countAt returns a count, or 0 if its page was never used.
func (h *Histogram) countAt(p place) int64 {
	if counts := h.pages[p.page]; counts != nil {
		return counts[p.slot]
	}
	return 0
}

// tighten makes Min and Max agree with the counts: they stay if a value is left in
// their bucket, else they become the bound of the outermost bucket.
func (h *Histogram) tighten() {
	low, high := h.bounds()
	if h.negative == 0 {
		h.min = max(h.min, low)
	}
	if h.saturated == 0 {
		h.max = min(h.max, high)
	}
	if h.count == 0 {
		h.min, h.max = low, high
	}
}

// bounds returns the bounds of the outermost buckets with counts.
func (h *Histogram) bounds() (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for p := range h.counts() {
		low, high = min(low, h.lowest(p)), h.highest(p)
	}
	return low, high
}

// Equal reports whether two Histograms have the same buckets and the same counts. It
// ignores the exact Min and Max, Saturated and Negative, and a Config.Highest that was
// not reached. So a Histogram equals its decoded encoding.
func (h *Histogram) Equal(o *Histogram) bool {
	if h.count != o.count {
		return false
	}
	h.ready()
	o.ready()
	if !h.same(&o.layout) {
		return false
	}
	for p, n := range h.counts() {
		if o.countAt(p) != n {
			return false
		}
	}
	return true // the sums are the same, so o has no other count
}
