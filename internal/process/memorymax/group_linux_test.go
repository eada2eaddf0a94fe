package memorymax

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoGroup: a directory that is no control group gets none, and nothing stays in it.
func TestNoGroup(t *testing.T) {
	for _, v1 := range []bool{false, true} {
		dir := t.TempDir()
		if g, err := create(dir, v1, 64<<20, os.Getpid()); err == nil {
			t.Errorf("created %s", g.dir)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("left %v", left)
		}
	}
}

// TestSweep removes the groups of processes that have ended, and no others.
func TestSweep(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	gone, own, other := prefixed(dir, ended.Process.Pid), prefixed(dir, os.Getpid()), filepath.Join(dir, "tare-x")
	for _, d := range []string{gone, own, other} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir)
	for d, want := range map[string]bool{gone: false, own: true, other: true} {
		if _, err := os.Stat(d); (err == nil) != want {
			t.Errorf("%s: exists is %v, want %v", d, err == nil, want)
		}
	}
}

// TestKills reads how many processes the kernel has ended, of both versions.
func TestKills(t *testing.T) {
	for file, v1 := range map[string]bool{"memory.events": false, "memory.oom_control": true} {
		l := &Limit{bytes: 64 << 20, group: &group{dir: t.TempDir(), v1: v1}}
		write := func(text string) {
			if err := os.WriteFile(filepath.Join(l.group.dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("oom_kill_disable 0\nunder_oom 0\noom 3\noom_kill 2\noom_group_kill 9\n")
		if why := l.Exceeded(1); !strings.Contains(why, "more memory than --memory-max 64.0 MiB") {
			t.Errorf("%s: %q", file, why)
		}
		if why := l.Exceeded(1 << 40); why != "" {
			t.Errorf("%s: a second time: %q", file, why)
		}
	}
}

// TestUnenforced: without a group the peak decides.
func TestUnenforced(t *testing.T) {
	l := &Limit{bytes: 64 << 20}
	if why := l.Exceeded(64 << 20); why != "" {
		t.Error(why)
	}
	if why := l.Exceeded(80 << 20); why != "its peak RSS was 80.0 MiB, more than --memory-max 64.0 MiB" {
		t.Error(why)
	}
	if l.By() != PeakRSS || (*Limit)(nil).By() != "" || (*Limit)(nil).Exceeded(1<<50) != "" || (*Limit)(nil).Close() != nil {
		t.Error("nil is no limit")
	}
}
