package hist_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tarebench/tare/hist"
)

// TestRecorderLosesNothing has recorders and swappers run against each other
// and compares what was recorded with what the swaps gave, bucket for bucket.
func TestRecorderLosesNothing(t *testing.T) {
	for _, procs := range []int{1, 2, 4} {
		for _, swappers := range []int{1, 3} {
			t.Run(fmt.Sprintf("procs=%d/swappers=%d", procs, swappers), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				stress(t, 3, swappers)
			})
		}
	}
}

func stress(t *testing.T, workers, swappers int) {
	const values = 50_000
	var (
		recorders = make([]*hist.Recorder, workers)
		want      = make([]*hist.Histogram, workers)
		got       = make([][]*hist.Histogram, swappers) // per swapper and worker
		running   atomic.Bool
		wg, swaps sync.WaitGroup
		swapped   atomic.Int64
	)
	running.Store(true)
	for w := range workers {
		r := random(t)
		recorders[w], want[w] = hist.NewRecorder(hist.Config{}), new(hist.Histogram)
		wg.Go(func() {
			for i := range values {
				for i == values/2 && swapped.Load() < int64(2*workers) {
					runtime.Gosched() // the swappers may have had no processor so far
				}
				v := anySize(r)
				want[w].Record(v)
				recorders[w].Record(v)
			}
		})
	}
	for s := range swappers {
		got[s] = make([]*hist.Histogram, workers)
		for w := range workers {
			got[s][w] = new(hist.Histogram)
		}
		swaps.Go(func() {
			for last := false; !last; {
				last = !running.Load()
				for w, r := range recorders {
					if (s+w)%2 == 0 {
						r.Swap(got[s][w])
					} else if err := got[s][w].Merge(r.Interval()); err != nil {
						t.Error(err)
					}
					swapped.Add(1)
				}
			}
		})
	}
	wg.Wait()
	running.Store(false)
	swaps.Wait()
	for w := range workers {
		sum := new(hist.Histogram)
		for s := range swappers {
			if err := sum.Merge(got[s][w]); err != nil {
				t.Fatal(err)
			}
		}
		if !sum.Equal(want[w]) || sum.Min() != want[w].Min() || sum.Max() != want[w].Max() {
			t.Errorf("worker %d: %d values from %d to %d came out, %d from %d to %d went in",
				w, sum.Count(), sum.Min(), sum.Max(), want[w].Count(), want[w].Min(), want[w].Max())
		}
	}
	if n := swapped.Load(); n < int64(2*workers) {
		t.Errorf("only %d swaps: nothing was tested", n)
	}
}

// TestRecordersCutTogether sees to it that the histograms of one operation's
// values have the same operations in every interval.
func TestRecordersCutTogether(t *testing.T) {
	const ops = 50_000
	rs := hist.NewRecorders(3, hist.Config{Digits: 2})
	var wg sync.WaitGroup
	var running atomic.Bool
	running.Store(true)
	r := random(t)
	wg.Go(func() {
		defer running.Store(false)
		for range ops {
			v := latency(r)
			rs.Record(v, 2*v, 4*v)
		}
	})
	var total atomic.Int64
	for range 2 {
		wg.Go(func() {
			for last := false; !last; {
				last = !running.Load()
				var a, b, c hist.Histogram
				rs.Swap(&a, &b, &c)
				total.Add(a.Count())
				if a.Count() != b.Count() || a.Count() != c.Count() {
					t.Errorf("an interval with %d, %d and %d values", a.Count(), b.Count(), c.Count())
				}
				if a.Count() > 0 && (b.Max() != 2*a.Max() || c.Max() != 4*a.Max() || c.Min() != 4*a.Min()) {
					t.Errorf("an interval whose extremes are of different operations: %d…%d, %d…%d, %d…%d",
						a.Min(), a.Max(), b.Min(), b.Max(), c.Min(), c.Max())
				}
			}
		})
	}
	wg.Wait()
	if n := total.Load(); n != ops {
		t.Errorf("%d operations in all intervals, want %d", n, ops)
	}
}

func TestRecorderSwapTwiceWhileIdle(t *testing.T) {
	r := hist.NewRecorder(hist.Config{})
	for i := range 5 {
		if n := r.Interval().Count(); n != 0 {
			t.Fatalf("idle interval %d has %d values", i, n)
		}
	}
	r.Record(7)
	r.Swap(nil) // forgotten
	r.Record(8)
	for i, want := range []int64{1, 0, 0} {
		h := r.Interval()
		if h.Count() != want || (want == 1 && h.Max() != 8) {
			t.Errorf("interval %d: %d values up to %d, want %d", i, h.Count(), h.Max(), want)
		}
	}
}

func TestRecorderKeepsItsConfig(t *testing.T) {
	c := hist.Config{Digits: 2, Lowest: 10, Highest: 1000}
	r := hist.NewRecorder(c)
	r.Record(1 << 40)
	r.Record(-1)
	h := r.Interval()
	if h.Config() != c || h.Saturated() != 1 || h.Negative() != 1 || h.Count() != 2 {
		t.Errorf("%+v, %d saturated, %d negative of %d", h.Config(), h.Saturated(), h.Negative(), h.Count())
	}
	if h := r.Interval(); h.Saturated() != 0 || h.Negative() != 0 {
		t.Errorf("the next interval begins with %d saturated, %d negative", h.Saturated(), h.Negative())
	}
}

func TestRecordersOfOtherNumbers(t *testing.T) {
	rs := hist.NewRecorders(2, hist.Config{})
	rs.Record(1, 2)
	rs.Record(3) // the operation failed: it has no second value
	panics(t, "hist: 3 values for 2 histograms", func() { rs.Record(1, 2, 3) })
	panics(t, "hist: swap: 1 histograms for 2 values", func() { rs.Swap(nil) })
	panics(t, "hist: NewRecorders: 0 values", func() { hist.NewRecorders(0, hist.Config{}) })
	var a hist.Histogram
	rs.Swap(&a, nil)
	if a.Count() != 2 || a.Max() != 3 {
		t.Errorf("%d values up to %d, want 2 up to 3", a.Count(), a.Max())
	}
}

func TestRecordAllocatesNothing(t *testing.T) {
	h, r, rs := new(hist.Histogram), hist.NewRecorder(hist.Config{}), hist.NewRecorders(3, hist.Config{})
	into := new(hist.Histogram)
	record := func() {
		for v := int64(1); v < 1<<20; v *= 2 {
			h.Record(v)
			r.Record(v)
			rs.Record(v, v, v)
		}
	}
	for range 3 { // both halves and what they are swapped into have their pages then
		record()
		r.Swap(into)
		rs.Swap(into, into, into)
	}
	h.Reset()
	if n := testing.AllocsPerRun(100, func() {
		record()
		r.Swap(into)
		rs.Swap(into, into, into)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
