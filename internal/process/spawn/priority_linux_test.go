package spawn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSession: children run in a session of their own, so that programs of ours do not share its priority.
func TestSession(t *testing.T) {
	l := start(t)
	if l.Pid() == 0 {
		t.Skip("no launcher program")
	}
	c, r := spawn(t, l, t.Context(), role("sleep"))
	line(t, r)
	defer c.Kill()
	ours, err := unix.Getsid(0)
	if err != nil {
		t.Fatal(err)
	}
	if sid, err := unix.Getsid(c.Pid()); err != nil || sid == ours || sid != l.Pid() {
		t.Errorf("session %d, %v; ours is %d, the launcher's process %d", sid, err, ours, l.Pid())
	}
	if group, err := unix.Getpgid(c.Pid()); err != nil || group != c.Pid() {
		t.Errorf("group %d, %v", group, err)
	}
}

// TestPrioritize: the priority is that of the children and not ours, or an error says why there is none.
func TestPrioritize(t *testing.T) {
	l := start(t)
	before, _ := os.ReadFile("/proc/self/autogroup")
	done, err := l.Prioritize()
	if after, _ := os.ReadFile("/proc/self/autogroup"); string(after) != string(before) {
		t.Errorf("our own was %q, is %q", before, after)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) && l.Pid() != 0 {
			t.Error(err)
		}
		t.Skip(err)
	}
	c, r := spawn(t, l, t.Context(), role("sleep"))
	line(t, r)
	defer c.Kill()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/autogroup", c.Pid()))
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(text)), "nice -20") || done != "autogroup -20" {
		t.Errorf("%s: %q, %v", done, text, err)
	}
}

// TestRaise: what the kernel did not take over is not said to be done.
func TestRaise(t *testing.T) {
	dir := t.TempDir()
	if done, err := raise(filepath.Join(dir, "none")); done != "" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a file: %q, %v", done, err)
	}
	file := filepath.Join(dir, "autogroup")
	os.WriteFile(file, []byte("/autogroup-3 nice 0\n"), 0o644)
	if done, err := raise(file); done != "" || err == nil {
		t.Errorf("without effect: %q, %v", done, err)
	}
	if done, err := raise("/dev/full"); done != "" || err == nil {
		t.Errorf("refused: %q, %v", done, err)
	}
	if done, err := InProcess(errors.New("x")).Prioritize(); done != "" || err == nil {
		t.Errorf("without a launcher: %q, %v", done, err)
	}
}
