package bench

import (
	"time"

	"github.com/tarebench/tare/hist"
)

// A track is the latencies of one kind that one worker has seen in a window.
type track struct {
	hist *hist.Histogram
	sum  int64 // ns; the mean is that of the values, not of the buckets
}

func newTrack() track { return track{hist: hist.New(hist.Config{})} }

func (t *track) record(ns int64) {
	t.hist.Record(ns)
	t.sum += ns
}

// reset keeps the memory, so that windows after the first allocate nothing.
func (t *track) reset() {
	t.hist.Reset()
	t.sum = 0
}

// merge adds what another worker has seen.
func (t *track) merge(from *track) {
	if err := t.hist.Merge(from.hist); err != nil {
		panic("bench: " + err.Error()) // more than 2^63 operations
	}
	t.sum += from.sum
}

func (t *track) mean() float64 {
	if t.hist.Count() == 0 {
		return 0
	}
	return float64(t.sum) / float64(t.hist.Count())
}

// tracks are the kinds of latency that a worker records.
type tracks struct {
	service  track // end − start
	response track // end − due
	lateness track // start − due, if it was there at due
}

func newTracks() *tracks { return &tracks{newTrack(), newTrack(), newTrack()} }

// touch takes the memory for values up to a minute, so that it is not counted
// among what the operations allocate: 200 KB.
func (t *track) touch() {
	for v := int64(1); v < int64(time.Minute); v *= 2 {
		t.hist.Record(v)
	}
	t.hist.Reset()
}

func (t *tracks) reset() {
	t.service.reset()
	t.response.reset()
	t.lateness.reset()
}

func (t *tracks) merge(from *tracks) {
	t.service.merge(&from.service)
	t.response.merge(&from.response)
	t.lateness.merge(&from.lateness)
}
