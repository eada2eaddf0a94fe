package bench

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// fakeRate runs a window of Rate on a fake clock: count operations at a rate,
// each of which takes so long.
func fakeRate(t *testing.T, c pace.Config, late int64, service func(k int64) int64) *Worker {
	t.Helper()
	s, err := pace.New(c)
	if err != nil {
		t.Fatal(err)
	}
	fake := new(pace.Fake)
	fake.Late(late)
	win := testWindow(Role{Workers: 1, Body: func(w *Worker) {
		for k := int64(0); w.Next(); k++ {
			fake.Work(service(k))
		}
	}})
	x := win.roleGroups[0]
	x.pacing = &pacing{schedule: s, clocks: []pace.Clock{fake}}
	x.hists = []*latencySet{newLatencySet()}
	win.count = int64(c.Ops)
	win.runTest(t)
	return win.workers[0]
}

// TestRateResponse computes what a single worker must see when operations that
// take S come every 1/R: the k-th waits for those before it,
//
//	response(k) = S + max(0, k·(S − 1/R)),
//
// exactly, on a clock on which only the operations take time.
func TestRateResponse(t *testing.T) {
	const n = 200
	for _, tt := range []struct {
		rate    float64
		service int64
	}{
		{1000, 200_000},   // a fifth of what it can do
		{1000, 1_000_000}, // just so much
		{1000, 4_000_000}, // four times too much
		{250, 4_000_001},
	} {
		t.Run(fmt.Sprintf("%v/s of %v", tt.rate, time.Duration(tt.service)), func(t *testing.T) {
			w := fakeRate(t, pace.Config{Rate: tt.rate, Ops: n}, 0, func(int64) int64 { return tt.service })
			every := int64(1e9 / tt.rate)
			var sum, most int64
			for k := int64(0); k < n; k++ {
				r := tt.service + max(0, k*(tt.service-every))
				sum += r
				most = max(most, r)
			}
			x := w.hists
			if x.response.sum != sum || x.response.hist.Max() != most || x.response.hist.Count() != n {
				t.Errorf("response: sum %d, max %d, %d of them; want %d, %d, %d",
					x.response.sum, x.response.hist.Max(), x.response.hist.Count(), sum, most, n)
			}
			if x.service.sum != n*tt.service || x.service.hist.Count() != n {
				t.Errorf("service: sum %d of %d, want %d of %d", x.service.sum, x.service.hist.Count(), n*tt.service, n)
			}
			early := int64(n)
			if tt.service >= every {
				early = 1 // later operations began when the one before ended
			}
			if got := x.lateness.hist.Count(); got != early {
				t.Errorf("waited for %d operations, want %d", got, early)
			}
			if w.own.ops() != n {
				t.Errorf("%d operations, want %d", w.own.ops(), n)
			}
		})
	}
}

// TestRateHiccup has one operation of a thousand that takes 100 ms: those that
// come meanwhile have their waiting in the response, and nothing in the service.
func TestRateHiccup(t *testing.T) {
	const stall, n = 100_000_000, 1000
	w := fakeRate(t, pace.Config{Rate: 1000, Ops: n}, 0, func(k int64) int64 {
		if k == 500 {
			return stall
		}
		return 1000
	})
	x := w.hists
	if p := x.service.hist.Percentiles(); p.P99 != 1000 || p.Max != stall {
		t.Errorf("service: %+v", p)
	}
	// A tenth of them wait, the k-th for 100 ms − k·(1 ms − 1 µs).
	h := x.response.hist
	if p95 := h.ValueAtPercentile(95); p95 < 49_000_000 || p95 > 51_000_000 || h.ValueAtPercentile(99) < 89_000_000 || h.Max() != stall {
		t.Errorf("response: p95 %d, %+v", p95, h.Percentiles())
	}
}

// TestRateLateness makes the clock wake up late: this is no part of the service.
func TestRateLateness(t *testing.T) {
	w := fakeRate(t, pace.Config{Rate: 1000, Ops: 100}, 5000, func(int64) int64 { return 1000 })
	x := w.hists
	if x.lateness.sum != 100*5000 || x.service.sum != 100*1000 || x.response.sum != 100*6000 {
		t.Errorf("lateness %d, service %d, response %d", x.lateness.sum, x.service.sum, x.response.sum)
	}
}

// TestRateKept runs on the real clock, with several workers.
func TestRateKept(t *testing.T) {
	benchtime(t, "100ms")
	var r testing.BenchmarkResult
	claimed := make([][]int64, 3)
	testutil.Retry(t, func(int) error {
		r = testing.Benchmark(func(b *testing.B) {
			Rate(b, 2000, func(w *Worker) {
				claimed[w.Index()] = nil
				for w.Next() {
					claimed[w.Index()] = append(claimed[w.Index()], clock.Now())
				}
			}, Workers(3))
		})
		if r.N < 100 {
			return fmt.Errorf("%d operations, 200 were due", r.N)
		}
		return nil
	})
	did := 0
	for _, c := range claimed {
		did += len(c)
	}
	if r.N > did || r.N < did-3 || r.N > 200 {
		t.Errorf("%d operations are reported, %d were done, 200 were due", r.N, did)
	}
	if rate := r.Extra["op/s"]; rate > 2000.001 {
		t.Errorf("%v op/s of 2000 asked for: the window is too short", rate)
	}
	for _, unit := range []string{"ns/op", "p50-ns", "p99.9-ns", "max-ns", "op/s", "service-ns/op"} {
		if r.Extra[unit] <= 0 {
			t.Errorf("no %s: %v", unit, r.Extra)
		}
	}
}

