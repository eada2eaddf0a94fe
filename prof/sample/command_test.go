package sample_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/launch"
	"github.com/tarebench/tare/prof/sample"
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
	build := sync.OnceValues(func() (string, error) { return buildWatched(flags) })
	f, _ := built.LoadOrStore(strings.Join(flags, " "), build)
	path, err := f.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func buildWatched(flags []string) (string, error) {
	toolchain, err := goEnv()
	if err != nil {
		return "", err
	}
	in, err := sample.NewInside(toolchain)
	if err != nil {
		return "", err
	}
	overlay, err := in.Overlay(scratch)
	if err != nil {
		return "", err
	}
	path := filepath.Join(scratch, fmt.Sprintf("watched%q", flags))
	cmd := exec.Command("go", append(append([]string{"build", "-overlay=" + overlay, "-o", path}, flags...), ".")...)
	cmd.Dir = filepath.Join("testdata", "watched")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
}

func goEnv() (sample.Toolchain, error) {
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOOS", "GOARCH").Output()
	f := strings.Split(string(out), "\n")
	if err != nil || len(f) < 4 {
		return sample.Toolchain{}, fmt.Errorf("go env: %q, %w", out, err)
	}
	return sample.Toolchain{Root: f[0], Version: f[1], OS: f[2], Arch: f[3]}, nil
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
	return m.Run()
}

