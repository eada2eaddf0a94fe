package groups

import (
	"runtime"
	"testing"

	"github.com/tarebench/tare/bench"
)

// queue is one of the candidates.
type queue struct {
	offer func(int) bool
	poll  func() (int, bool)
}

func channel(capacity int) queue {
	c := make(chan int, capacity)
	return queue{
		offer: func(item int) bool {
			select {
			case c <- item:
				return true
			default:
				return false
			}
		},
		poll: func() (int, bool) {
			select {
			case item := <-c:
				return item, true
			default:
				return 0, false
			}
		},
	}
}

func ring(capacity int) queue {
	r := NewRing(capacity)
	return queue{r.Offer, r.Poll}
}

type params struct {
	Kind string `bench:"channel,ring"`
	Cap  int    `bench:"16,1024"`
}

// BenchmarkQueue has three producers against one consumer. Who fails yields, as
// a program would that has something else to do, and fails again until the window
// is over: what counts as an operation is one item.
func BenchmarkQueue(b *testing.B) {
	bench.Params(b, nil, func(b *testing.B, p params) {
		q := map[string]func(int) queue{"channel": channel, "ring": ring}[p.Kind](p.Cap)
		bench.Group(b,
			bench.Role{Name: "producer", Workers: 3, Body: func(w *bench.Worker) {
				failed := w.Counter("failed offers")
				for w.Next() {
					for !q.offer(w.Index()) {
						failed.Inc()
						if closed(w) {
							return
						}
					}
				}
			}},
			bench.Role{Name: "consumer", Workers: 1, Body: func(w *bench.Worker) {
				failed := w.Counter("failed polls")
				for w.Next() {
					for {
						item, ok := q.poll()
						if ok {
							bench.Sink(item)
							break
						}
						failed.Inc()
						if closed(w) {
							return
						}
					}
				}
			}},
		)
	})
}

// closed lets others run, and tells whether the window is over.
func closed(w *bench.Worker) bool {
	runtime.Gosched()
	select {
	case <-w.Done():
		return true
	default:
		return false
	}
}

// TestRing: items come out in their order, and neither too many nor too few fit.
func TestRing(t *testing.T) {
	r := NewRing(3)
	for round := range 5 {
		for i := range 3 {
			if !r.Offer(10*round + i) {
				t.Fatalf("round %d: item %d did not fit", round, i)
			}
		}
		if r.Offer(99) {
			t.Fatal("a fourth item fitted")
		}
		for i := range 3 {
			if item, ok := r.Poll(); !ok || item != 10*round+i {
				t.Fatalf("round %d: got %d, %v", round, item, ok)
			}
		}
		if _, ok := r.Poll(); ok {
			t.Fatal("an item came out of an empty queue")
		}
	}
}
