package load

import (
	"sync"

	"github.com/tarebench/tare/hist"
)

// The times of an operation, in the order of recording. Times that an operation may
// not have are last.
const (
	service = iota
	response
	lateness
	times
)

// maxShards limits the memory of histograms, about 100 KB for each of an operation's
// times. More workers share shards; with so many, most of them wait for the system
// and not for each other.
const maxShards = 64

// shardsFor returns the limit of shards: a target of many kinds has fewer.
func shardsFor(kinds int) int {
	const few = 8
	if kinds <= few {
		return maxShards
	}
	return max(maxShards*few/kinds/4, 4)
}

// A shard holds the latencies of one worker, or of several.
type shard struct {
	shared bool
	times  int               // number of times recorded per operation: all, or service alone
	mu     sync.Mutex        // held while recording, if shared
	good   []*hist.Recorders // by kind
	failed []*hist.Recorder  // by kind
	slow   slowest
}

func newShard(kinds, times, slowest int, shared bool) *shard {
	l := &shard{shared: shared, times: times, good: make([]*hist.Recorders, kinds), failed: make([]*hist.Recorder, kinds)}
	for k := range kinds {
		l.good[k], l.failed[k] = hist.NewRecorders(times, hist.Config{}), hist.NewRecorder(hist.Config{})
	}
	l.slow.keep(slowest)
	return l
}

// A tally holds the latencies of an interval, or of a phase, by kind.
type tally []kindTally

type kindTally struct {
	good   [times]hist.Histogram
	failed hist.Histogram
}

// take moves the latencies of a shard into the tally.
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
