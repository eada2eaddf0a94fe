package queue_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/tarebench/tare/queue"
)

// counted is a Waiter that counts elements and waits.
type counted struct{ worked, waited int }

func (w *counted) Worked(n int) { w.worked += n }
func (w *counted) Wait()        { w.waited++ }

// TestPerpetual hands over elements in order, by one goroutine that fills and one that drains.
func TestPerpetual(t *testing.T) {
	const n = 10_000
	q := queue.NewSPSC[int](16)
	var got []int
	var wg sync.WaitGroup
	wg.Go(func() {
		next := 0
		filled := queue.FillWait(q, new(queue.Backoff), func() bool { return next < n }, func() int { next++; return next - 1 })
		if filled != next {
			t.Errorf("FillWait says %d of %d", filled, next)
		}
	})
	taken := queue.DrainWait(q, new(queue.Backoff), func() bool { return len(got) < n }, func(v int) { got = append(got, v) })
	wg.Wait()
	q.Drain(n, func(v int) { got = append(got, v); taken++ })
	if taken != len(got) || len(got) < n || !slices.IsSorted(got) || got[n-1] != n-1 {
		t.Errorf("DrainWait says %d of %d elements", taken, len(got))
	}
}

// TestPerpetualWaits: the waiter learns of each batch and waits when nothing was moved; more ends both.
func TestPerpetualWaits(t *testing.T) {
	q, w, looks := queue.NewSPSC[int](128), new(counted), 0
	more := func() bool { looks++; return looks <= 4 }
	if n := queue.FillWait(q, w, more, func() int { return 1 }); n != 128 || w.worked != 128 || w.waited != 2 || looks != 5 {
		t.Errorf("%d elements, %+v, %d looks; want 128, two batches and two waits", n, w, looks)
	}
	*w, looks = counted{}, 0
	if n := queue.DrainWait(q, w, more, func(int) {}); n != 128 || w.worked != 128 || w.waited != 2 || looks != 5 {
		t.Errorf("%d elements, %+v, %d looks; want 128, two batches and two waits", n, w, looks)
	}
	for name, call := range map[string]func(){
		"FillWait":  func() { queue.FillWait(q, w, nil, func() int { return 1 }) },
		"DrainWait": func() { queue.DrainWait(q, nil, more, func(int) {}) },
	} {
		if p := panicOf(call); p != "queue: "+name+": nil function" && p != "queue: "+name+": nil waiter" {
			t.Errorf("%s with nil: panic %v", name, p)
		}
	}
}
