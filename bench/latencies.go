package bench

import (
	"time"

	"github.com/tarebench/tare/hist"
)

// latencies is a histogram of one kind of latency of one worker in a window, in ns.
type latencies struct {
	hist *hist.Histogram
	sum  int64 // ns; for a mean of the values rather than of the buckets
}

func newLatencies() latencies { return latencies{hist: hist.New(hist.Config{})} }

func (t *latencies) record(ns int64) {
	t.hist.Record(ns)
	t.sum += ns
}

// reset empties the histogram but keeps its memory, so that later windows allocate nothing.
func (t *latencies) reset() {
	t.hist.Reset()
	t.sum = 0
}

// merge adds another worker's latencies.
func (t *latencies) merge(from *latencies) {
	if err := t.hist.Merge(from.hist); err != nil {
		panic("bench: " + err.Error()) // more than 2^63 operations
	}
	t.sum += from.sum
}

func (t *latencies) mean() float64 {
	if t.hist.Count() == 0 {
		return 0
	}
	return float64(t.sum) / float64(t.hist.Count())
}

// latencySet holds all kinds of latency of a worker.
type latencySet struct {
	service  latencies // end − start
	response latencies // end − due
	lateness latencies // start − due, if the worker was waiting at due
}

func newLatencySet() *latencySet { return &latencySet{newLatencies(), newLatencies(), newLatencies()} }

// preallocate allocates the memory for values up to a minute, 200 KB, so that it does not count as allocated
// by operations.
func (t *latencies) preallocate() {
	for v := int64(1); v < int64(time.Minute); v *= 2 {
		t.hist.Record(v)
	}
	t.hist.Reset()
}

func (t *latencySet) reset() {
	t.service.reset()
	t.response.reset()
	t.lateness.reset()
}

func (t *latencySet) merge(from *latencySet) {
	t.service.merge(&from.service)
	t.response.merge(&from.response)
	t.lateness.merge(&from.lateness)
}
