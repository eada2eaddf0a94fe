package hist

import (
	"iter"
	"math"
)

// A Bucket is a range of values that are counted together, both ends included.
type Bucket struct{ Lowest, Highest int64 }

// Buckets returns an iterator over the buckets that are not empty, in ascending
// order, and their counts.
func (h *Histogram) Buckets() iter.Seq2[Bucket, int64] {
	return func(yield func(Bucket, int64) bool) {
		for p, n := range h.counts() {
			if !yield(Bucket{h.lowest(p), h.highest(p)}, n) {
				return
			}
		}
	}
}

// counts returns an iterator over the counts that are not zero, in ascending
// order of their values.
func (h *Histogram) counts() iter.Seq2[place, int64] {
	return func(yield func(place, int64) bool) {
		for page, counts := range h.pages {
			for slot, n := range counts {
				if n != 0 && !yield(place{uint(page), uint64(slot)}, n) {
					return
				}
			}
		}
	}
}

// Mean returns the arithmetic mean, each value taken as the middle of its
// bucket (HdrHistogram's getMean). It is 0 if there are no values.
func (h *Histogram) Mean() float64 {
	if h.count == 0 {
		return 0
	}
	var sum float64
	for p, n := range h.counts() {
		sum += float64(h.middle(p)) * float64(n)
	}
	return sum / float64(h.count)
}

// StdDev returns the standard deviation of the values as a population, each
// taken as the middle of its bucket (HdrHistogram's getStdDeviation). It is 0 if
// there are no values.
func (h *Histogram) StdDev() float64 {
	if h.count == 0 {
		return 0
	}
	var sum float64
	mean := h.Mean()
	for p, n := range h.counts() {
		d := float64(h.middle(p)) - mean
		sum += d * d * float64(n)
	}
	return math.Sqrt(sum / float64(h.count))
}

// ValueAtPercentile returns the value that p percent of the recorded values do not
// exceed, to the Histogram's digits. As in HdrHistogram, it is the highest value of
// the bucket with the ⌈p/100 × Count⌉-th smallest value, or the lowest value of the
// first bucket for p = 0; so it may exceed Max by less than a bucket's width. p is
// interpreted as its shortest decimal form: 99.9 means 999/1000, although the float64
// is slightly less. p is limited to 0…100; NaN counts as 0. It returns 0 without
// values.
func (h *Histogram) ValueAtPercentile(p float64) int64 {
	r := rank(p, h.count)
	var seen int64
	for at, n := range h.counts() {
		if seen += n; seen < r {
			continue
		}
		if p > 0 {
			return h.highest(at)
		}
		return h.lowest(at)
	}
	return 0
}

// CountBeyond returns how many values are above the percentile p: Count less the rank
// of ValueAtPercentile. With fewer than about 10, a percentile is not reproducible.
func (h *Histogram) CountBeyond(p float64) int64 { return h.count - rank(p, h.count) }
