package marks

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"
	"time"
)

func TestSince(t *testing.T) {
	h := &metrics.Float64Histogram{Buckets: []float64{math.Inf(-1), 0, 1e-6, 1e-3, 1, math.Inf(1)}, Counts: []uint64{0, 1000, 5, 2, 0}}
	for _, c := range []struct {
		before    []uint64
		p99, most int64
	}{
		{nil, 0, 1e6},
		{[]uint64{0, 1000, 5, 1, 0}, 1e6, 1e6},
		{[]uint64{0, 0, 0, 2, 0}, 0, 1e3},
		{[]uint64{0, 700, 0, 0, 0}, 1e3, 1e6}, // 2 of 307 are in the last bucket, and 7 above the first
		{h.Counts, 0, 0},
	} {
		if p99, most := since(h, c.before); p99 != c.p99 || most != c.most {
			t.Errorf("since %v: p99 %d, most %d, want %d and %d", c.before, p99, most, c.p99, c.most)
		}
	}
	h.Counts = []uint64{0, 0, 0, 0, 1}
	if _, most := since(h, nil); most != 1e9 {
		t.Errorf("the last bucket begins at %d", most)
	}
}

// TestGenerator: collections of this process are counted with their pauses.
func TestGenerator(t *testing.T) {
	r, err := Open(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Begin()
	for range 3 {
		runtime.GC()
	}
	m := r.Take()
	if gc := m.Generator.GC; gc.Count < 3 || gc.Max <= 0 || gc.Pause < gc.Max {
		t.Errorf("after 3 collections: %+v", gc)
	}
	if m.Length <= 0 || m.Servers != nil || m.ServerGC != nil {
		t.Errorf("%+v", m)
	}
	if next := r.Take(); next.Generator.GC.Count >= m.Generator.GC.Count && next.Generator.GC.Pause == m.Generator.GC.Pause {
		t.Errorf("the collections of the interval before count again: %+v", next.Generator.GC)
	}
}

// TestStopLook: between two checks that both find a process stopped it was, and for half the time if one does.
func TestStopLook(t *testing.T) {
	var sum atomic.Int64
	l := stopCheck{into: &sum, at: 100}
	for _, step := range []struct {
		stopped bool
		at, sum int64
	}{{false, 110, 0}, {true, 120, 5}, {true, 150, 35}, {false, 170, 45}, {false, 1000, 45}} {
		if l.see(step.stopped, step.at); sum.Load() != step.sum {
			t.Errorf("at %d: stopped for %d, want %d", step.at, sum.Load(), step.sum)
		}
	}
}

// TestNil: where nothing is read, nothing is done.
func TestNil(t *testing.T) {
	var r *Reader
	r.Begin()
	r.End()
	r.Close()
	if n, err := r.Unanswered(); n != 0 || err != nil {
		t.Error(n, err)
	}
}

// TestBeginAgain: phases follow one another with one reader.
func TestBeginAgain(t *testing.T) {
	r, err := Open(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 3 {
		r.Begin()
		time.Sleep(time.Millisecond)
		if m := r.Take(); m.Length < int64(time.Millisecond) {
			t.Errorf("an interval of %d ns", m.Length)
		}
		r.End()
	}
}
