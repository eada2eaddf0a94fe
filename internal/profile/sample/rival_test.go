package sample_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestSignals: signals in masses, which wake up the thread that looks, too, spoil nothing of what was
// seen, nor are looks taken before they are due.
func TestSignals(t *testing.T) {
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		testutil.Retry(t, func(n int) error {
			run, out := sampleRun(t, watched(t), sample.Config{Mode: mode}, "signals", strconv.Itoa(300<<n))
			if run.Process.ExitCode != 0 || out != "done\n" {
				t.Fatalf("%s: %+v\n%s", mode, run.Process, out)
			}
			if h := run.How; mode == record.SampledWall && h.Samples > 20 && h.Achieved < float64(5*time.Millisecond) {
				t.Errorf("looks came before they were due: %+v", h)
			}
			if n := sum(run.Profile, record.TypeSamples, "main.burn"); n < 1 {
				return fmt.Errorf("%s: main.burn was seen %d times: %+v", mode, n, run.How)
			}
			return nil
		})
	}
}

// TestRival: a program that profiles itself goes on while Go's CPU profiler is ours: its own profiles are
// empty, and that is said. By the clock they are its own.
func TestRival(t *testing.T) {
	testutil.NeedLong(t, "builds a program that profiles itself")
	for mode, seen := range map[string]string{record.SampledWall: "true", record.SampledCPU: "false"} {
		testutil.Retry(t, func(n int) error { // on a busy machine a profile may be empty
			run, out := sampleRun(t, watched(t), sample.Config{Mode: mode}, "profiles", strconv.Itoa(300<<n))
			said := slices.ContainsFunc(run.How.Limitations, func(s string) bool { return strings.Contains(s, "own CPU profile") })
			by := mode == record.SampledCPU
			if run.Process.ExitCode != 0 || said != by {
				t.Errorf("%s: %+v, %+v", mode, run.Process, run.How)
			}
			if want := strings.Repeat("seen: "+seen+"\n", 3) + "done\n"; out != want || by && sum(run.Profile, record.TypeSamples, "main.burn") < 1 {
				return fmt.Errorf("%s: %s %+v", mode, out, run.How)
			}
			return nil
		})
	}
}

// TestEnvironment: neither the program nor its children find the variable that starts the sampler, and
// the file is mapped once.
func TestEnvironment(t *testing.T) {
	for _, v := range os.Environ() { // such as those that ask the tests for servers
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "TARE_") {
			t.Setenv(name, "") // restores it at the end
			os.Unsetenv(name)
		}
	}
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		_, out := sampleRun(t, watched(t), sample.Config{Mode: mode}, "environment", "TARE_", "tare-run-", "child")
		if maps := strings.Count(out, "map "); strings.Contains(out, "TARE_") || runtime.GOOS == "linux" && maps != 1 {
			t.Errorf("%s: %s", mode, out)
		}
	}
}
