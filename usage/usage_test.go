package usage

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// often is how often something is measured that the rest of the process may disturb.
const often = 50

var sink []byte

// TestAllocations: the counts are exact. Others may allocate meanwhile, but not
// every time.
func TestAllocations(t *testing.T) {
	for _, c := range []struct {
		objects, size int
	}{{0, 0}, {1, 344}, {100, 1024}, {3, 1 << 20}} {
		var seen []Usage
		exact := func() bool {
			u := Measure(func() {
				for range c.objects {
					sink = make([]byte, c.size)
				}
			})
			seen = append(seen, u)
			return u.Objects == uint64(c.objects) && u.Bytes == uint64(roundUp(c.size)*c.objects)
		}
		if !slices.ContainsFunc(make([]int, often), func(int) bool { return exact() }) {
			t.Errorf("%d objects of %d B: never exact, at last %d objects, %d B", c.objects, c.size, seen[often-1].Objects, seen[often-1].Bytes)
		}
	}
}

// roundUp is the size class of the sizes used here.
func roundUp(n int) int {
	if n == 344 {
		return 352
	}
	return n
}

// TestCPU: the process's time is at least that of a thread that burns some, and
// what the threads did comes to it.
func TestCPU(t *testing.T) {
	if noThreadCPU != "" {
		t.Skip(noThreadCPU)
	}
	testutil.Retry(t, func(int) error { return burning(t) })
}

// burning is the error of what is not read at one moment: the clocks of a process and of its threads go on
// meanwhile, and who reads may be held up.
func burning(t *testing.T) error {
	var burnt time.Duration
	id := 0
	u := MeasureNamed("burning", func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		id = threadID()
		burnt = burn(t, 60*time.Millisecond)
	})
	if u.User+u.Sys != u.CPU || u.PerThread.Count != len(u.Threads) || u.Procs != runtime.GOMAXPROCS(0) {
		t.Errorf("%+v", u)
	}
	i := slices.IndexFunc(u.Threads, func(x Thread) bool { return x.ID == id })
	if i < 0 || u.Threads[i].CPU < burnt {
		t.Fatalf("thread %d: %+v, burnt %s", id, u.Threads, burnt)
	}
	if u.Threads[i].CPU > burnt+30*time.Millisecond {
		return fmt.Errorf("thread %d: %+v, burnt %s", id, u.Threads, burnt)
	}
	if u.CPU < burnt || u.Real < burnt {
		return fmt.Errorf("%+v, burnt %s", u, burnt)
	}
	if d := u.CPU - u.PerThread.Sum; d > 5*time.Millisecond || d < -5*time.Millisecond {
		return fmt.Errorf("threads account for %s of %s", u.PerThread.Sum, u.CPU)
	}
	return nil
}

// burn uses CPU time of the thread it is locked to.
func burn(t testing.TB, d time.Duration) time.Duration {
	t.Helper()
	begin, err := threadCPU()
	for now := begin; err == nil; now, err = threadCPU() {
		if now-begin >= d {
			return now - begin
		}
	}
	t.Fatal(err)
	return 0
}

// TestThreadsEnd: what a thread did that has ended since is not lost, but belongs to
// no thread.
func TestThreadsEnd(t *testing.T) {
	if noThreadCPU != "" {
		t.Skip(noThreadCPU)
	}
	testutil.Retry(t, func(int) error { return mortal(t) }) // see burning
}

func mortal(t *testing.T) error {
	const each = 30 * time.Millisecond
	var ids [2]int
	u := Measure(func() {
		var wg sync.WaitGroup
		for i := range ids {
			wg.Go(func() {
				ids[i] = <-onMortalThread(func() { burn(t, each) })
			})
		}
		wg.Wait()
		for _, id := range ids {
			awaitEnd(t, id)
		}
	})
	if u.CPU < 2*each || u.Unattributed < each || u.PerThread.Sum+u.Unattributed < 2*each {
		return fmt.Errorf("%+v", u)
	}
	if !strings.Contains(u.Table(), "no thread") {
		t.Errorf("not reported:\n%s", u.Table())
	}
	return nil
}

// onMortalThread runs f on a thread that ends with it, as those do that a goroutine
// has locked and never unlocked. Only the program's first thread never ends.
func onMortalThread(f func()) <-chan int {
	id := make(chan int, 1)
	go func() {
		runtime.LockOSThread()
		if threadID() == os.Getpid() {
			id <- <-onMortalThread(f) // while this one is taken
			runtime.UnlockOSThread()
			return
		}
		f()
		id <- threadID()
	}()
	return id
}

// awaitEnd returns when a thread of this process is gone.
func awaitEnd(t *testing.T, id int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id)); err != nil {
			return
		}
	}
	t.Fatalf("thread %d does not end", id)
}

// TestCollections: a forced collection is counted, and Collect runs one before.
func TestCollections(t *testing.T) {
	u := Measure(func() { runtime.GC(); runtime.GC() })
	if u.GCCycles < 2 || u.GCPause <= 0 || u.GCPauseMax <= 0 || u.GCPauseMax > u.GCPause || !u.available(FigureGCCPU) || u.GCCPU <= 0 {
		t.Errorf("%+v", u)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Config{Collect: true}.Measure(func() { runtime.ReadMemStats(&after) })
	if after.NumForcedGC == before.NumForcedGC {
		t.Error("Collect has not collected")
	}
}

// TestOneAtATime: no two tasks run at once.
func TestOneAtATime(t *testing.T) {
	var running, most int
	var mu sync.Mutex
	count := func(d int) {
		mu.Lock()
		defer mu.Unlock()
		running += d
		most = max(most, running)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			Measure(func() {
				count(1)
				time.Sleep(time.Millisecond)
				count(-1)
			})
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d at once", most)
	}
}

// TestPanic: a panic and an end of the goroutine pass through, no listener is called,
// and the next task can be measured.
func TestPanic(t *testing.T) {
	c := Config{Listener: ListenerFunc(func(Usage) { t.Error("a result of a task that has none") })}
	why := errors.New("on purpose")
	func() {
		defer func() {
			if got := recover(); got != why {
				t.Errorf("recovered %v", got)
			}
		}()
		c.Measure(func() { panic(why) })
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Measure(runtime.Goexit)
	}()
	<-done
	if u := MeasureNamed("next", func() {}); u.Name != "next" {
		t.Errorf("%+v", u)
	}
}

// TestListenerMeasures: who listens may measure, too.
func TestListenerMeasures(t *testing.T) {
	var names []string
	c := Config{Name: "outer", Listener: ListenerFunc(func(u Usage) {
		names = append(names, u.Name, MeasureNamed("inner", func() {}).Name)
	})}
	c.Measure(func() {})
	if !slices.Equal(names, []string{"outer", "inner"}) {
		t.Error(names)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestPrinter(t *testing.T) {
	var b strings.Builder
	p := NewPrinter(&b)
	p.Result(article)
	if p.Err() != nil || b.String() != articleText+"\n" {
		t.Errorf("%v, %q", p.Err(), &b)
	}
	p = NewPrinter(full{})
	p.Result(article)
	p.Result(Usage{Name: "another"})
	if err := p.Err(); err == nil || err.Error() != `usage: printing the results of "sequentialSort2": full` {
		t.Error(err)
	}
}
