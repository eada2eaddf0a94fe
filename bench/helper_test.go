package bench

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// helperVar makes the benchmarks that tests start in processes of their own run.
const helperVar = "BENCH_TEST_HELPER"

// helper skips a benchmark that is for tests only.
func helper(b *testing.B) {
	if os.Getenv(helperVar) == "" {
		b.Skip("for tests")
	}
}

// ran is a process of this test binary that has ended.
type ran struct {
	out  string
	code int
	took time.Duration
}

// rerun runs benchmarks of this test binary in another process.
func rerun(t *testing.T, pattern string, args ...string) ran {
	t.Helper()
	return runCommand(t, command(pattern, args...))
}

func command(pattern string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^$", "-test.bench=" + pattern}, args...)...)
	cmd.Env = append(os.Environ(), helperVar+"=1", pipeVar+"=", "GORACE=atexit_sleep_ms=0")
	return cmd
}

func runCommand(t *testing.T, cmd *exec.Cmd) ran {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err := cmd.Run()
	r := ran{out: out.String(), took: time.Since(start)}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		r.code = exit.ExitCode()
	case err != nil:
		t.Fatal(err)
	}
	return r
}

// failures are the outputs of benchmarks that failed, by name.
func (r ran) failures() map[string]string {
	found := map[string]string{}
	parts := regexp.MustCompile(`(?m)^--- FAIL: `).Split(r.out, -1)
	for _, p := range parts[1:] {
		name, text, _ := strings.Cut(p, "\n")
		name, _, _ = strings.Cut(name, " ")
		name = regexp.MustCompile(`-\d+$`).ReplaceAllString(name, "")
		if text, _, _ = strings.Cut(text, "\nBenchmark"); found[name] == "" {
			found[name] = text
		}
	}
	return found
}

// results are the figures of the result lines of a benchmark.
func (r ran) results(name string) []map[string]string {
	var out []map[string]string
	for line := range strings.Lines(r.out) {
		f := strings.Fields(line)
		if len(f) < 2 || regexp.MustCompile(`-\d+$`).ReplaceAllString(f[0], "") != name {
			continue
		}
		m := map[string]string{"N": f[1]}
		for i := 2; i+1 < len(f); i += 2 {
			m[f[i+1]] = f[i]
		}
		out = append(out, m)
	}
	return out
}

// benchtime sets what testing.Benchmark measures for, for the length of a test.
func benchtime(t *testing.T, text string) {
	t.Helper()
	old := flag.Lookup("test.benchtime").Value.String()
	if err := flag.Set("test.benchtime", text); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set("test.benchtime", old) })
}

// testWindow is a window of roles without a testing.B.
func testWindow(roles ...Role) *window {
	c := newConfig(callGroup, nil)
	c.roles = roles
	c.settle()
	var roleGroups []*roleGroup
	for i := range c.roles {
		roleGroups = append(roleGroups, &roleGroup{cfg: &c.roles[i], ops: 1})
	}
	win := newWindow(roleGroups)
	win.length, win.grace, win.seed = 10*time.Millisecond, 5*time.Second, defaultSeed
	return win
}

func (win *window) runTest(t *testing.T) outcome {
	t.Helper()
	win.addWorkers()
	o := win.run(doNothing, doNothing)
	if o.err != nil {
		t.Fatal(o.err)
	}
	return o
}
