package spawn

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/base/units"
)

const mebi = 1 << 20

// off is how far a peak may be off: the kernel counts in batches per CPU, and runs differ a little.
const off = 4 * mebi

func peakOf(t *testing.T, l *Launcher, mebibytes int) int64 {
	t.Helper()
	res, err := l.Run(t.Context(), role("touch", strconv.Itoa(mebibytes)))
	if err != nil || res.ExitCode != 0 || res.PeakBy != "ru_maxrss" {
		t.Fatalf("%+v, %v", res, err)
	}
	return res.Peak
}

func TestPeak(t *testing.T) {
	l := start(t)
	small := peakOf(t, l, 0)
	if grown := peakOf(t, l, 50) - small; grown < 50*mebi-off || grown > 50*mebi+off {
		t.Errorf("a child with 50 MiB more has a peak %s higher than %s", units.Bytes(grown), units.Bytes(small))
	}
}

func TestPeakIgnoresOwnMemory(t *testing.T) {
	l := start(t)
	before := peakOf(t, l, 0)
	mem, err := touch(300 * mebi)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(mem)
	if moved := peakOf(t, l, 0) - before; moved < -off || moved > off {
		t.Errorf("moved by %s", units.Bytes(moved))
	}
	// A launcher started only now is as small.
	if moved := peakOf(t, start(t), 0) - before; moved < -off || moved > off {
		t.Errorf("with a new launcher moved by %s", units.Bytes(moved))
	}

	// The trap that all this is for; should a kernel close it one day, the launcher can go.
	spec := role("touch", "0")
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.Env = spec.Env
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	trap := int64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) * 1024
	t.Logf("peak of a small child: %s by the launcher, %s by os/exec", units.Bytes(before), units.Bytes(trap))
}

func TestPeakBelowTheLauncher(t *testing.T) {
	var r Result
	r.setPeak(2*mebi, 3*mebi)
	if want := "not available: 2.00 MiB does not exceed the launcher's own high-water mark of 3.00 MiB"; r.Peak != 0 || r.PeakBy != want {
		t.Errorf("%d %q", r.Peak, r.PeakBy)
	}
	if want := int64(3*mebi + peakMargin); r.PeakBelow != want {
		t.Errorf("below %d, want %d", r.PeakBelow, want)
	}
	if r.setPeak(9*mebi, 3*mebi); r.Peak != 9*mebi || r.PeakBelow != 0 {
		t.Errorf("%d, below %d; want a peak and no bound", r.Peak, r.PeakBelow)
	}
}

// The launcher's mark bounds every child's visible peak from below, so it must not grow with the number of children.
func TestLauncherStaysSmall(t *testing.T) {
	l := start(t)
	pid := l.Pid()
	spec := role("exit", "0")
	for i := range 6 {
		spec.Env = append(spec.Env, "PAD"+strconv.Itoa(i)+"="+strings.Repeat("x", 100<<10))
	}
	for range 20 {
		if _, err := l.Run(t.Context(), spec); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the launcher renews itself before the first of them
		if _, err := l.Run(t.Context(), role("exit", "0")); err != nil {
			t.Fatal(err)
		}
	}
	if l.Peak() <= 0 || l.Peak() > 3*mebi {
		t.Errorf("the launcher's high-water mark is %s", units.Bytes(l.Peak()))
	}
	if !alive(pid) || l.Pid() != pid {
		t.Error("it is another process")
	}
}

func TestInheritsNothingElse(t *testing.T) {
	// A descriptor as a shell's redirection would leave it to us: open across exec, beyond our ken.
	leak, err := unix.FcntlInt(os.Stdin.Fd(), unix.F_DUPFD, 20)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(leak)
	l := start(t)
	held := launcherFiles(t, l)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 3 {
		spec := role("fds")
		spec.Extra = []*os.File{w, w}
		if text, _, err := output(t, l, spec); err != nil || text != "0 1 2 3 4 pgrp true\n" {
			t.Errorf("%q, %v", text, err)
		}
	}
	w.Close()
	l.Run(t.Context(), Spec{Path: os.DevNull}) // fails
	if now := launcherFiles(t, l); now != held {
		t.Errorf("the launcher held %d files and holds %d", held, now)
	}
}

func launcherFiles(t *testing.T, l *Launcher) int {
	t.Helper()
	fds, err := os.ReadDir("/proc/" + strconv.Itoa(l.Pid()) + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(fds)
}
