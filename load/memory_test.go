package load

import (
	"runtime"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestMemoryIsBounded runs 100,000 operations a second for ten minutes of fake
// time and compares what is kept after the first minute with what is kept at the
// end.
func TestMemoryIsBounded(t *testing.T) {
	minutes, rate := 10, testutil.PickSeconds(10_000, 100_000)
	if raceDetector || testing.Short() {
		minutes, rate = 2, 1000 // millions of operations would take minutes
	}
	inBubble(t, func(t *testing.T) {
		var first, last uint64
		c := Config{Schedule: Schedule{Rate: float64(rate)}, Duration: time.Duration(minutes) * time.Minute}
		c.Status = func(i *Interval) {
			if i.Iter == 60 {
				first = heap()
			}
			if i.Iter == 60*minutes-1 {
				last = heap()
			}
		}
		tm := bubble()
		tm.virtual = func() pace.Clock { return new(hasty) }
		lines := 0
		got, err := run(t.Context(), nothing{}, c.filled(), func(record.Line) error { lines++; return nil }, tm)
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(minutes * 60 * rate); got.Completed != want {
			t.Errorf("%d operations completed, want %d", got.Completed, want)
		}
		if min := minutes * 60 * 3; lines < min {
			t.Errorf("%d lines, want %d and more", lines, min)
		}
		if grown := int64(last) - int64(first); grown > 256<<10 || first == 0 || last == 0 {
			t.Errorf("%d bytes were live after a minute, %d after %d", first, last, minutes)
		}
	})
}

// heap returns the bytes that are live.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what sync.Pools hold goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A hasty clock sleeps 10 ms of the bubble's time at once and lets its worker
// use them up quickly: a timer for each operation would take a minute and more.
type hasty struct{ now, bubble int64 }

func (h *hasty) Now() int64 {
	if h.bubble == 0 {
		h.bubble = clock.Now()
		h.now = h.bubble
	}
	return h.now
}

func (h *hasty) Wait(due int64) (now int64, waited bool, err error) {
	const step = int64(10 * time.Millisecond)
	waited = h.Now() < due
	for h.bubble < due {
		time.Sleep(time.Duration(step))
		h.bubble = clock.Now()
	}
	h.now = max(h.now, due)
	return h.now, waited, nil
}
