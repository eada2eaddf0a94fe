package spawn

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func canHold(t *testing.T) *Launcher {
	if runtime.GOOS != "linux" {
		t.Skip("children are held on Linux only")
	}
	return start(t)
}

// TestHold: a held child does nothing until it is released, and is then what it would have been.
func TestHold(t *testing.T) {
	l := canHold(t)
	c, r := spawn(t, l, t.Context(), Spec{Path: "sh", Args: []string{"-c", `echo "$$ $0 $1 $HOLD"`, "zero", "one two"}, Env: append(os.Environ(), "HOLD=x"), Hold: true})
	r.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if b, err := io.ReadAll(r); !errors.Is(err, os.ErrDeadlineExceeded) || len(b) > 0 {
		t.Fatalf("a held child said %q, %v", b, err)
	}
	if exe, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(c.Pid()), "exe")); err != nil || strings.Contains(exe, "sh") {
		t.Errorf("it executes %s, %v", exe, err)
	}
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	r.SetReadDeadline(time.Time{})
	text, err := io.ReadAll(r)
	if want := strconv.Itoa(c.Pid()) + " zero one two x\n"; err != nil || string(text) != want {
		t.Errorf("said %q, %v, want %q", text, err, want)
	}
	res, err := c.Wait()
	if err != nil || res.ExitCode != 0 || res.Pid != c.Pid() {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestHeldFiles: the descriptors of the spec are the child's, and the one that held it is not.
func TestHeldFiles(t *testing.T) {
	l := canHold(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, out := spawn(t, l, t.Context(), Spec{Path: "sh", Args: []string{"-c", "echo extra >&3; ls /proc/self/fd"}, Extra: []*os.File{w}, Hold: true})
	w.Close()
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	listed, _ := io.ReadAll(out)
	if got := strings.Fields(string(listed)); len(got) != 5 { // 0, 1, 2, 3, and the directory itself
		t.Errorf("open descriptors: %q", got)
	}
	if b, err := io.ReadAll(r); string(b) != "extra\n" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	c.Wait()
}

// TestHeldEnds: a held child can be killed, is gone with those who hold it, and tells of a program that is none.
func TestHeldEnds(t *testing.T) {
	l := canHold(t)
	c, _ := spawn(t, l, t.Context(), Spec{Path: "sh", Hold: true})
	c.Kill()
	if _, err := c.Wait(); !errors.Is(err, ErrKilled) {
		t.Errorf("killed: %v", err)
	}
	if err := c.Release(); err == nil {
		t.Error("a dead child was released")
	}

	c, _ = spawn(t, l, t.Context(), Spec{Path: "sh", Hold: true})
	c.closeGate()
	if res, err := c.Wait(); err != nil || res.ExitCode != 127 {
		t.Errorf("given up: %+v, %v", res, err)
	}

	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, r := spawn(t, l, t.Context(), Spec{Path: text, Hold: true})
	if err := c.Release(); err != nil {
		t.Fatal(err)
	}
	said, _ := io.ReadAll(r)
	if res, err := c.Wait(); err != nil || res.ExitCode != 126 || !strings.Contains(string(said), text) {
		t.Errorf("no program: %+v, %v, said %q", res, err, said)
	}
}

// TestNoHold: without a launcher program no child can be held. A child that is not held needs no release.
func TestNoHold(t *testing.T) {
	l := InProcess(errors.New("asked for"))
	defer l.Close()
	if _, err := l.Spawn(t.Context(), Spec{Path: os.Args[0], Hold: true}); !errors.Is(err, ErrHold) {
		t.Errorf("%v", err)
	}
	c := &Child{}
	if err := c.Release(); err != nil {
		t.Error(err)
	}
}
