package main

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/tarebench/tare/bench"
)

// BenchmarkTypeWord is what main measures, for tare: items that arrive per second.
func BenchmarkTypeWord(b *testing.B) {
	type params struct {
		Call   string `bench:"interface,direct"`
		Layout string `bench:"shared,padded"`
	}
	bench.Params(b, nil, func(b *testing.B, p params) { exchangeItems(b, kindNamed(b, p.Layout+", "+p.Call)) })
}

// kindNamed returns a new queue of a kind.
func kindNamed(tb testing.TB, name string) queue {
	tb.Helper()
	for _, k := range kinds {
		if k.name == name {
			return k.new()
		}
	}
	tb.Fatalf("no kind %q", name)
	return nil
}

// exchangeItems has one goroutine offer and another poll.
func exchangeItems(b *testing.B, q queue) {
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
	for _, k := range kinds {
		q, name := k.new(), k.name
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
	for _, k := range kinds {
		q, name := k.new(), k.name
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

// The whole example is about one pair of fields: all others are apart in both layouts.
func TestLayout(t *testing.T) {
	const near = 64 - unsafe.Sizeof(index{})
	var s shared
	if d := unsafe.Offsetof(s.producer) - unsafe.Offsetof(s.self); d > near {
		t.Errorf("the index is %d bytes behind the type word, which need not be the same cache line", d)
	}
	var a apart
	for name, fields := range map[string][]uintptr{
		"shared": {0, unsafe.Offsetof(s.self), unsafe.Offsetof(s.consumer), unsafe.Offsetof(s.slots), unsafe.Sizeof(s)},
		"apart":  {0, unsafe.Offsetof(a.self), unsafe.Offsetof(a.producer), unsafe.Offsetof(a.consumer), unsafe.Offsetof(a.slots), unsafe.Sizeof(a)},
	} {
		for i := range len(fields) - 1 {
			if d := fields[i+1] - fields[i]; d < unsafe.Sizeof(line{}) {
				t.Errorf("%s: only %d bytes between fields at %d and %d", name, d, fields[i], fields[i+1])
			}
		}
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
		{same, times(3), "observed: \"padded\" is 3.00 (3.00 … 3.00)"},
		{same, times(1.1), "not observable here: \"padded\" is 1.10"},
		{same, times(0.8), "not observable here: \"padded\" is 0.80"},
		{same, []float64{1, 5, 1, 5, 1, 5, 1, 5}, "not decided: \"padded\" is 3.00 (1.00 … 5.00)"},
		{times(2), []float64{4, 2, 4, 4, 4, 4, 4, 4}, "not decided"},
		{same[:2], times(3)[:2], "not decided"},
	} {
		if got := verdict("dense", "padded", c.dense, c.padded); !strings.HasPrefix(got, c.want) {
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
