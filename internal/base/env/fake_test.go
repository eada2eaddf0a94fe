package env

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// machines are the trees in testdata that stand for whole machines.
var machines = []string{"laptop", "noisyvm", "container", "cgroup1", "arm64"}

// readTree reads a tree of files in the txtar format: each begins with a line
// "-- path --". Files under "later/" replace their namesakes once the machine
// has been watched.
func readTree(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	path := ""
	for line := range strings.Lines(string(b)) {
		if mark, ok := strings.CutPrefix(line, "-- "); ok {
			path = strings.TrimSuffix(strings.TrimSpace(mark), " --")
			tree[path] = &fstest.MapFile{Mode: 0o444}
		} else if path != "" {
			tree[path].Data = append(tree[path].Data, line...)
		}
	}
	return tree
}

// fakeHost is a machine made of a tree of files, with a clock that moves only
// when somebody sleeps, and with hardware counters.
func fakeHost(tree fstest.MapFS) host {
	now := time.Unix(1_800_000_000, 0)
	h := host{
		root:   tree,
		os:     "linux",
		arch:   "amd64",
		pid:    4242,
		getenv: func(string) string { return "" },
		facts:  func() facts { return facts{} },
		now:    func() time.Time { return now },
		perf:   func(event) (bool, error) { return false, nil },
		golang: func() (golang, error) { return golang{"/usr/local/go/bin/go", "go1.26.8"}, nil },
		space:  func(string) (space, error) { return space{80 << 30, "ext4"}, nil },
	}
	h.load = func() (float64, error) {
		s, err := h.text("proc/loadavg")
		if err != nil {
			return 0, err
		}
		return parseLoad(s)
	}
	h.sleep = func(d time.Duration) {
		now = now.Add(d)
		if d < time.Millisecond {
			now = now.Add(d / 10) // timers are late
			return
		}
		for path, f := range tree {
			if path, ok := strings.CutPrefix(path, "later/"); ok {
				tree[path] = f
			}
		}
	}
	return h
}

// fakeMachine is a fakeHost with the traits that no file tells.
func fakeMachine(t testing.TB, name string) (host, Config) {
	h := fakeHost(readTree(t, name))
	c := Config{Window: time.Second, ClockRead: 21.8, ClockResolution: 1, TempDir: t.TempDir(), CacheDir: t.TempDir()}
	switch name {
	case "noisyvm":
		c.ClockRead, c.ClockResolution = 1240, 279
		h.perf = func(event) (bool, error) { return false, syscall.EACCES }
		h.golang = func() (golang, error) { return golang{"/usr/bin/go", "go1.19.8"}, nil }
		h.space = func(string) (space, error) { return space{300 << 20, "ext4"}, nil }
	case "container":
		h.pid = 1
		h.perf = func(event) (bool, error) { return false, syscall.EPERM }
	case "arm64":
		h.arch = "arm64"
		c.ClockRead, c.ClockResolution = 41, 41
		h.perf = func(e event) (bool, error) {
			if e == cycles {
				return false, syscall.ENOENT
			}
			return true, nil
		}
	}
	return h, c
}

// show prints findings as the command does.
func show(all []Finding) string {
	var b strings.Builder
	for _, f := range all {
		line := fmt.Sprintf("%-4s  %-10s  %s", f.Level, f.Name, f.Text)
		if f.Advice != "" {
			line += "  → " + f.Advice
		}
		fmt.Fprintln(&b, line)
	}
	return b.String()
}
