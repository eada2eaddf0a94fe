package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// diary is what a body knows of its own operations.
type diary struct {
	begun, ended []int64 // ns
}

func (d *diary) done() int64 { return int64(len(d.ended)) }

// within counts the operations done wholly between two times.
func (d *diary) within(from, to int64) (n int64) {
	for i := range d.ended {
		if d.begun[i] >= from && d.ended[i] <= to {
			n++
		}
	}
	return n
}

// across counts the operations that were under way at a time: at most one.
func (d *diary) across(at int64) (n int64) {
	for i := range d.ended {
		if d.begun[i] < at && at < d.ended[i] {
			n++
		}
	}
	return n
}

// between tells whether a time is between an operation and one that was done next.
func (d *diary) between(at int64) bool {
	before := int64(0)
	for i := range d.ended {
		if before <= at && at <= d.begun[i] {
			return true
		}
		before = d.ended[i]
	}
	return false
}

// randomBody does operations of random kinds and keeps a diary. Where the window
// ends by itself it may wait for others, and come back by Done while it does.
func randomBody(seed uint64, q chan int, waits bool, diaries []diary) func(w *Worker) {
	return func(w *Worker) {
		d := &diaries[w.Index()]
		r := rand.New(rand.NewPCG(seed, uint64(w.Index())))
		*d = diary{make([]int64, 0, 1<<16), make([]int64, 0, 1<<16)}
		for w.Next() {
			d.begun = append(d.begun, clock.Now())
			free := make(chan int, 1) // somebody who is always ready
			if free <- 0; waits {
				free = nil
			}
			switch x := r.IntN(100); {
			case x < 2:
				time.Sleep(time.Duration(r.IntN(300)) * time.Microsecond)
			case x < 10:
				runtime.Gosched()
			case x < 20:
				select {
				case q <- x:
				case <-free:
				case <-w.Done():
					return
				}
			case x < 30:
				select {
				case <-q:
				case <-free:
				case <-w.Done():
					return
				}
			default:
				Work(r.IntN(3000))
			}
			d.ended = append(d.ended, clock.Now())
		}
	}
}

// TestAccounts compares what is reported with what random bodies did: each
// operation that counts was done, within the worker's window, and none within
// it is left out.
func TestAccounts(t *testing.T) {
	for round := range 12 {
		seed := uint64(time.Now().UnixNano())
		r := rand.New(rand.NewPCG(seed, 0))
		procs, workers := 1+r.IntN(4), [2]int{1 + r.IntN(4), 1 + r.IntN(4)}
		count := int64(0)
		if round%2 == 1 {
			count = 1 + r.Int64N(3000)
		}
		t.Run(fmt.Sprintf("procs=%d/workers=%v/count=%d", procs, workers, count), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			q := make(chan int, 8)
			var diaries [2][]diary
			var roles []Role
			for i, n := range workers {
				diaries[i] = make([]diary, n)
				roles = append(roles, Role{Name: string(rune('a' + i)), Workers: n, Body: randomBody(seed+uint64(i), q, count == 0, diaries[i])})
			}
			win := testWindow(roles...)
			win.count, win.length = count, 20*time.Millisecond
			win.runTest(t)
			sum := int64(0)
			for i, c := range win.roleGroups {
				for j, w := range c.workers {
					sum += w.own.ops()
					checkDiary(t, w, &diaries[i][j])
				}
			}
			if sum > count && count > 0 {
				t.Errorf("%d operations were reported, %d asked for", sum, count)
			}
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		})
	}
}

func checkDiary(t *testing.T, w *Worker, d *diary) {
	t.Helper()
	if done := d.done(); done != w.own.total {
		t.Errorf("%s did %d operations, %d are known", w.name(), done, w.own.total)
	}
	least := d.within(w.own.from, w.own.to) + d.across(w.own.to)
	most := least
	// At an edge that was set to that of all (see align), Next may have said yes before, and the
	// body have begun after it.
	if w.own.from == w.win.openNotified && d.between(w.own.from) {
		least--
	}
	if w.own.to == w.win.closeNotified && d.between(w.own.to) {
		most++
	}
	if !w.own.opened { // it has not called Next since it was notified, and its operations until then do not count
		least, most = 0, 0
	}
	if n := w.own.ops(); n < least || n > most {
		t.Errorf("%s did %d to %d operations in its window, %d are reported", w.name(), least, most, n)
	}
	if w.own.from < w.win.openedAt || w.own.from > w.own.to {
		t.Errorf("%s: its window is from %d to %d, and opened at %d", w.name(), w.own.from, w.own.to, w.win.openedAt)
	}
}

