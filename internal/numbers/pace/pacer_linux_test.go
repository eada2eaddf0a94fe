package pace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/base/clock"
)

// TestNoWakeUpIsLost: a timer that fires after it was set and before its worker
// waits for it must not leave the worker asleep.
func TestNoWakeUpIsLost(t *testing.T) {
	const workers, waits, seed = 4, 1500, 3
	done := make(chan struct{})
	g := group(t, Sleep, done)
	rescue := time.AfterFunc(time.Minute, func() { close(done) })
	defer rescue.Stop()
	var wg sync.WaitGroup
	for i := range workers {
		p := pacer(t, g)
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		wg.Go(func() {
			for n := range waits {
				if _, _, err := p.Wait(p.Now() + r.Int64N(40_000)); err != nil {
					t.Errorf("wait %d: %v", n, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestCloseReleasesDescriptors(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	warmUp := group(t, Hybrid, nil) // the poller's own descriptors stay
	pacer(t, warmUp)
	warmUp.Close()
	before := open()
	for range 10 {
		g := group(t, Hybrid, nil)
		for range 10 {
			pacer(t, g)
		}
		if n := open(); n != before+10 {
			t.Errorf("10 pacers hold %d descriptors", n-before)
		}
		g.Close()
	}
	if n := open(); n != before {
		t.Errorf("%d descriptors are open, %d were before", n, before)
	}
}

// BenchmarkLateness keeps a schedule. It reports how late operations began whose
// worker called Wait in time (p50, p95, p99), the share of the other operations
// (backlog-%), and the CPU time in percent of one core (cpu-%). ns/op is the
// interval of the schedule and does not depend on the pacer.
func BenchmarkLateness(b *testing.B) {
	for _, load := range []struct {
		rate    float64
		workers int
	}{{1000, 8}, {10_000, 8}, {25_000, 8}, {100_000, 1}} {
		for _, mode := range []Mode{Hybrid, Sleep, Spin, Timer} {
			b.Run(fmt.Sprintf("rate=%.0f/workers=%d/mode=%v", load.rate, load.workers, mode), func(b *testing.B) {
				benchmarkLateness(b, mode, load.rate, load.workers)
			})
		}
	}
}

func benchmarkLateness(b *testing.B, mode Mode, rate float64, workers int) {
	s, err := New(Config{Rate: rate, Ops: uint64(b.N)})
	if err != nil {
		b.Fatal(err)
	}
	g := group(b, mode, nil)
	late := make([][]int64, workers)
	backlog := make([]int, workers)
	var wg sync.WaitGroup
	cpu, start := cpuTime(b), clock.Now()
	first := start + int64(time.Millisecond)
	for i := range workers {
		p := pacer(b, g)
		wg.Go(func() {
			for {
				_, due, ok := s.Claim()
				if !ok {
					return
				}
				at := first + int64(due)
				now, waited, err := p.Wait(at)
				if err != nil {
					b.Error(err)
					return
				}
				if waited {
					late[i] = append(late[i], now-at)
				} else {
					backlog[i]++
				}
			}
		})
	}
	wg.Wait()
	wall, used := clock.Now()-start, cpuTime(b)-cpu
	all := slices.Concat(late...)
	slices.Sort(all)
	behind := 0
	for _, n := range backlog {
		behind += n
	}
	for _, q := range []int{50, 95, 99} {
		if len(all) > 0 {
			b.ReportMetric(float64(all[(len(all)-1)*q/100]), fmt.Sprintf("p%d-ns", q))
		}
	}
	b.ReportMetric(float64(behind)/float64(b.N)*100, "backlog-%")
	b.ReportMetric(float64(used)/float64(wall)*100, "cpu-%")
}

// cpuTime returns the process's user and system time in ns.
func cpuTime(b *testing.B) int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
