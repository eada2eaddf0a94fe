package main

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/tarebench/tare/bench"
)

var kinds = map[string]func() queue{
	"dense":  func() queue { return newDense() },
	"padded": func() queue { return newPadded() },
}

type params struct {
	Kind string `bench:"dense,padded"`
}

// BenchmarkExchange is what main measures, for tare: items that arrive per second.
func BenchmarkExchange(b *testing.B) {
	bench.Params(b, nil, func(b *testing.B, p params) {
		q := kinds[p.Kind]()
		bench.Group(b,
			bench.Role{Name: "producer", Workers: 1, Body: func(w *bench.Worker) {
				for w.Next() {
					for !q.Offer(w.Index()) {
						if closed(w) {
							return
						}
					}
				}
			}},
			bench.Role{Name: "consumer", Workers: 1, Body: func(w *bench.Worker) {
				for w.Next() {
					for {
						if item, ok := q.Poll(); ok {
							bench.Sink(item)
							break
						}
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

// Items come out in their order, none twice and none missing, and neither too many nor
// too few fit.
func TestOrder(t *testing.T) {
	for name, create := range kinds {
		q := create()
		for round := range 3 {
			for i := range capacity {
				if !q.Offer(round*capacity + i) {
					t.Fatalf("%s, round %d: item %d did not fit", name, round, i)
				}
			}
			if q.Offer(-1) {
				t.Fatalf("%s: one more than the capacity fitted", name)
			}
			for i := range capacity {
				if item, ok := q.Poll(); !ok || item != round*capacity+i {
					t.Fatalf("%s, round %d: got %d, %v, want %d", name, round, item, ok, round*capacity+i)
				}
			}
			if _, ok := q.Poll(); ok {
				t.Fatalf("%s: an item came out of an empty queue", name)
			}
		}
	}
}

func TestConcurrent(t *testing.T) {
	const items = 100_000
	for name, create := range kinds {
		q := create()
		go func() {
			for i := range items {
				for !q.Offer(i) {
					runtime.Gosched()
				}
			}
		}()
		for want := range items {
			item, ok := q.Poll()
			for ; !ok; item, ok = q.Poll() {
				runtime.Gosched()
			}
			if item != want {
				t.Fatalf("%s: got %d, want %d", name, item, want)
			}
		}
	}
}

// The whole example is about where the fields are.
func TestLayout(t *testing.T) {
	if size := unsafe.Sizeof(dense{}); size > 64 {
		t.Errorf("dense has %d bytes, more than a cache line", size)
	}
	var p padded
	items, producer, consumer := unsafe.Offsetof(p.ring), unsafe.Offsetof(p.producer), unsafe.Offsetof(p.consumer)
	size := unsafe.Sizeof(side{})
	if producer-items < 64 || consumer-(producer+size) < 64 || unsafe.Sizeof(p)-(consumer+size) < 64 {
		t.Errorf("fields at %d, %d and %d of %d share cache lines", items, producer, consumer, unsafe.Sizeof(p))
	}
}

func TestVerdict(t *testing.T) {
	same := []float64{1, 1, 1, 1, 1, 1, 1, 1}
	times := func(x float64) []float64 {
		var out []float64
		for _, v := range same {
			out = append(out, x*v)
		}
		return out
	}
	for _, c := range []struct {
		dense, padded []float64
		want          string
	}{
		{same, times(3), "observed: padded is 3.00 (3.00 … 3.00)"},
		{same, times(1.1), "not observable here: padded is 1.10"},
		{same, times(0.8), "not observable here: padded is 0.80"},
		{same, []float64{1, 5, 1, 5, 1, 5, 1, 5}, "not decided: padded is 3.00 (1.00 … 5.00)"},
		{times(2), []float64{4, 2, 4, 4, 4, 4, 4, 4}, "not decided"},
		{same[:2], times(3)[:2], "not decided"},
	} {
		if got := verdict(c.dense, c.padded); !strings.HasPrefix(got, c.want) {
			t.Errorf("%v and %v: %q, want %q…", c.dense, c.padded, got, c.want)
		}
	}
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		rounds int
		d      time.Duration
		want   string
	}{
		{2, 1e6, "2 rounds"},
		{21, 0, "duration 0s"},
	} {
		if err := run(c.rounds, c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d rounds of %v: %v, want an error about %q", c.rounds, c.d, err, c.want)
		}
	}
	if err := run(6, 1e6); err != nil {
		t.Error(err)
	}
}
