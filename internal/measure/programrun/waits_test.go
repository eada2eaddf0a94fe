package programrun

import (
	"os"
	"testing"
	"time"
)

// TestWaitedOf: the share of the time in which a program could run.
func TestWaitedOf(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		delay, cpu time.Duration
		want       float64
	}{{0, s, 0}, {s, s, 0.5}, {3 * s, s, 0.75}, {s, 0, 1}, {s / 1000, s, 0}, {-s, s, 0}, {0, 0, 0}} {
		if got := waitedOf(c.delay, c.cpu); got != c.want {
			t.Errorf("delayed %s, ran %s: %g, want %g", c.delay, c.cpu, got, c.want)
		}
	}
}

// TestWatchWaits: the watch of a process ends with a share, also where nothing of it is known.
func TestWatchWaits(t *testing.T) {
	for _, pid := range []int{os.Getpid(), 1 << 30} {
		if got := watchWaits(pid).share(time.Second); got < 0 || got > 1 || pid == 1<<30 && got != 0 {
			t.Errorf("process %d: run delay %g", pid, got)
		}
	}
}