// look runs the program and looks at it.
func look(t *testing.T, path string, c sample.Config, args ...string) (*sample.Run, string) {
	t.Helper()
	l, err := launch.Start(t.Context(), launch.Config{})
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
	run, err := sample.Command(t.Context(), l, launch.Spec{Path: path, Args: args, Stdout: out, Stderr: out, Timeout: time.Minute}, c)
	text, _ := os.ReadFile(out.Name())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := run.How.Validate(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "tare-sample-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	return run, string(text)
}

// eventually tries again, for those who look while others have the processors: what is
// wrong the last time counts.
func eventually(t *testing.T, try func(n int) error) {
	t.Helper()
	var err error
	for n := range 4 {
		if err = try(n); err == nil {
			return
		}
		t.Logf("try %d: %v", n+1, err)
	}
	t.Error(err)
}

// mustSee is the error of a run in which a function was not seen.
func mustSee(run *sample.Run, functions ...string) error {
	for _, f := range functions {
		if sum(run.Profile, record.TypeWall, f) <= 0 {
			return fmt.Errorf("%s was not seen in %d looks: %v", f, run.How.Looks, run.Profile)
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

func within(t *testing.T, what string, got, lo, hi time.Duration) {
	t.Helper()
	if got < lo || got > hi {
		t.Errorf("%s: %v, want %v to %v", what, got, lo, hi)
	}
}

// TestCalls: what sleeps for long is seen for about as long, by those who called it.
// How long a process is held up by others is known from its own life.
func TestCalls(t *testing.T) {
	run, _ := look(t, watched(t), sample.Config{}, "calls")
	wall := run.Process.Wall()
	slow := wall - 401*time.Millisecond
	long := time.Duration(sum(run.Profile, record.TypeWall, "main.sleepLong"))
	within(t, "sleepLong", long, 300*time.Millisecond-slow, wall)
	twice := time.Duration(sum(run.Profile, record.TypeTwice, "main.sleepLong"))
	within(t, "sleepLong, twice", twice, 250*time.Millisecond-slow, wall)
	if asleep := time.Duration(sum(run.Profile, record.TypeWall, "time.Sleep", record.LabelReason, "sleep")); asleep < long/2 {
		t.Errorf("%v in time.Sleep for the reason sleep, of %v", asleep, long)
	}
	for _, s := range run.Profile.Sample {
		if leaf := s.Location[0].Line[0].Function.Name; has(s, "main.sleepLong") && s.Label[record.LabelState][0] == record.StateWaiting && leaf != "time.Sleep" {
			t.Errorf("waits in %s", leaf)
		}
	}
	h := run.How
	if h.Looks < 1 || h.Goroutines < 1 || h.Look <= 0 || h.Cost <= 0 || h.Achieved < float64(5*time.Millisecond) || h.Mode != record.SampledWall {
		t.Errorf("%+v", h)
	}
	if run.Ended != nil || run.Process.ExitCode != 0 {
		t.Errorf("%v, %+v", run.Ended, run.Process)
	}
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
			eventually(t, func(int) error {
				run, out := look(t, watched(t), sample.Config{}, c.do)
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
	eventually(t, func(int) error {
		run, _ := look(t, watched(t), sample.Config{}, "close", path)
		if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
			t.Errorf("%q, %v", text, err)
		}
		return mustSee(run, "main.sleepLong")
	})
}

// TestReasons: each goroutine waits where and for what it is known to wait.
func TestReasons(t *testing.T) {
	eventually(t, func(n int) error {
		run, _ := look(t, watched(t), sample.Config{}, "reasons", strconv.Itoa(300<<n))
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
	eventually(t, func(n int) error {
		run, _ := look(t, watched(t), sample.Config{}, "saturate", strconv.Itoa(400<<n))
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
			return fmt.Errorf("%d times running, %d times runnable, in %d looks", runs, waits, run.How.Looks)
		}
		return nil
	})
}

// TestChurn: looks that come as often as they may disturb nothing of what the runtime
// does at the same time.
func TestChurn(t *testing.T) {
	for _, env := range []string{"", "asyncpreemptoff=1", "gcstoptheworld=1"} {
		t.Run(env, func(t *testing.T) {
			t.Setenv("GODEBUG", env)
			for _, mode := range []string{record.SampledWall, record.SampledCPU} {
				run, out := look(t, watched(t), sample.Config{Mode: mode, Interval: 100 * time.Microsecond}, "churn", "1000")
				if run.Process.ExitCode != 0 || out != "done\n" {
					t.Fatalf("%s: %+v\n%s", mode, run.Process, out)
				}
				if mode == record.SampledWall && run.How.Looks < 1 {
					t.Errorf("%+v", run.How)
				}
			}
		})
	}
}

// TestDeep: of a stack that is too deep the inner part is kept.
func TestDeep(t *testing.T) {
	eventually(t, func(int) error {
		run, _ := look(t, watched(t), sample.Config{}, "deep")
		return mustSee(run, "main.deep", "main.sleepLong")
	})
}

// TestMany: with thousands of goroutines looks are taken less often, and say so.
func TestMany(t *testing.T) {
	eventually(t, func(n int) error {
		run, _ := look(t, watched(t), sample.Config{}, "many", "10000", strconv.Itoa(700<<n))
		all := sum(run.Profile, record.TypeSamples, "main.waiter", record.LabelReason, "chan receive")
		if h := run.How; h.Goroutines < 10_000 || all < 10_000 {
			return fmt.Errorf("%d times chan receive: %+v", all, h)
		}
		return nil
	})
}

// TestCPU: Go's own profiler finds what works, and not what sleeps.
func TestCPU(t *testing.T) {
	run, _ := look(t, watched(t), sample.Config{Mode: record.SampledCPU}, "work", "10", "3000")
	if n := sum(run.Profile, record.TypeSamples, "main.spin"); n < 3 {
		t.Errorf("main.spin was seen %d times: %+v", n, run.How)
	}
	if n, ns := sum(run.Profile, record.TypeSamples, "main.spin"), sum(run.Profile, record.TypeCPU, "main.spin"); ns != n*int64(10*time.Millisecond) {
		t.Errorf("%d samples stand for %d ns", n, ns)
	}
	if h := run.How; h.Source != record.SampledRuntime || h.CPU <= 0 || h.Achieved <= 0 {
		t.Errorf("%+v", h)
	}
}

// TestFull: a program that sees more than there is room for is not disturbed by that.
func TestFull(t *testing.T) {
	run, _ := look(t, watched(t), sample.Config{Room: 64 << 10}, "many", "20000", "300")
	if run.Process.ExitCode != 0 || run.How.Lost == 0 {
		t.Errorf("%+v\n%+v", run.Process, run.How)
	}
	if len(run.Doubts()) == 0 {
		t.Error("no doubt")
	}
}
