package bench

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// spin works for a time, by the clock.
func spin(d time.Duration) {
	for end := clock.Now() + int64(d); clock.Now() < end; {
	}
}

// sampledWindow is testWindow with all roles sampled at step k, 0 to find it.
func sampledWindow(k int64, roles ...Role) *window {
	win := testWindow(roles...)
	for _, c := range win.roleGroups {
		c.sampled, c.k = true, k
		for range c.cfg.Workers {
			c.hists = append(c.hists, newLatencySet())
		}
	}
	return win
}

// TestSampledLatency samples bodies of known duration. They cannot take less,
// and on a busy machine some of them take longer.
func TestSampledLatency(t *testing.T) {
	for _, d := range []time.Duration{20 * time.Microsecond, 200 * time.Microsecond} {
		win := sampledWindow(1, Role{Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				spin(d)
			}
		}})
		win.count, win.overhead = 200, process.overhead()
		win.runTest(t)
		s := scoreOf("", win.workers)
		s.mergeLatencies(win.workers)
		p := s.hists.service.hist.Percentiles()
		slack := int64(d)/500 + win.overhead + 100 // of the buckets, and of what is subtracted
		if p.Count != 200 || p.Min < int64(d)-slack || p.P50 > int64(d)*3/2 {
			t.Errorf("%v: %+v", d, p)
		}
		if mean := s.hists.service.mean(); mean < float64(int64(d)-slack) {
			t.Errorf("%v: mean %v", d, mean)
		}
	}
}

// TestLatencyOfNothing makes sure that what the timing takes is subtracted. Where others
// share the processor, it may be twice as fast while that is weighed: but not each time.
func TestLatencyOfNothing(t *testing.T) {
	for try := 1; ; try++ {
		win := sampledWindow(1, Role{Workers: 1, Body: loop})
		win.count, win.overhead = 4096, latencyOverhead()
		win.runTest(t)
		p50 := win.workers[0].hists.service.hist.ValueAtPercentile(50)
		if win.overhead > 0 && p50 <= win.overhead/2 {
			return
		}
		t.Logf("an operation that does nothing takes %d ns, after %d were subtracted", p50, win.overhead)
		if try == 10 {
			t.Fatal("ten times in a row")
		}
	}
}

// TestSampleSteps looks at which operations are sampled: with steps between k/2
// and 3k/2, k on average, and not always the same remainder.
func TestSampleSteps(t *testing.T) {
	for _, k := range []int64{1, 2, 3, 10, 101} {
		win := sampledWindow(k, Role{Workers: 1, Body: loop})
		win.addWorkers()
		w := win.workers[0]
		w.sample.open(1, k)
		var at []int64
		remainders := map[int64]bool{}
		for n := int64(1); len(at) < 20_000; n++ {
			if w.sample.at == n {
				at = append(at, n)
				remainders[n%k] = true
			}
			w.sample.begin(n)
		}
		if at[0] < 1 || at[0] > k {
			t.Errorf("k=%d: the first sample is operation %d", k, at[0])
		}
		for i := 1; i < len(at); i++ {
			if d := at[i] - at[i-1]; d < max(1, k/2) || 2*d > 3*k+1 {
				t.Fatalf("k=%d: a step of %d", k, d)
			}
		}
		mean := float64(at[len(at)-1]-at[0]) / float64(len(at)-1)
		if math.Abs(mean/float64(k)-1) > 0.02 {
			t.Errorf("k=%d: the mean step is %v", k, mean)
		}
		if int64(len(remainders)) != k {
			t.Errorf("k=%d: samples have only %d remainders", k, len(remainders))
		}
	}
}

// TestSampleWeights has slow and quick operations in turn, with a period that
// divides the step: their shares among the samples are their shares.
func TestSampleWeights(t *testing.T) {
	testutil.Retry(t, func(int) error { // of hardly any samples, as where the machine stood still, shares say nothing
		win := sampledWindow(8, Role{Workers: 2, Body: func(w *Worker) {
			for i := 0; w.Next(); i++ {
				if i%4 == 0 {
					spin(5 * time.Microsecond)
				}
			}
		}})
		win.length = 50 * time.Millisecond
		win.runTest(t)
		s := scoreOf("", win.workers)
		s.mergeLatencies(win.workers)
		slow := int64(0)
		for bucket, n := range s.hists.service.hist.Buckets() {
			if bucket.Lowest >= 4000 {
				slow += n
			}
		}
		total := s.hists.service.hist.Count()
		if share := float64(slow) / float64(total); total < 100 || share < 0.15 || share > 0.4 {
			return fmt.Errorf("%d of %d samples are slow ones, want a quarter", slow, total)
		}
		return nil
	})
}

func TestStepFor(t *testing.T) {
	for _, tt := range []struct {
		ns   float64
		want int64
	}{{0, 1}, {5000, 1}, {1000, 1}, {999, 3}, {100, 21}, {1, 2001}, {0.01, 20001}} {
		if got := stepFor(tt.ns); got != tt.want {
			t.Errorf("stepFor(%v) = %d, want %d", tt.ns, got, tt.want)
		}
	}
}

// TestSetSteps: of the workers of a role the quickest tells, since the others may
// have been interrupted.
func TestSetSteps(t *testing.T) {
	win := sampledWindow(0, Role{Name: "a", Workers: 3, Body: loop}, Role{Name: "b", Workers: 1, Body: loop})
	win.addWorkers()
	for i, ns := range []int64{50_000, 10_000, 900_000, 0} { // in thousandths
		win.workers[i].tune.ns.Store(ns)
	}
	win.setSteps()
	if a, b := win.roleGroups[0].k, win.roleGroups[1].k; a != stepFor(10) || b != 1 {
		t.Errorf("steps %d and %d, want %d and 1", a, b, stepFor(10))
	}
}

// stepsFound are the crews of a window that has found its steps: of short operations, of
// long ones, and of one that waits.
func stepsFound(t *testing.T) (short, long, waits *roleGroup) {
	t.Helper()
	win := sampledWindow(0,
		Role{Name: "short", Workers: 2, Body: loop},
		Role{Name: "long", Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				spin(20 * time.Microsecond)
			}
		}},
		Role{Name: "waits", Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				<-w.Done()
				return
			}
		}})
	win.length = 20 * time.Millisecond
	win.runTest(t)
	return win.roleGroups[0], win.roleGroups[1], win.roleGroups[2]
}

// TestStepIsFound lets windows find their steps: only some of the short operations
// are sampled, all of the long ones, and workers of a role have the same step. On a
// busy machine and under the race detector, short operations take longer, and their
// step is smaller.
func TestStepIsFound(t *testing.T) {
	short, long, waits := stepsFound(t)
	for range 20 {
		if short.k >= 4 {
			break
		}
		short, long, waits = stepsFound(t)
	}
	if short.k < 4 || long.k != 1 || waits.k != 1 {
		t.Errorf("steps %d, %d and %d", short.k, long.k, waits.k)
	}
	for _, w := range slices.Concat(short.workers, long.workers, waits.workers) {
		count := w.hists.service.hist.Count()
		few := w.own.ops() < 4*w.role.k
		if w.role != waits && (w.sample.k != w.role.k || (count == 0 && !few) || count > w.own.ops()) {
			t.Errorf("%s: step %d, %d samples of %d operations", w.name(), w.sample.k, count, w.own.ops())
		}
		if w.role == long && count != w.own.ops() {
			t.Errorf("%s: %d samples of %d operations", w.name(), count, w.own.ops())
		}
	}
}
