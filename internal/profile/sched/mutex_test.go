package sched

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// holding locks a mutex for a time, n times.
func holding(mu *sync.Mutex, next, done chan bool, n int, d time.Duration) {
	for range n {
		mu.Lock()
		next <- true
		napper(d)
		mu.Unlock()
		<-done // else it may take the lock again, before the other
	}
	close(next)
}

// contending locks the mutex each time that the other has it.
func contending(mu *sync.Mutex, next, done chan bool) {
	for range next {
		mu.Lock()
		//lint:ignore SA2001 only the wait counts
		mu.Unlock()
		done <- true
	}
}

// mutexProfile returns for how long goroutines waited for locks that the function released, by the runtime's mutex
// profile, ns.
func mutexProfile(t *testing.T, holder string) float64 {
	t.Helper()
	var b bytes.Buffer
	if err := pprof.Lookup("mutex").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`cycles/second=(\d+)`).FindSubmatch(b.Bytes())
	if m == nil {
		t.Fatalf("no frequency: %s", b.Bytes())
	}
	hz, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	records := make([]runtime.BlockProfileRecord, 10_000)
	n, ok := runtime.MutexProfile(records)
	if !ok {
		t.Fatalf("%d records", n)
	}
	cycles := int64(0)
	for _, r := range records[:n] {
		frames := runtime.CallersFrames(r.Stack())
		for {
			f, more := frames.Next()
			if f.Function == holder {
				cycles += r.Cycles
			}
			if !more {
				break
			}
		}
	}
	return float64(cycles) / hz * 1e9
}

// TestMutexProfile: the time for which goroutines waited for a lock, and the function that released it, are those of
// the runtime's mutex profile.
func TestMutexProfile(t *testing.T) {
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	testutil.Retry(t, func(int) error { // a thread that is held up between the two clocks
		holder := self() + "holding"
		before := mutexProfile(t, holder)
		text := traced(t, func() {
			var mu sync.Mutex
			next, done := make(chan bool), make(chan bool)
			go contending(&mu, next, done)
			holding(&mu, next, done, 20, 2*time.Millisecond)
		})
		profiled := mutexProfile(t, holder) - before
		x, err := readTrace(bytes.NewReader(text), profiler.Window{})
		if err != nil {
			t.Fatal(err)
		}
		locked, other := 0.0, ""
		for k, s := range x.waits {
			switch {
			case k.cause == record.WaitLock && k.by.Func == holder:
				locked += float64(s.ns)
				if k.at.Func != self()+"contending" || !strings.HasSuffix(k.at.Op, "(*Mutex).Lock") || !strings.HasSuffix(k.by.Op, "(*Mutex).Unlock") {
					t.Errorf("%+v", k)
				}
			case k.cause == record.WaitLock:
				other = fmt.Sprintf("; also %+v", k)
			}
		}
		t.Logf("trace %.0f ns, mutex profile %.0f ns: %+.3f %%%s", locked, profiled, 100*(locked/profiled-1), other)
		if !(math.Abs(locked-profiled) <= 0.02*profiled) {
			return fmt.Errorf("trace %.0f ns, mutex profile %.0f ns%s", locked, profiled, other)
		}
		return nil
	})
}
