package sample_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// built are the programs of this test, by the flags that they were built with.
var built sync.Map

// watched builds the program in testdata/watched to be looked at.
func watched(t testing.TB, flags ...string) string {
	t.Helper()
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("programs can be looked at from within on Linux and macOS")
	}
	return program(t, "watched", flags...)
}

// program builds one of the programs in testdata to be looked at.
func program(t testing.TB, name string, flags ...string) string {
	t.Helper()
	build := sync.OnceValues(func() (string, error) { return buildProgram(name, flags) })
	f, _ := built.LoadOrStore(name+" "+strings.Join(flags, " "), build)
	path, err := f.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func buildProgram(name string, flags []string, env ...string) (string, error) {
	c := toolchain.Command{Dir: filepath.Join("testdata", name), Env: append(os.Environ(), env...)}
	tools, err := toolchain.Find(context.Background(), c)
	if err != nil {
		return "", err
	}
	if err := tools.MakeReplaceable(scratch, &c); err != nil {
		return "", err
	}
	overlay, err := tools.RuntimeOverlay(toolchain.Sampler)
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, fmt.Sprintf("%s%q", name, append(flags, env...)))
	// With -trimpath, as tare builds: one patched standard library serves all of its tests.
	_, _, err = c.Run(context.Background(), append(append([]string{"build", "-trimpath", "-overlay=" + overlay, "-o", path}, flags...), ".")...)
	return path, err
}

// scratch is a directory for all tests.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(inScratch(m))
}

func inScratch(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sample-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	scratch = dir
	sample.AnswerFor(time.Hour) // servers of tests answer, however busy the machine is
	return m.Run()
}

