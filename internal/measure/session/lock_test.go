package session

import (
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// TestDescribeHolder: who has the lock is described, whatever somebody wrote into its file.
func TestDescribeHolder(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]string{
		`{"pid":7,"start":"2026-01-02T03:01:05Z","command":"tare bench .","end":"2026-01-02T03:05:00Z"}`: "tare bench ., pid 7, for 3m0s, about 55s left",
		`{"pid":7,"start":"2026-01-02T03:01:05Z","command":"x","end":"2026-01-02T03:04:00Z"}`:            "x, pid 7, for 3m0s, should have finished by now",
		`{"pid":7,"start":"2026-01-02T03:04:05Z"}`:                                                       "pid 7, for 0s",
		`{"pid":7,"command":"a\u001b[2J\nb"}`:                                                            `a\x1b[2J\nb, pid 7`,
		"pid 12":                                                                                         "pid 12",
		"":                                                                                               "holder unknown",
		"\x1b[2J":                                                                                        "holder unknown",
		`{"pid":"seven`:                                                                                  "holder unknown",
	} {
		if got := describeHolder([]byte(text), now); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := describeHolder([]byte(`{"pid":7,"command":"`+strings.Repeat("x", 3000)+`"}`), now); len(got) > 120 {
		t.Errorf("%d bytes", len(got))
	}
}

// TestLockMachine: of two tares the second waits, fails, or runs beside it without the lock.
func TestLockMachine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	p, _ := NewProgress(io.Discard, "none")
	ctx := context.Background()
	first, err := LockMachine(ctx, p, LockMode{}, []string{"tare", "bench", "./a"})
	if err != nil || first == nil || first.Warning() != nil {
		t.Fatalf("%+v, %v", first, err)
	}
	first.EndsAt(time.Now().Add(time.Hour))
	if _, err := LockMachine(ctx, p, LockMode{NoWait: true}, nil); exit.As(err) == nil || !strings.Contains(err.Error(), "tare bench ./a, pid ") || !strings.Contains(err.Error(), "left") {
		t.Errorf("%v", err)
	}
	beside, err := LockMachine(ctx, p, LockMode{NoLock: true}, []string{"tare", "time", "./b"})
	if w := beside.Warning(); err != nil || w == nil || !strings.Contains(w.Text, "tare bench ./a") || beside.Warning() != nil {
		t.Errorf("%+v, %v", w, err)
	}
	beside.EndsAt(time.Now())
	beside.Unlock() // leaves the lock of the first
	if _, err := LockMachine(ctx, p, LockMode{NoWait: true}, nil); err == nil {
		t.Error("the lock is free")
	}
	if w := first.Warning(); w == nil || !strings.Contains(w.Text, "tare time ./b, pid ") {
		t.Errorf("the first does not know of the one beside it: %+v", w)
	}
	first.Unlock()
	last, err := LockMachine(ctx, p, LockMode{NoWait: true}, nil)
	if err != nil || last == nil || last.Warning() != nil {
		t.Errorf("%v, %v", last, err)
	}
	last.Unlock()
}

// TestNoLock: whoever runs without the lock leaves it free, and is seen by all that run meanwhile.
func TestNoLock(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	p, _ := NewProgress(io.Discard, "none")
	come := func(mode LockMode, command string) *MachineLock {
		l, err := LockMachine(context.Background(), p, mode, []string{command})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	gone := come(LockMode{NoLock: true}, "gone")
	gone.Unlock()
	beside := come(LockMode{NoLock: true}, "beside")
	short := come(LockMode{NoLock: true}, "short")
	short.Unlock()
	holder := come(LockMode{NoWait: true}, "holder")
	if w := holder.Warning(); w == nil || !strings.Contains(w.Text, ": beside, pid ") {
		t.Errorf("%+v", w)
	}
	if w := beside.Warning(); w == nil || !strings.Contains(w.Text, ": holder, pid ") || !strings.Contains(w.Text, "(and 1 more)") {
		t.Errorf("%+v", w)
	}
	holder.Unlock()
	beside.Unlock()
	alone := come(LockMode{}, "alone")
	if w := alone.Warning(); w != nil {
		t.Errorf("%+v", w)
	}
	alone.Unlock()
}

// TestLockOfAncestor: a tare that is what another one measures does not wait for it.
func TestLockOfAncestor(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	p, _ := NewProgress(io.Discard, "none")
	outer, err := LockMachine(context.Background(), p, LockMode{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer outer.Unlock()
	outer.holder.Pid = os.Getppid()
	outer.tell()
	inner, err := LockMachine(context.Background(), p, LockMode{NoWait: true}, nil)
	if err != nil || inner.Warning() != nil || outer.Warning() != nil {
		t.Errorf("%+v, %v, %+v", inner, err, outer.Warning())
	}
	inner.Unlock()
}