// TestRatePoisson has random times that are the same again with the same seed.
func TestRatePoisson(t *testing.T) {
	c := newConfig(callRate, []Option{Poisson()})
	c.rate = 1000
	var sums []int64
	for _, seed := range []uint64{1, 1, 2} {
		conf := c.schedule(1, 500, 0)
		conf.Seed = seed
		w := fakeRate(t, conf, 0, func(int64) int64 { return 500_000 })
		sums = append(sums, w.hists.response.sum)
	}
	if sums[0] != sums[1] || sums[0] == sums[2] || sums[0] <= 500*500_000 {
		t.Errorf("sums of the responses %v", sums)
	}
}

func BenchmarkRate(b *testing.B) {
	helper(b)
	b.Run("missed", func(b *testing.B) {
		Rate(b, 2000, func(w *Worker) {
			for w.Next() {
				time.Sleep(5 * time.Millisecond)
			}
		})
	})
	b.Run("stuck", func(b *testing.B) {
		Rate(b, 2000, func(w *Worker) {
			for w.Next() {
				if w.Index() == 0 {
					hang()
				}
			}
		}, Workers(2), Grace(100*time.Millisecond))
	})
	b.Run("returns", func(b *testing.B) {
		Rate(b, 2000, func(w *Worker) { w.Next() })
	})
	b.Run("cut-off", func(b *testing.B) { // the operation in flight is left when the window closes
		Rate(b, 200, func(w *Worker) {
			for n := 0; w.Next(); n++ {
				if n == 3 {
					<-w.Done()
					return
				}
			}
		})
	})
	b.Run("batch", func(b *testing.B) {
		made := 0
		Rate(b, 2000, func(w *Worker) { loop(w) }, Batch{Every: 10, Setup: func(w *Worker) error { made++; return nil }})
		b.ReportMetric(float64(made), "batches")
	})
}

func TestRateInWords(t *testing.T) {
	testutil.Retry(t, func(int) error {
		r := rerun(t, "^BenchmarkRate$", "-test.benchtime=60ms")
		if wrong := r.wrongOfRate(); len(wrong) > 0 {
			return fmt.Errorf("%s\n%s", strings.Join(wrong, "\n"), r.out)
		}
		return nil
	})
}

// wrongOfRate is what BenchmarkRate should have said and has not.
func (r ran) wrongOfRate() (wrong []string) {
	failed := r.failures()
	for name, want := range map[string]string{
		"stuck":   "worker 0 did not return within 100ms",
		"returns": "worker 0: the body returned before the window closed",
	} {
		if got := failed["BenchmarkRate/"+name]; !strings.Contains(got, want) {
			wrong = append(wrong, fmt.Sprintf("%s: %q", name, got))
		}
	}
	if !strings.Contains(r.out, "target 2000/s, achieved ") || !strings.Contains(r.out, "latencies show a growing queue") {
		wrong = append(wrong, "a rate that was missed is not reported")
	}
	if x := r.results("BenchmarkRate/cut-off"); len(x) != 1 || x[0]["N"] != "3" {
		wrong = append(wrong, fmt.Sprintf("an operation that was cut off: %v", x))
	}
	if x := r.results("BenchmarkRate/batch"); len(x) != 1 || x[0]["batches"] == "" {
		wrong = append(wrong, fmt.Sprintf("batches: %v", x))
	}
	return wrong
}

// TestRateOnOneProcessor makes sure that waiting workers let others run.
func TestRateOnOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	benchtime(t, "40ms")
	testutil.Retry(t, func(int) error {
		r := testing.Benchmark(func(b *testing.B) { Rate(b, 1000, loop, Workers(4)) })
		if r.N < 10 || r.N > 42 {
			return fmt.Errorf("%d operations, 40 were due", r.N)
		}
		return nil
	})
}

func TestArrears(t *testing.T) {
	ms := int64(time.Millisecond)
	for _, tt := range []struct {
		unsent, oldest, length int64
		workers                int
		want                   bool
	}{
		{0, 0, 100 * ms, 1, false},
		{1, 50 * ms, 100 * ms, 1, false}, // that worker is busy with the one before
		{5, 1 * ms, 100 * ms, 1, false},  // a hiccup at the end
		{5, 3 * ms, 100 * ms, 1, true},
		{5, 3 * ms, 1000 * ms, 1, false},
		{5, 30 * ms, 1000 * ms, 8, false},
		{50, 30 * ms, 1000 * ms, 8, true},
	} {
		a := backlog{unsent: tt.unsent, oldest: tt.oldest}
		if got := a.missed(tt.length, tt.workers); got != tt.want {
			t.Errorf("%+v: missed = %v", tt, got)
		}
	}
}
