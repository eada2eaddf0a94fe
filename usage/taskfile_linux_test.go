package usage

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

func TestCPUTicks(t *testing.T) {
	const rest = " S 1 2 3 0 -1 4194368 5 6 7 8 123 45 9 9 20 0 1 0\n"
	for text, want := range map[string][2]time.Duration{
		"10 (name)" + rest: {1230 * time.Millisecond, 450 * time.Millisecond}, "10 (a) (b c)" + rest: {1230 * time.Millisecond, 450 * time.Millisecond},
		"": {-1, -1}, "10 (x) S 1 2": {-1, -1}, "10 (x) S 1 2 3 0 -1 4194368 5 6 7 8 12 x 9 9": {-1, -1},
	} {
		user, sys, ok := cpuTicks([]byte(text))
		if !ok {
			user, sys = -1, -1
		}
		if user != want[0] || sys != want[1] {
			t.Errorf("%q: %v, %v, want %v", text, user, sys, want)
		}
	}
}

// TestThreadSplit: a thread that computes has more user than system time, and one that calls the system has more system time than
// the other one has.
func TestThreadSplit(t *testing.T) {
	testutil.Retry(t, func(int) error {
		const each = 150 * time.Millisecond
		var ids [2]int
		u := Measure(func() {
			var wg sync.WaitGroup
			for i, work := range []func(){func() { chain(10_000) }, callSystem} {
				wg.Go(func() {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
					ids[i] = threadID()
					begin, err := threadCPU()
					for now := begin; err == nil && now-begin < each; now, err = threadCPU() {
						work()
					}
				})
			}
			wg.Wait()
		})
		if why, missing := u.NotAvailable[FigureThreadSplit]; missing {
			t.Fatal(why)
		}
		var found [2]Thread
		for i, id := range ids {
			k := slices.IndexFunc(u.Threads, func(x Thread) bool { return x.ID == id })
			if k < 0 {
				return fmt.Errorf("thread %d is not among %+v", id, u.Threads)
			}
			found[i] = u.Threads[k]
			if x := found[i]; x.User+x.Sys != x.CPU {
				t.Errorf("%+v: user and sys are not its CPU time", x)
			}
		}
		if u.UserPerThread.Count < 2 || u.UserPerThread.Count != u.SysPerThread.Count || u.UserPerThread.Count > u.PerThread.Count {
			t.Errorf("%+v and %+v of %+v", u.UserPerThread, u.SysPerThread, u.PerThread)
		}
		if found[0].User <= found[0].Sys || found[1].Sys <= found[0].Sys {
			return errors.New(u.Table())
		}
		return nil
	})
}

// callSystem makes a few hundred system calls that take longer in the kernel than to make.
func callSystem() {
	var b [64 << 10]byte
	fd, err := unix.Open("/dev/zero", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	for range 300 {
		unix.Read(fd, b[:])
	}
}
