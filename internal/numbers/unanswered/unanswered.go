// Package unanswered computes percentiles of latencies of which some are known as lower bounds
// only: those of operations that were never answered.
package unanswered

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// Tag returns the tag of the lower bounds that belong to a kind of latency: the ages of operations that were never
// answered. It returns "" if the kind has none.
func Tag(kind string) string {
	switch kind {
	case record.TagResponse:
		return record.TagUnanswered
	case record.TagService:
		return record.TagUnansweredService
	}
	return ""
}

// Waits holds the ages of operations that were never answered: lower bounds of their latencies.
// The zero value holds none.
type Waits struct {
	parts []part
	max   int64
}

type part struct {
	hist  *hist.Histogram
	share float64
}

// Add adds a share, above 0 and up to 1, of the values of a histogram. Without a histogram, or
// without values in it, nothing is added.
func (w *Waits) Add(h *hist.Histogram, share float64) {
	if h == nil || h.Count() == 0 || !(share > 0) {
		return
	}
	w.parts = append(w.parts, part{h, share})
	w.max = max(w.max, h.Max())
}

// Count returns how many operations were never answered.
func (w *Waits) Count() (n float64) {
	for _, p := range w.parts {
		n += p.share * float64(p.hist.Count())
	}
	return n
}

// Longer returns how many operations were older than ns.
func (w *Waits) Longer(ns int64) (n float64) {
	for _, p := range w.parts {
		for b, count := range p.hist.Buckets() {
			if b.Lowest > ns {
				n += p.share * float64(count)
			}
		}
	}
	return n
}

// Min returns the shortest wait, 0 without any.
func (w *Waits) Min() (least int64) {
	for i, p := range w.parts {
		if x := p.hist.Min(); i == 0 || x < least {
			least = x
		}
	}
	return least
}

// Max returns the longest wait, 0 without any.
func (w *Waits) Max() int64 { return w.max }

// Mean returns the mean of the answered latencies and the waits: a lower bound of the mean of
// all, if there are waits.
func (w *Waits) Mean(answered *hist.Histogram) float64 {
	n := float64(answered.Count())
	sum := answered.Mean() * n
	for _, p := range w.parts {
		c := p.share * float64(p.hist.Count())
		sum, n = sum+c*p.hist.Mean(), n+c
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// Bound replaces the figures of answered operations that the waits decide by lower bounds, and returns the names of those,
// as they are in JSON. Count stays that of the answered operations.
func (w *Waits) Bound(p *hist.Percentiles, answered *hist.Histogram) (atLeast []string) {
	if p.Count == 0 {
		p.Min, atLeast = w.Min(), append(atLeast, "min")
	}
	p.Mean, p.Max = w.Mean(answered), max(p.Max, w.Max())
	atLeast = append(atLeast, "mean")
	for _, f := range []struct {
		name    string
		percent float64
		to      *int64
	}{{"p50", 50, &p.P50}, {"p90", 90, &p.P90}, {"p99", 99, &p.P99}, {"p99.9", 99.9, &p.P999}, {"p99.99", 99.99, &p.P9999}} {
		if x, bound := w.Percentile(answered, f.percent, 0); bound {
			*f.to, atLeast = int64(x), append(atLeast, f.name)
		}
	}
	return append(atLeast, "max")
}

// close is how much two values of a percentile may differ and still be shown as one: as much
// as rounding to three digits hides.
const close = 1.005

// Percentile returns percentile p of the answered latencies, the waits, and so many more values
// above all others, in ns. atLeast says that it is a lower bound: how long the operations that
// were never answered would have taken decides it. The value is +Inf if it is one of the lost.
//
// The lower bound takes each wait for a latency, the upper bound takes it for endless. Where
// both are the same, the waits do not matter.
func (w *Waits) Percentile(answered *hist.Histogram, p, lost float64) (ns float64, atLeast bool) {
	total := float64(answered.Count()) + w.Count() + lost
	rank := math.Ceil(p / 100 * total * (1 - 1e-12)) // 99.9 % of 1000 is 999
	all := buckets(answered, 1, func(b hist.Bucket) float64 { return float64(min(b.Highest, answered.Max())) })
	high := valueAt(all, rank)
	if len(w.parts) == 0 {
		return high, false
	}
	for _, part := range w.parts {
		all = append(all, buckets(part.hist, part.share, func(b hist.Bucket) float64 { return float64(max(b.Lowest, part.hist.Min())) })...)
	}
	slices.SortFunc(all, func(a, b values) int { return cmp.Compare(a.ns, b.ns) })
	low := valueAt(all, rank)
	if high <= low*close {
		return high, false
	}
	return low, !math.IsInf(low, 1)
}

// values are n values of the same size.
type values struct{ ns, n float64 }

func buckets(h *hist.Histogram, share float64, value func(hist.Bucket) float64) (all []values) {
	for b, n := range h.Buckets() {
		all = append(all, values{value(b), share * float64(n)})
	}
	return all
}

// valueAt returns the value of a rank, from 1, in ascending values; +Inf beyond them.
func valueAt(all []values, rank float64) float64 {
	var sum float64
	for _, v := range all {
		if sum += v.n; sum >= rank*(1-1e-12) {
			return v.ns
		}
	}
	return math.Inf(1)
}
