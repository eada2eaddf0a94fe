package perfevent_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// What the children of these tests do, by the environment.
const (
	childVar   = "PERFEVENT_TEST_CHILD"
	childHeld  = "held"  // waits, and executes itself as one that burns
	childMoved = "moved" // waits, and executes itself as one that burns, from another thread than its first
	childBurns = "burns"
	childForks = "forks" // starts another that burns

	burntVar = "PERFEVENT_TEST_BURNT" // for how long
)

const burnt = 150 * time.Millisecond // of CPU time, of a first try

func TestMain(m *testing.M) {
	switch os.Getenv(childVar) {
	case childHeld:
		waitAndExec()
	case childMoved:
		runtime.LockOSThread() // so that the other goroutine is on another thread
		go waitAndExec()
		select {}
	case childForks:
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childVar+"="+childBurns) // exec.Cmd lets the last one win
		if err := c.Run(); err != nil {
			panic(err)
		}
	case childBurns:
		burn()
	default:
		os.Exit(m.Run())
	}
}

func waitAndExec() {
	if _, err := io.ReadAll(os.Stdin); err != nil {
		panic(err)
	}
	runtime.LockOSThread()
	if err := os.Setenv(childVar, os.Args[1]); err != nil {
		panic(err)
	}
	panic(syscall.Exec(os.Args[0], os.Args[:1], os.Environ()))
}

