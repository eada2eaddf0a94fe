package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPresence: a process that was killed said nothing at its end, and is no other tare that measures.
func TestPresence(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	newPresence(f, holder{Pid: gone.Process.Pid, Start: time.Now().Add(-time.Minute), Command: "tare gone"}, true)
	newPresence(f, holder{Pid: os.Getppid(), Start: time.Now().Add(-time.Minute), Command: "tare there"}, false)
	got := newPresence(f, holder{Pid: os.Getpid(), Start: time.Now()}, false).others()
	if !strings.Contains(got, "tare there") || strings.Contains(got, "more") || strings.Contains(got, "gone") {
		t.Errorf("%q, want the process that is there alone", got)
	}
}
