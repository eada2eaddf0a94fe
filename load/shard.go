package load

import (
	"sync"

	"github.com/tarebench/tare/hist"
)

// The times of an operation, in the order in which they are recorded: those that
// it does not have come last.
const (
	service = iota
	response
	lateness
	times
)

// maxShards bounds the memory of histograms, some 100 KB for each of an
// operation's times. Above it workers share shards; so many of them wait for
// what they load most of the time, and not for each other.
const maxShards = 64

// A shard is where latencies are recorded: one for each worker, or for some.
type shard struct {
	shared bool
	times  int               // that are recorded of each operation: all, or service alone
	mu     sync.Mutex        // held while recording, if shared
	good   []*hist.Recorders // by kind
	failed []*hist.Recorder  // by kind
}

func newShard(kinds, times int, shared bool) *shard {
	l := &shard{shared: shared, times: times, good: make([]*hist.Recorders, kinds), failed: make([]*hist.Recorder, kinds)}
	for k := range kinds {
		l.good[k], l.failed[k] = hist.NewRecorders(times, hist.Config{}), hist.NewRecorder(hist.Config{})
	}
	return l
}

// A tally holds the latencies of an interval, or of a phase, by kind.
type tally []kindTally

type kindTally struct {
	good   [times]hist.Histogram
	failed hist.Histogram
}

// take moves what was recorded in a shard here.
func (t tally) take(l *shard) {
	var into [times]*hist.Histogram
	for k := range t {
		for i := range into {
			into[i] = &t[k].good[i]
		}
		l.good[k].Swap(into[:l.times]...)
		l.failed[k].Swap(&t[k].failed)
	}
}

// merge adds another tally's latencies.
func (t tally) merge(from tally) error {
	for k := range t {
		for i := range t[k].good {
			if err := t[k].good[i].Merge(&from[k].good[i]); err != nil {
				return err
			}
		}
		if err := t[k].failed.Merge(&from[k].failed); err != nil {
			return err
		}
	}
	return nil
}

func (t tally) reset() {
	for k := range t {
		for i := range t[k].good {
			t[k].good[i].Reset()
		}
		t[k].failed.Reset()
	}
}
