package fork

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/record"
)

// TestRun runs real forks and compares their outcomes, samples and record lines.
func TestRun(t *testing.T) {
	h := newHostile(t)
	h.SetNextID(11)
	for i, name := range []string{"Work", "Loop", "Memory", "Talk"} {
		s := h.spec(name, 2)
		if i < 2 {
			s.Benchtime = "100x" // some 10 ms
		}
		before := clock.Now()
		out := h.fork(t, s)
		after := clock.Now()
		f := out.Fork
		if f.State != record.StateOK || f.Why != "" || f.Tail != "" || f.Exit != "0" {
			t.Fatalf("%s: %s: %s\n%s", name, f.State, f.Why, f.Tail)
		}
		if f.ID != 11+i || f.Order != 11+i || f.Case != 7 || f.Bin != 3 || f.Round != 4 || f.Purpose != record.PurposeTiming {
			t.Errorf("%s: %+v", name, f)
		}
		if runtime.GOOS == "linux" && (f.Start < before || f.Start+f.Wall > after) {
			t.Errorf("%s: lived from %d for %d, was run from %d to %d", name, f.Start, f.Wall, before, after)
		}
		if (f.HarnessTime > 0) != (i > 0) || f.HarnessTime > after-before+int64(time.Minute) {
			t.Errorf("%s: own time %d of fork %d", name, f.HarnessTime, i)
		}
		if f.User+f.Sys <= 0 || f.Steal < 0 || f.Setup < 0 || f.Setup > f.Wall {
			t.Errorf("%s: user %d, sys %d, steal %d, setup %d", name, f.User, f.Sys, f.Steal, f.Setup)
		}
		checkSamples(t, &f, out.Samples, name)
		var want []record.Line
		for _, s := range out.Samples {
			want = append(want, s)
		}
		if len(h.wrote) != len(want)+1 || !slices.Equal(h.wrote[:len(want)], want) || *h.wrote[len(want)].(*record.Fork) != f {
			t.Errorf("%s: wrote %v", name, h.wrote)
		}
		h.wrote = nil
		if name == "Memory" && runtime.GOOS == "linux" && h.Launcher.Pid() != 0 && (f.MaxRSS < 32<<20 || f.MaxRSS > 192<<20 || f.MaxRSSBy == "") {
			t.Errorf("peak %d by %s of one that holds 32 MiB", f.MaxRSS, f.MaxRSSBy)
		}
	}
}

func checkSamples(t *testing.T, f *record.Fork, ss []*record.Sample, name string) {
	t.Helper()
	if len(ss) != 3 {
		t.Fatalf("%s: %d samples", name, len(ss))
	}
	var copyWallTimes, benchResult int64
	for i, s := range ss {
		phase := record.PhaseMeasure
		if i == 0 {
			phase = record.PhaseWarmup
		}
		ns, _ := s.V.Get("ns/op")
		if s.Fork != f.ID || s.Iter != i+1 || s.Phase != phase || s.Wall < 0 || s.Ops < 1 || ns <= 0 {
			t.Errorf("%s: %+v", name, s)
		}
		if _, ok := s.V.Get("allocs/op"); !ok {
			t.Errorf("%s: no allocs/op in %v", name, s.V)
		}
		copyWallTimes += s.Wall
		if s.T != f.Start+copyWallTimes || s.T > f.Start+f.Wall+int64(10*time.Second) {
			t.Errorf("%s: iteration %d ended at %d, its fork began at %d and the walls are %d", name, s.Iter, s.T, f.Start, copyWallTimes)
		}
		benchResult += s.Ns
	}
	// The timers ran within what we saw; testing rounds to four digits.
	if float64(benchResult) > 1.01*float64(copyWallTimes)+1e6 {
		t.Errorf("%s: measured %d of %d ns", name, benchResult, copyWallTimes)
	}
}

// TestRunFails: whatever goes wrong is an Outcome with a reason, and its lines
// are written.
func TestRunFails(t *testing.T) {
	for _, test := range []struct {
		name, state, why, tail string
		samples                int
		timeout                time.Duration
	}{
		{"PanicB", record.StateFailed, "panic: at once", "goroutine", 0, 0},
		{"PanicLate", record.StateFailed, "panic: N is 5", "goroutine", 0, 0},
		{"ExitB", record.StateFailed, "ended with status 3", "bye", 0, 0},
		{"ExitC", record.StateFailed, "panic: unexpected call to os.Exit(0) during test", "goroutine", 0, 0},
		{"FailB", record.StateFailed, "the benchmark failed: die_test.go:: its reason", "FAIL", 0, 0},
		{"FailLate", record.StateFailed, "the benchmark failed: die_test.go:: at N above 1", "FAIL", 0, 0},
		{"FailC/1", record.StateOK, "", "", 3, 0}, // a sister's failure is not its own
		{"PanicSub/ok3", record.StateOK, "", "", 3, 0},
		{"SkipA", record.StateFailed, "exited normally but printed 0 of 3 results", "PASS", 0, 0},
		{"NoSuch", record.StateFailed, "exited normally but printed 0 of 3 results", "PASS", 0, 0},
		{"Deep/x", record.StateFailed, "exited normally but printed 0 of 3 results", "PASS", 0, 0},
		{"Other", record.StateFailed, "printed a result of BenchmarkElse-2", "PASS", 3, 0},
		{"Own", record.StateFailed, "exited normally but printed 8 of 3 results", "PASS", 3, 0},
		{"Sleep", record.StateTimeout, "did not end within 700ms", "", 0, 700 * time.Millisecond},
		{"Partly", record.StateTimeout, "did not end within 3s", "BenchmarkPartly-2", 1, 3 * time.Second},
		{"Dots/Benchmark3", record.StateOK, "", "", 3, 0},
		{"Long", record.StateOK, "", "", 3, 0},
		{"Infinite", record.StateOK, "", "", 3, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h := newHostile(t)
			s := h.spec(test.name, 2)
			if test.timeout > 0 {
				s.Timeout = test.timeout
			}
			out := h.fork(t, s)
			f := out.Fork
			why := lineNumber.ReplaceAllString(f.Why, ".go::")
			if f.State != test.state || why != test.why || !strings.Contains(f.Tail, test.tail) || len(out.Samples) != test.samples {
				t.Errorf("%s: %s, %d samples, tail %q", f.State, f.Why, len(out.Samples), f.Tail)
			}
			if (f.State == record.StateOK) != (f.Tail == "") && test.tail != "" {
				t.Errorf("%s with tail %q", f.State, f.Tail)
			}
			if len(h.wrote) != test.samples+1 {
				t.Errorf("wrote %d lines", len(h.wrote))
			}
		})
	}
}