// TestCount makes sure that the number of operations asked for is the number
// done, whatever the workers.
func TestCount(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for _, count := range []int64{1, 2, 3, 100, 1001, 1 << 17} {
			win := testWindow(Role{Name: "a", Workers: workers, Body: loop}, Role{Name: "b", Workers: workers, Body: loop})
			win.count = count
			win.grace, win.patience = time.Minute, time.Minute // who claims some does them, however late
			win.runTest(t)
			sum := int64(0)
			for _, w := range win.workers {
				sum += w.own.ops()
			}
			if sum != count {
				t.Errorf("2 × %d workers: %d of %d operations", workers, sum, count)
			}
		}
	}
}

// TestCountAlone makes sure that a single worker does no operation more.
func TestCountAlone(t *testing.T) {
	for _, count := range []int64{1, 2, 3, 100, 1001} {
		done := int64(0)
		win := testWindow(Role{Workers: 1, Body: func(w *Worker) {
			for w.Next() {
				done++
			}
		}})
		win.count = count
		win.runTest(t)
		if done != count {
			t.Errorf("%d of %d operations", done, count)
		}
	}
}

// TestSlowOperations has operations that take longer than the window: each
// worker counts one nevertheless, at its true length.
func TestSlowOperations(t *testing.T) {
	const long = 30 * time.Millisecond
	testutil.Retry(t, func(int) error { // whose last operation lasts far longer than the others has it cut off
		win := testWindow(Role{Workers: 3, Body: func(w *Worker) {
			for w.Next() {
				time.Sleep(long)
			}
		}})
		win.length = time.Millisecond
		win.runTest(t)
		for _, w := range win.workers {
			if w.own.ops() < 1 || w.own.ns()/w.own.ops() < int64(long) {
				return fmt.Errorf("%s: %d operations in %d ns", w.name(), w.own.ops(), w.own.ns())
			}
		}
		return nil
	})
}

// TestHeldUp has a worker that waits in vain: it reports nothing done in the
// whole of the window.
func TestHeldUp(t *testing.T) {
	wait := func(w *Worker) {
		for w.Next() {
			<-w.Done()
			return
		}
	}
	for _, count := range []int64{0, 1000} {
		win := testWindow(Role{Name: "a", Workers: 1, Body: loop}, Role{Name: "b", Workers: 1, Body: wait})
		win.count = count
		win.runTest(t)
		a, b := win.roleGroups[0].workers[0], win.roleGroups[1].workers[0]
		if a.own.ops() == 0 || b.own.ops() != 0 {
			t.Errorf("count %d: %d and %d operations", count, a.own.ops(), b.own.ops())
		}
		late := count > 0 && b.own.from == b.own.to // it came when all was claimed
		if !late && (b.own.from != win.openedAt || b.own.to != win.closedAt) {
			t.Errorf("count %d: from %d to %d, want %d to %d", count, b.own.from, b.own.to, win.openedAt, win.closedAt)
		}
	}
}

// TestCounters has counters that count with the operations: what is reported of
// them belongs to the operations that are reported.
func TestCounters(t *testing.T) {
	win := testWindow(Role{Name: "a", Workers: 3, Body: func(w *Worker) {
		c, d := w.Counter("failed offers"), w.Counter("twos")
		if c != w.Counter("failed offers") {
			t.Error("the counter is another one when asked for again")
		}
		for w.Next() {
			c.Inc()
			d.Add(2)
		}
	}})
	win.runTest(t)
	s := scoreOf("a", win.workers)
	for i, want := range []count{{"failed-offers", s.ops, 1}, {"twos", 2 * s.ops, 2}} {
		if got := s.counts[i]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestSetOps weighs Nexts by what they stand for.
func TestSetOps(t *testing.T) {
	win := testWindow(Role{Name: "a", Workers: 2, Body: func(w *Worker) {
		w.SetOps(10 * (1 + w.Index()))
		loop(w)
	}})
	win.count = 1000
	win.runTest(t)
	s := scoreOf("a", win.workers)
	want := 10*win.workers[0].own.ops() + 20*win.workers[1].own.ops()
	if s.ops != want {
		t.Errorf("%d operations, want %d", s.ops, want)
	}
}