//go:noinline
func burn() {
	long, err := time.ParseDuration(os.Getenv(burntVar))
	if err != nil {
		panic(err)
	}
	x := uint64(1)
	for cpuTime() < long {
		for range 1 << 16 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	fmt.Print(x&1 == 2) // it is needed
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// held starts a child that waits before it executes itself as another, and releases it.
func held(t *testing.T, how, then string, long time.Duration) (pid int, release func()) {
	t.Helper()
	c := exec.Command(os.Args[0], then)
	c.Env = append(os.Environ(), childVar+"="+how, burntVar+"="+long.String())
	c.Stderr = os.Stderr
	gate, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waited := false
	t.Cleanup(func() {
		if !waited {
			gate.Close()
			c.Wait()
		}
	})
	return c.Process.Pid, func() {
		gate.Close()
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		waited = true
	}
}

// sample samples a child from its exec on, which burns for so long.
func sample(t *testing.T, how, then string, long time.Duration, cfg perfevent.Config) *perfevent.Samples {
	t.Helper()
	if _, _, err := perfevent.AvailableEvents(cfg); err != nil {
		t.Skip(err)
	}
	pid, release := held(t, how, then, long)
	s, err := perfevent.Open(pid, cfg)
	if err != nil {
		t.Fatal(err)
	}
	release()
	x, err := s.Close()
	if err != nil {
		t.Fatal(err)
	}
	if x.Damaged != 0 || x.CPUs < 1 || x.Pages < 8 {
		t.Errorf("%d bytes damaged, %d processors, %d pages", x.Damaged, x.CPUs, x.Pages)
	}
	return x
}

// TestSampling: a program that burns CPU time gets as many samples as its time is worth,
// nearly all of them in its own file, whichever of its threads executes it, and if one
// that it started does.
func TestSampling(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ how, then string }{{childHeld, childBurns}, {childMoved, childBurns}, {childHeld, childForks}} {
		t.Run(c.how+" "+c.then, func(t *testing.T) {
			testutil.Retry(t, func(try int) error {
				long := burnt << try
				before := clock.Now()
				x := sample(t, c.how, c.then, long, perfevent.Config{Events: []string{"cpu-clock"}})
				inOrder(t, x, before, clock.Now())
				return sampled(x, self, long)
			})
		})
	}
}

// inOrder checks the times of samples.
func inOrder(t *testing.T, x *perfevent.Samples, before, after int64) {
	t.Helper()
	last := int64(0)
	x.Walk(func(s perfevent.Sample, _ *perfevent.Map) {
		if s.Time < last || s.Time < x.Exec {
			t.Errorf("a sample at %d, the one before at %d, executed at %d", s.Time, last, x.Exec)
		}
		last = s.Time
	})
	if slack := int64(time.Millisecond); x.Exec < before-slack || last > after+slack {
		t.Errorf("executed at %d, last sample at %d: not between %d and %d", x.Exec, last, before, after)
	}
}

// sampled is the error of too few samples of a program that burns for so long, or too many, or elsewhere.
func sampled(x *perfevent.Samples, self string, long time.Duration) error {
	want := x.CPU.Seconds() * float64(x.Events[0].Frequency)
	if n := float64(len(x.List)); x.CPU < long/2 || n < 0.7*want || n > 1.2*want {
		return fmt.Errorf("%v samples in %v of CPU time, want %.0f", n, x.CPU, want)
	}
	mine := 0
	x.Walk(func(_ perfevent.Sample, m *perfevent.Map) {
		if m != nil && m.Main && m.Path == self {
			mine++
		}
	})
	if 2*mine < len(x.List) {
		return fmt.Errorf("%d of %d samples in %s", mine, len(x.List), self)
	}
	return nil
}

// TestKeep: delay and length choose from what is sampled, and the others are counted.
func TestKeep(t *testing.T) {
	const delay, length = 50 * time.Millisecond, 100 * time.Millisecond
	testutil.Retry(t, func(try int) error {
		long := burnt << try
		x := sample(t, childHeld, childBurns, long, perfevent.Config{Delay: delay, Duration: length})
		for _, s := range x.List {
			if at := time.Duration(s.Time - x.Exec); at < delay || at >= delay+length {
				t.Errorf("a sample after %v", at)
			}
		}
		e := x.Events[0]
		if e.Skipped+int64(len(x.List)) != e.Samples {
			t.Errorf("%d kept, %+v", len(x.List), e)
		}
		if e.Skipped == 0 { // the time outside of the window was not excluded
			return fmt.Errorf("%d kept, %+v", len(x.List), e)
		}
		return nil
	})
}

// TestEvents: samples of several events are distinguished. Two clocks tick equally often.
func TestEvents(t *testing.T) {
	testutil.Retry(t, func(try int) error {
		long := burnt << try
		x := sample(t, childHeld, childBurns, long, perfevent.Config{Events: []string{"cpu-clock", "task-clock", "page-faults"}})
		var n [3]int
		for _, s := range x.List {
			n[s.Event]++
		}
		if n[0] == 0 || n[1] == 0 || n[2] == 0 || n[0] > 2*n[1] || n[1] > 2*n[0] {
			return fmt.Errorf("%v samples of %+v", n, x.Events)
		}
		return nil
	})
}

// TestStacksLive: the callers of burn are main's.
func TestStacksLive(t *testing.T) {
	testutil.Retry(t, func(try int) error { // while a process starts there are no callers; it starts slowly under the race detector
		x := sample(t, childHeld, childBurns, burnt<<try, perfevent.Config{Stacks: true})
		deep := 0
		for _, s := range x.List {
			if len(x.Stack(s)) >= 3 {
				deep++
			}
		}
		if runtime.GOARCH == "amd64" && 2*deep < len(x.List) {
			return fmt.Errorf("%d of %d samples have callers", deep, len(x.List))
		}
		return nil
	})
}

// TestGone: a process that there is not, and one that is never released.
func TestGone(t *testing.T) {
	if _, _, err := perfevent.AvailableEvents(perfevent.Config{}); err != nil {
		t.Skip(err)
	}
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Skip(err)
	}
	if _, err := perfevent.Open(c.Process.Pid, perfevent.Config{}); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("a process that has ended: %v", err)
	}
	pid, _ := held(t, childHeld, childBurns, burnt)
	s, err := perfevent.Open(pid, perfevent.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if x, err := s.Close(); err != nil || len(x.List) != 0 || x.Exec != 0 {
		t.Errorf("%d samples of a process that executed nothing, at %d: %v", len(x.List), x.Exec, err)
	}
}

// TestOpenRefuses: what is wrong with a Config is said before anything is opened.
func TestOpenRefuses(t *testing.T) {
	_, err := perfevent.Open(os.Getpid(), perfevent.Config{Events: []string{"cycle"}, Frequency: -1})
	if err == nil || !strings.Contains(err.Error(), `no event "cycle"`) || !strings.Contains(err.Error(), "frequency of -1") {
		t.Errorf("%v", err)
	}
}

// TestCost: a sample interrupts for some time. How long depends on the machine.
func TestCost(t *testing.T) {
	if err := perfevent.CheckEvent("cpu-clock"); err != nil {
		t.Skip(err)
	}
	cost, err := perfevent.Cost("cpu-clock")
	t.Log(cost, err) // on a machine that is busy it drowns
	if err == nil && (cost <= 0 || cost > 10*time.Millisecond) {
		t.Errorf("a sample costs %v", cost)
	}
	if _, err := perfevent.Cost("nothing"); err == nil {
		t.Error("of no event")
	}
}
