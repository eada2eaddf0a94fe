package server

import (
	"maps"
	"math"
	"slices"

	dto "github.com/prometheus/client_model/go"

	"github.com/tarebench/tare/hist"
)

const (
	perSecond = 1e9 // nanoseconds

	// schema says how fine native histograms are: each power of two has 2^5 buckets, which are 2.2 % wide.
	schema = 5

	// zeroThreshold is the largest value that counts as zero in native histograms, in seconds: as of Prometheus's clients.
	zeroThreshold = 0x1p-128
)

// bounds are the upper bounds of classic buckets, in ns: 10 µs to 10 s in steps of 1, 2.5 and 5.
var bounds = []int64{
	10e3, 25e3, 50e3, 100e3, 250e3, 500e3, 1e6, 2.5e6, 5e6, 10e6, 25e6, 50e6, 100e6, 250e6, 500e6, 1e9, 2.5e9, 5e9, 10e9,
}

// addHistogram adds a histogram of nanoseconds to a family in seconds, with classic and with native buckets: the server takes
// those that it wants.
func addHistogram(f *dto.MetricFamily, h *hist.Histogram, labels []*dto.LabelPair) {
	zeros, counts := native(h)
	x := &dto.Histogram{
		SampleCount: new(uint64(h.Count())), SampleSum: new(h.Mean() * float64(h.Count()) / perSecond), // each value is the middle of its bucket
		Schema: new(int32(schema)), ZeroThreshold: new(float64(zeroThreshold)), ZeroCount: new(uint64(zeros)),
	}
	for i, n := range cumulative(h) {
		x.Bucket = append(x.Bucket, &dto.Bucket{CumulativeCount: new(uint64(n)), UpperBound: new(float64(bounds[i]) / perSecond)})
	}
	x.PositiveSpan, x.PositiveDelta = spans(counts)
	f.Metric = append(f.Metric, &dto.Metric{Label: labels, Histogram: x})
}

// cumulative returns how many values are at most each of bounds. A value counts as the largest of its bucket, which is 0.1 %
// above it at most.
func cumulative(h *hist.Histogram) []int64 {
	out := make([]int64, len(bounds))
	var seen int64
	i := 0
	for b, n := range h.Buckets() {
		for i < len(bounds) && bounds[i] < b.Highest {
			out[i] = seen
			i++
		}
		seen += n
	}
	for ; i < len(bounds); i++ {
		out[i] = seen
	}
	return out
}

// native returns how many values are zero, and the others by the index of their bucket: bucket i holds values in seconds above
// 2^((i-1)/2^schema), up to 2^(i/2^schema). A value counts as the middle of its bucket in h.
func native(h *hist.Histogram) (zeros int64, counts map[int]int64) {
	counts = map[int]int64{}
	for b, n := range h.Buckets() {
		if b.Highest == 0 {
			zeros += n
			continue
		}
		middle := (float64(b.Lowest) + float64(b.Highest)) / 2 / perSecond
		counts[int(math.Ceil(math.Log2(middle)*(1<<schema)))] += n
	}
	return zeros, counts
}

// spans returns counts as Prometheus has them: ranges of buckets without a gap, and the count of each bucket less that of the
// one before.
func spans(counts map[int]int64) (ranges []*dto.BucketSpan, deltas []int64) {
	next, before := 0, int64(0)
	for _, i := range slices.Sorted(maps.Keys(counts)) {
		if len(ranges) == 0 || i != next {
			ranges = append(ranges, &dto.BucketSpan{Offset: new(int32(i - next)), Length: new(uint32(0))}) // of the first one from 0
		}
		*ranges[len(ranges)-1].Length++
		deltas = append(deltas, counts[i]-before)
		next, before = i+1, counts[i]
	}
	if len(ranges) == 0 {
		ranges = []*dto.BucketSpan{{Offset: new(int32(0)), Length: new(uint32(0))}} // says that the histogram is a native one
	}
	return ranges, deltas
}
