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

// ValueAtPercentile returns the value that p percent of the recorded values do
// not exceed, to the Histogram's digits. As HdrHistogram defines it, that is the
// highest value of the bucket in which the ⌈p/100 × Count⌉-th smallest value
// lies, or the lowest value of the first one for p = 0; so it may exceed Max by
// less than a bucket's width. p is taken as the shortest decimal number that it
// prints as: 99.9 means 999/1000, of which its float64 falls short. p beyond
// 0…100 is taken as the nearer end, NaN as 0. Without values it is 0.
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

// CountBeyond returns how many values are left above the percentile p: Count
// less the number of those that ValueAtPercentile had to count up to. It says
// what a percentile rests on: below about 10, the next run will have another.
func (h *Histogram) CountBeyond(p float64) int64 { return h.count - rank(p, h.count) }