// TestRunInterrupted: the end of the context kills the fork, and its record line says so.
func TestRunInterrupted(t *testing.T) {
	h := newHostile(t)
	var ctx context.Context
	var out *Outcome
	for life := 300 * time.Millisecond; out == nil; life *= 4 { // it may be over before the fork is
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(life, cancel)
		var err error
		if out, err = h.Run(ctx, h.spec("Sleep", 1)); err != nil && (!errors.Is(err, context.Canceled) || life > 10*time.Second) {
			t.Fatal(err)
		}
	}
	if f := out.Fork; f.State != record.StatePartial || f.Why != "interrupted" || len(h.wrote) != 1 {
		t.Errorf("%s: %s; wrote %v", f.State, f.Why, h.wrote)
	}
	if _, err := h.Run(ctx, h.spec("Work", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("a run after the end: %v", err)
	}
}

// TestRunEnviron: a fork's environment is its own, the Runner's or ours, in that
// order, and says where the pipe is.
func TestRunEnviron(t *testing.T) {
	h := newHostile(t)
	dir, err := filepath.EvalSymlinks(world.dir)
	if err != nil {
		t.Fatal(err)
	}
	fd := "3"
	if runtime.GOOS == "windows" {
		fd = ""
	}
	environ := func(given string) []string {
		return append(os.Environ(), "GIVEN="+given, "TARE_FD=77", fmt.Sprintf("EXPECTED=%s %s %s", given, fd, dir))
	}
	h.bin.Dir = dir
	s := h.spec("Environ", 1)
	h.Environ = environ("runner")
	if f := h.fork(t, s).Fork; f.State != record.StateOK {
		t.Errorf("the Runner's: %s", f.Why)
	}
	s.Environ = environ("fork")
	if f := h.fork(t, s).Fork; f.State != record.StateOK {
		t.Errorf("its own: %s", f.Why)
	}
	h.Environ, s.Environ = nil, nil
	t.Setenv("GIVEN", "process")
	t.Setenv("EXPECTED", "process "+fd+" "+dir)
	if f := h.fork(t, s).Fork; f.State != record.StateOK {
		t.Errorf("the process's: %s", f.Why)
	}
}

// TestRunMasks: no secret is written.
func TestRunMasks(t *testing.T) {
	h := newHostile(t)
	h.Mask = func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }
	f := h.fork(t, h.spec("Secret", 1)).Fork
	if !strings.HasSuffix(f.Why, "the password is ***") || strings.Contains(f.Tail, "hunter2") || !strings.Contains(f.Tail, "***") {
		t.Errorf("why %q, tail %q", f.Why, f.Tail)
	}
	if g := h.wrote[len(h.wrote)-1].(*record.Fork); *g != f {
		t.Errorf("wrote %+v", g)
	}
}

// TestRunWriteError: a record that cannot be written ends the run.
func TestRunWriteError(t *testing.T) {
	h := newHostile(t)
	full := errors.New("disk full")
	for left := range 4 {
		h.Write = func(record.Line) error {
			if left == 0 {
				return full
			}
			left--
			return nil
		}
		if _, err := h.Run(t.Context(), h.spec("Talk", 1)); !errors.Is(err, full) {
			t.Errorf("error %v", err)
		}
	}
	h.Write = nil
	if out := h.fork(t, h.spec("Talk", 1)); out.Fork.State != record.StateOK {
		t.Errorf("without a record: %s", out.Fork.Why)
	}
}

// TestForget: what passes between is not charged to the next fork.
func TestForget(t *testing.T) {
	h := newHostile(t)
	s := h.spec("Talk", 1)
	h.fork(t, s)
	time.Sleep(20 * time.Millisecond)
	if trimName := h.fork(t, s).Fork.HarnessTime; trimName < int64(20*time.Millisecond) {
		t.Errorf("own time %d after a pause of 20 ms", trimName)
	}
	h.ResetHarnessTime()
	if trimName := h.fork(t, s).Fork.HarnessTime; trimName != 0 {
		t.Errorf("own time %d after Forget", trimName)
	}
}
