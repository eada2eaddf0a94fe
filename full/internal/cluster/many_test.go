package cluster_test

import (
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// TestMany: of 200 agents with real connections no interval is lost. With -v it says what that costs: the CPU time of this
// process, less that of as many load generators without a network.
func TestMany(t *testing.T) {
	n, seconds := 8, 2
	if testutil.Long() {
		n, seconds = 200, 10
	}
	c := load.Config{
		Schedule: load.Schedule{Rate: float64(10 * n)}, Operations: uint64(10 * n * seconds),
		Interval: time.Second, Workers: n, Phase: record.LoadRun, Pace: load.PaceSleep,
	}
	alone := cpuOf(t, func() error { return runAlone(t, n, c) })
	g := startGroup(t, n)
	var lines []record.Line
	var total *load.Interval
	together := cpuOf(t, func() (err error) {
		total, err = g.controller.Run(t.Context(), cluster.RoleRun, c, func(l record.Line) error { lines = append(lines, l); return nil })
		return err
	})
	for _, l := range lines {
		if a, ok := l.(*record.Agent); ok && (a.State != record.AgentDone || a.Unsent > 0) {
			t.Logf("%s: %s %s, %d unsent of %d", a.Name, a.State, a.Why, a.Unsent, a.Scheduled)
		}
	}
	g.compare(t, c, total, lines)
	intervals, agents := 0, 0
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Load:
			if !l.Final {
				intervals++
				if l.Agents != n {
					t.Errorf("interval %d has %d of %d agents", l.Iter, l.Agents, n)
				}
			}
		case *record.Agent:
			agents++
			if l.Missing > 0 || l.State != record.AgentDone || l.Lost > 0 {
				t.Errorf("%+v", l)
			}
		}
	}
	if intervals < seconds || agents != n { // the drain may need another one
		t.Errorf("%d intervals of %d, %d agents of %d", intervals, seconds, agents, n)
	}
	t.Logf("%d agents at 1 Hz: %.1f %% of a core, load generators included; %.1f %% without agents", n, percent(together, seconds), percent(alone, seconds))
}

func percent(cpu time.Duration, seconds int) float64 { return 100 * cpu.Seconds() / float64(seconds) }

// runAlone runs as many load generators with the same shares, without connections.
func runAlone(t *testing.T, n int, c load.Config) error {
	owners := make([]int, n)
	for i := range owners {
		owners[i] = i
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			mine := c
			mine.Workers = 1
			if mine.Share, errs[i] = load.NewShare(owners, i); errs[i] == nil {
				_, errs[i] = load.Run(t.Context(), &seen{}, mine, nil)
			}
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("generator %d: %w", i, err)
		}
	}
	return nil
}

// cpuOf returns the CPU time that this process takes meanwhile.
func cpuOf(t *testing.T, f func() error) time.Duration {
	t.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	if err := f(); err != nil {
		t.Fatal(err)
	}
	return used() - before
}