// sampleRun runs the program and samples it.
func sampleRun(t *testing.T, path string, c sample.Config, args ...string) (*sample.Run, string) {
	t.Helper()
	l, err := spawn.Start(t.Context(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("TMPDIR", t.TempDir())
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	run, err := sample.Command(t.Context(), l, spawn.Spec{Path: path, Args: args, Stdout: out, Stderr: out, Timeout: time.Minute}, c)
	text, _ := os.ReadFile(out.Name())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := run.How.Validate(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "tare-run-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	open, _ := filepath.Glob("/proc/self/fd/*") // none where there is no /proc
	for _, fd := range open {
		if to, _ := os.Readlink(fd); strings.Contains(to, "tare-run-") {
			t.Errorf("left behind, or open: %s", to)
		}
	}
	return run, string(text)
}

// mustSee is the error of a run in which a function was not seen.
func mustSee(run *sample.Run, functions ...string) error {
	for _, f := range functions {
		if sum(run.Profile, record.TypeWall, f) <= 0 {
			return fmt.Errorf("%s was not seen in %d looks: %v", f, run.How.Samples, run.Profile)
		}
	}
	return nil
}

// sum adds up a type of value over the samples whose stack has a function.
func sum(p *profile.Profile, typ, function string, labels ...string) (total int64) {
	for i, v := range p.SampleType {
		if v.Type != typ {
			continue
		}
		for _, s := range p.Sample {
			if has(s, function) && (len(labels) == 0 || strings.Join(s.Label[labels[0]], "") == labels[1]) {
				total += s.Value[i]
			}
		}
	}
	return total
}

func has(s *profile.Sample, function string) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function.Name == function {
				return true
			}
		}
	}
	return false
}

func within(what string, got, lo, hi time.Duration) error {
	if got < lo || got > hi {
		return fmt.Errorf("%s: %v, want %v to %v", what, got, lo, hi)
	}
	return nil
}

// TestCalls: what sleeps for long is seen for about as long, by those who called it.
// A process that is held up is there for longer, and a thread that looks may be held up, too.
func TestCalls(t *testing.T) {
	testutil.Retry(t, func(int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{}, "calls")
		for _, s := range run.Profile.Sample {
			if leaf := s.Location[0].Line[0].Function.Name; has(s, "main.sleepLong") && s.Label[record.LabelState][0] == record.StateWaiting && leaf != "time.Sleep" {
				t.Errorf("waits in %s", leaf)
			}
		}
		if run.Ended != nil || run.Process.ExitCode != 0 {
			t.Errorf("%v, %+v", run.Ended, run.Process)
		}
		return slept(run)
	})
}

// slept is the error of a program, or of looks, that came too late to see for how long main.sleepLong slept.
func slept(run *sample.Run) error {
	wall := run.Process.Wall()
	long := time.Duration(sum(run.Profile, record.TypeWall, "main.sleepLong"))
	twice := time.Duration(sum(run.Profile, record.TypeTwice, "main.sleepLong"))
	if err := errors.Join(within("sleepLong", long, max(300*time.Millisecond, wall*3/5), wall), within("sleepLong, twice", twice, max(250*time.Millisecond, wall/2), wall)); err != nil {
		return err
	}
	if asleep := time.Duration(sum(run.Profile, record.TypeWall, "time.Sleep", record.LabelReason, "sleep")); asleep < long/2 {
		return fmt.Errorf("%v in time.Sleep for the reason sleep, of %v", asleep, long)
	}
	h := run.How
	if h.Samples < 1 || h.Goroutines < 1 || h.SampleCost <= 0 || h.Cost <= 0 || h.Achieved < float64(5*time.Millisecond) || h.Mode != record.SampledWall {
		return fmt.Errorf("%+v", h)
	}
	return nil
}

// TestEnds: however a program ends, what was seen until then is there, and it ends as
// it would have.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		do   string
		exit int
		sig  syscall.Signal
		says string
	}{
		{do: "exit", exit: 3},
		{do: "kill", exit: -1, sig: syscall.SIGKILL},
		{do: "panic", exit: 2, says: "panic: on purpose"},
		{do: "deadlock", exit: 2, says: "fatal error: all goroutines are asleep - deadlock!"},
		{do: "goexit", exit: 0},
	} {
		t.Run(c.do, func(t *testing.T) {
			testutil.Retry(t, func(int) error {
				run, out := sampleRun(t, watched(t), sample.Config{}, c.do)
				if run.Process.ExitCode != c.exit || run.Process.Signal != c.sig || !strings.Contains(out, c.says) {
					t.Errorf("exit %d, signal %v\n%s", run.Process.ExitCode, run.Process.Signal, out)
				}
				return mustSee(run, "main.sleepLong")
			})
		})
	}
}

// TestDescriptors: a program that closes all descriptors finds what it writes in its own
// files only, and is seen nevertheless.
func TestDescriptors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine")
	testutil.Retry(t, func(int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{}, "close", path)
		if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
			t.Errorf("%q, %v", text, err)
		}
		return mustSee(run, "main.sleepLong")
	})
}

// TestReasons: each goroutine waits where and for what it is known to wait.
func TestReasons(t *testing.T) {
	testutil.Retry(t, func(n int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{}, "reasons", strconv.Itoa(300<<n))
		return reasons(t, run.Profile)
	})
}

func reasons(t *testing.T, p *profile.Profile) error {
	for _, c := range [][3]string{
		{"main.receives", record.LabelReason, "chan receive"},
		{"main.locks", record.LabelReason, "sync.Mutex.Lock"},
		{"main.waits", record.LabelReason, "sync.WaitGroup.Wait"},
		{"main.selects", record.LabelReason, "select"},
		{"main.reads", record.LabelState, record.StateSyscall},
		{"main.reasons", record.LabelReason, "sleep"},
	} {
		all, so := sum(p, record.TypeSamples, c[0]), sum(p, record.TypeSamples, c[0], c[1], c[2])
		if so == 0 || so < all*3/4 {
			return fmt.Errorf("%s: %s %q in %d of %d", c[0], c[1], c[2], so, all)
		}
	}
	for _, s := range p.Sample {
		root := s.Location[len(s.Location)-1].Line[0].Function.Name
		if strings.HasPrefix(root, "runtime.") && root != "runtime.main" {
			t.Errorf("a goroutine of the runtime: %s", root)
		}
	}
	return nil
}

// TestBusy: where more goroutines work than can run, those that work are found at work.
func TestBusy(t *testing.T) {
	for _, procs := range []string{"1", "2"} {
		t.Run("GOMAXPROCS="+procs, func(t *testing.T) {
			t.Setenv("GOMAXPROCS", procs)
			testBusy(t)
		})
	}
}

func testBusy(t *testing.T) {
	testutil.Retry(t, func(n int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{}, "saturate", strconv.Itoa(400<<n))
		p := run.Profile
		if sum(p, record.TypeSamples, "runtime.asyncPreempt") > 0 {
			t.Error("how it was stopped is part of a stack")
		}
		if burn, main := sum(p, record.TypeSamples, "main.spin"), sum(p, record.TypeSamples, "main.burn"); main < burn {
			t.Errorf("main.spin was seen %d times, and its caller %d times", burn, main)
		}
		runs := sum(p, record.TypeSamples, "main.spin", record.LabelState, record.StateRunning)
		waits := sum(p, record.TypeSamples, "main.spin", record.LabelState, record.StateRunnable)
		if runs == 0 || waits == 0 {
			return fmt.Errorf("%d times running, %d times runnable, in %d looks", runs, waits, run.How.Samples)
		}
		return nil
	})
}

// TestChurn: looks that come as often as they may disturb nothing of what the runtime
// does at the same time.
func TestChurn(t *testing.T) {
	for _, env := range []string{"", "asyncpreemptoff=1", "gcstoptheworld=1"} {
		t.Run(env, func(t *testing.T) {
			if env != "" {
				testutil.NeedLong(t, "another setting of the same")
			}
			t.Setenv("GODEBUG", env)
			for _, mode := range []string{record.SampledWall, record.SampledCPU} {
				run, out := sampleRun(t, watched(t), sample.Config{Mode: mode, Interval: 100 * time.Microsecond}, "churn", testutil.Pick("300", "1000"))
				if run.Process.ExitCode != 0 || out != "done\n" {
					t.Fatalf("%s: %+v\n%s", mode, run.Process, out)
				}
				if mode == record.SampledWall && run.How.Samples < 1 {
					t.Errorf("%+v", run.How)
				}
			}
		})
	}
}

// TestMany: with thousands of goroutines looks are taken less often, and say so.
func TestMany(t *testing.T) {
	testutil.NeedLong(t, "starts many goroutines")
	testutil.Retry(t, func(n int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{}, "many", "10000", strconv.Itoa(700<<n))
		all := sum(run.Profile, record.TypeSamples, "main.waiter", record.LabelReason, "chan receive")
		if h := run.How; h.Goroutines < 10_000 || all < 10_000 {
			return fmt.Errorf("%d times chan receive: %+v", all, h)
		}
		return nil
	})
}

// TestCPU: Go's own profiler finds what works, and not what sleeps.
func TestCPU(t *testing.T) {
	testutil.Retry(t, func(n int) error { // what was found is lost if the program ends before it is taken
		run, _ := sampleRun(t, watched(t), sample.Config{Mode: record.SampledCPU}, "work", "10", strconv.Itoa(1000<<n))
		if n := sum(run.Profile, record.TypeSamples, "main.spin"); n < 3 {
			return fmt.Errorf("main.spin was seen %d times: %+v", n, run.How)
		}
		if h := run.How; h.Source != record.SampledRuntime || h.CPU <= 0 || h.Achieved <= 0 {
			t.Errorf("%+v", h)
		}
		standsFor(t, run, float64(run.How.CPU))
		return nil
	})
}

// standsFor: the samples together stand for so much CPU time, but for the rounding of each.
func standsFor(t *testing.T, run *sample.Run, cpu float64) {
	t.Helper()
	var all, looks int64
	for _, s := range run.Profile.Sample {
		looks, all = looks+s.Value[0], all+s.Value[1]
	}
	if looks != run.How.Samples || math.Abs(float64(all)-cpu) > float64(looks) {
		t.Errorf("%d samples stand for %d ns, want %.0f: %+v", looks, all, cpu, run.How)
	}
}

// TestChildren: what a child used is none of the time of those that looked at its parent.
func TestChildren(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a process knows its own CPU time on Linux")
	}
	testutil.Retry(t, func(n int) error {
		run, out := sampleRun(t, watched(t), sample.Config{Mode: record.SampledCPU}, "parent", strconv.Itoa(200<<n), strconv.Itoa(400<<n))
		child, err := strconv.ParseInt(strings.TrimSpace(out), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if run.How.Samples == 0 || time.Duration(child) < 50*time.Millisecond { // no sample was taken before its end, or the child used too little to be noticed
			return fmt.Errorf("the child used %d ns: %+v", child, run.How)
		}
		most := run.Process.User + run.Process.Sys - time.Duration(child) + time.Millisecond // both are rounded
		if own := time.Duration(run.How.CPU); own <= 0 || own > most {
			t.Errorf("%v of CPU time, want at most %v: %+v", own, most, run.How)
		}
		standsFor(t, run, float64(run.How.CPU))
		return nil
	})
}

// TestCoarse: no kernel interrupts a thread every 100 µs for Go's profiler. Times are
// computed from the achieved interval, and a warning has the target and the achieved one.
func TestCoarse(t *testing.T) {
	testutil.Retry(t, func(n int) error {
		run, _ := sampleRun(t, watched(t), sample.Config{Mode: record.SampledCPU, Interval: 100 * time.Microsecond}, "work", "10", strconv.Itoa(500<<n))
		if sum(run.Profile, record.TypeSamples, "main.spin") == 0 {
			return fmt.Errorf("nothing was seen: %+v", run.How)
		}
		standsFor(t, run, float64(run.How.CPU))
		reported := slices.ContainsFunc(run.Warnings(), func(w *record.Warn) bool {
			return w.Code == diagnosis.LooksCoarse && strings.Contains(w.Text, "target: a sample every 100 µs of CPU time, achieved: one every ")
		})
		if coarse := run.How.Achieved > 2*float64(run.How.Interval); coarse != reported {
			t.Errorf("every %v ns, and warnings %+v", run.How.Achieved, run.Warnings())
		}
		return nil
	})
}
