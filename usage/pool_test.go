package usage

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestPool(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	var ran atomic.Int64
	for range 100 {
		p.Go(func() {
			p.Go(func() { ran.Add(1) }) // a task may start tasks
			ran.Add(1)
		})
	}
	p.GoN(50, func(i int) { ran.Add(int64(i)) })
	p.GoN(0, func(int) { ran.Add(1 << 40) })
	p.Wait()
	if got := ran.Load(); got != 200+49*50/2 {
		t.Errorf("%d", got)
	}
	w := p.Workers()
	count := 0
	seen := map[int]bool{}
	for _, x := range w.Each {
		count += x.Wall.Count
		seen[x.Thread] = true
		if x.CPU.Count != x.Wall.Count && noThreadCPU == "" {
			t.Errorf("%+v", x)
		}
	}
	if count != 250 || noThreadCPU == "" && len(seen) != 3 {
		t.Errorf("%d tasks, threads %v", count, seen)
	}
	if (len(w.NotAvailable) > 0) != (noThreadCPU != "") {
		t.Errorf("not available: %v", w.NotAvailable)
	}
	p.Reset()
	if got := p.Workers().Wall(); got != (Stats{}) {
		t.Errorf("after Reset: %v", got)
	}
}

// TestPoolFigures: a task's wall time is at least its sleep, its CPU time at least
// what it burnt.
func TestPoolFigures(t *testing.T) {
	p := NewPool(1)
	defer p.Close()
	const nap, work = 20 * time.Millisecond, 10 * time.Millisecond
	p.Go(func() { time.Sleep(nap) })
	if noThreadCPU == "" {
		p.Go(func() { burn(t, work) })
	}
	p.GoN(4, func(int) { time.Sleep(nap / 4) })
	p.Wait()
	w := p.Workers()
	x := w.Each[0]
	if x.Wall.Max < nap || x.Wall.Sum < 2*nap || x.Wall.Min > x.Wall.Avg() {
		t.Errorf("wall %v", x.Wall)
	}
	if noThreadCPU == "" && (x.CPU.Max < work || x.CPU.Count != 6 || x.CPU.Max > x.Wall.Sum) {
		t.Errorf("cpu %v", x.CPU)
	}
	if noThreadCPU == "" && (w.Cost.Inside <= 0 || w.Cost.Inside+w.Cost.Outside > time.Millisecond) {
		t.Errorf("cost %+v", w.Cost)
	}
	if got := w.Wall(); got.Count != 1 || got.Sum != x.Wall.Sum {
		t.Errorf("%v", got)
	}
}

// TestPoolEnd: Close waits, may come twice, keeps the figures and refuses tasks.
func TestPoolEnd(t *testing.T) {
	p := NewPool(0)
	if n := len(p.Workers().Each); n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d workers", n)
	}
	var done atomic.Bool
	p.Go(func() { time.Sleep(10 * time.Millisecond); done.Store(true) })
	p.Close()
	p.Close()
	if !done.Load() || p.Workers().Wall().Count != 1 {
		t.Error("Close has not waited")
	}
	defer func() {
		if recover() == nil {
			t.Error("a task was taken")
		}
	}()
	p.Go(func() {})
}

// TestPoolGoexit: a task that ends its goroutine does not reduce the number of workers.
func TestPoolGoexit(t *testing.T) {
	p := NewPool(1)
	var after atomic.Bool
	p.Go(runtime.Goexit)
	p.Go(func() { after.Store(true) })
	p.Close()
	if w := p.Workers().Each[0]; !after.Load() || w.Wall.Count != 2 {
		t.Errorf("%v, %+v", after.Load(), w)
	}
}

// TestPoolWaiters: any number may wait.
func TestPoolWaiters(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	gate := make(chan struct{})
	p.Go(func() { <-gate })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(p.Wait)
	}
	close(gate)
	wg.Wait()
}

// TestPoolQueue: tasks run in their order, however the queue is moved about.
func TestPoolQueue(t *testing.T) {
	p := NewPool(1)
	defer p.Close()
	var got []int
	for i := range 2000 {
		p.Go(func() { got = append(got, i) })
		if i%7 == 0 {
			runtime.Gosched()
		}
	}
	p.Wait()
	if len(got) != 2000 || !slices.IsSorted(got) {
		t.Errorf("%d tasks, sorted %v", len(got), slices.IsSorted(got))
	}
}

// TestPoolAllocates checks that a task costs no allocation of the pool.
func TestPoolAllocates(t *testing.T) {
	p := NewPool(1)
	defer p.Close()
	task := func() {}
	if n := testing.AllocsPerRun(500, func() {
		p.Go(task)
		p.Wait()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkPool runs an empty task through the queue, and as one of many.
func BenchmarkPool(b *testing.B) {
	p := NewPool(1)
	defer p.Close()
	b.Run("Go", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			p.Go(emptyTask)
		}
		p.Wait()
		b.ReportMetric(float64(p.cost.Inside), "inside-ns")
		b.ReportMetric(float64(p.cost.Outside), "outside-ns")
	})
	b.Run("GoN", func(b *testing.B) {
		b.ReportAllocs()
		p.GoN(b.N, func(int) {})
		p.Wait()
	})
}
