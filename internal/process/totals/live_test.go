package totals

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// subject builds testdata/subject with the part that counts.
func subject(t *testing.T) string {
	t.Helper()
	t.Setenv("GOFLAGS", testutil.GoFlags())
	tools, err := toolchain.Find(t.Context(), toolchain.Command{})
	if err != nil {
		t.Fatal(err)
	}
	c := toolchain.Command{}
	if err := tools.MakeReplaceable(t.TempDir(), &c); err != nil {
		t.Fatal(err)
	}
	overlay, err := tools.RuntimeOverlay(toolchain.Totals)
	if errors.Is(err, toolchain.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "subject")
	if _, _, err := c.Run(t.Context(), "build", "-overlay="+overlay, "-o", path, "./testdata/subject"); err != nil {
		t.Fatal(err)
	}
	return path
}

// counted runs the program and returns what it has written.
func counted(t *testing.T, path string, args ...string) (*Totals, error) {
	t.Helper()
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), f.Env(), "GOMAXPROCS=2")
	out, err := cmd.CombinedOutput()
	if s := string(out); strings.Contains(s, "sees") {
		t.Errorf("%q: %s", args, s)
	}
	t.Logf("%q: %v", args, err)
	return f.Read()
}

// TestLive: a program that makes so many more objects of 64 B is counted so many more, but for a few of the runtime's own, by
// whichever way it ends that runs exit hooks.
func TestLive(t *testing.T) {
	path := subject(t)
	const few, more, own = 1000, 100_000, 100
	base, err := counted(t, path, "objects", "1000")
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"return", "exit0", "exit3"} {
		got, err := counted(t, path, "objects", "101000", how)
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		if d := int64(got.Objects-base.Objects) - more; d < -own || d > own {
			t.Errorf("%s: %d objects beside the %d", how, d, more)
		}
		if d := int64(got.Bytes-base.Bytes) - 64*more; d < -own<<10 || d > own<<10 {
			t.Errorf("%s: %d B beside those of %d objects", how, d, more)
		}
		if got.Procs != 2 || got.Cost <= 0 || got.Cycles != 0 || got.GC != 0 || got.Objects < few+more {
			t.Errorf("%s: %+v", how, got)
		}
	}
	for _, how := range []string{"panic", "kill", "term"} {
		if _, err := counted(t, path, "objects", "10", how); !errors.Is(err, ErrNotEnded) {
			t.Errorf("%s: %v", how, err)
		}
	}
	if got, err := counted(t, path, "collect", "5"); err != nil || got.Cycles < 5 || got.GC <= 0 || got.Pause <= 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := counted(t, path, "child"); err != nil || got.Objects > base.Objects+10_000 {
		t.Errorf("its child counts, too: %+v, %v", got, err)
	}
	if _, err := counted(t, "/bin/sh", "-c", ":"); !errors.Is(err, ErrNotBegun) {
		t.Error(err)
	}
}

// TestLiveThreads: three threads that burn 60, 120 and 240 ms of their own CPU time are found by it.
func TestLiveThreads(t *testing.T) {
	path := subject(t)
	got, err := counted(t, path, "burn", "60", "120", "240")
	if err != nil {
		t.Fatal(err)
	}
	if got.NoThreads != "" {
		t.Skip(got.NoThreads)
	}
	slices.SortFunc(got.Threads, func(a, b Thread) int { return cmp.Compare(b.CPU, a.CPU) })
	if len(got.Threads) < 4 {
		t.Fatalf("%+v", got.Threads)
	}
	for i, want := range []time.Duration{240, 120, 60} {
		want *= time.Millisecond
		x := got.Threads[i]
		if x.CPU < want || x.CPU > 2*want+100*time.Millisecond || x.User+x.Sys != x.CPU { // the kernel divides it by ticks
			t.Errorf("thread %+v, want %s", x, want)
		}
	}
	if s := SpreadOf(got.Times("cpu")); s.Max != got.Threads[0].CPU || s.Sum < 420*time.Millisecond {
		t.Errorf("%+v", s)
	}
}
