//go:build unix

package session

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// killedVar makes of a test the process that is killed while it writes the file that the variable names.
const killedVar = "TARE_TEST_KILLED_WRITING"

// TestReplaceKilled: what a killed process has written of a file lies beside it until the next one writes a file there, or
// checks that it can. What a living one writes stays.
func TestReplaceKilled(t *testing.T) {
	if out := os.Getenv(killedVar); out != "" {
		ReplaceFile(out, func(f *os.File) error {
			f.WriteString("half of it")
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		})
		os.Exit(1)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "report.html")
	if err := os.WriteFile(out, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	files := func(want int) {
		t.Helper()
		if list, err := os.ReadDir(dir); err != nil || len(list) != want {
			t.Errorf("%v, %v, want %d files", list, err, want)
		}
	}
	for _, next := range []func() error{
		func() error { return CheckWritable(filepath.Join(dir, "other.csv")) },
		func() error { return ReplaceFile(out, func(*os.File) error { return errors.New("cannot be shown") }) },
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestReplaceKilled$")
		cmd.Env = append(os.Environ(), killedVar+"="+out)
		if text, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("was not killed: %v %s", err, text)
		}
		files(2)
		next()
		files(1)
	}
	err := ReplaceFile(out, func(f *os.File) error {
		if err := ReplaceFile(filepath.Join(dir, "other.csv"), func(*os.File) error { files(3); return nil }); err != nil {
			t.Error(err)
		}
		files(3)
		_, err := f.WriteString("after")
		return err
	})
	if text, _ := os.ReadFile(out); err != nil || string(text) != "after" {
		t.Errorf("%q, %v", text, err)
	}
	files(2)
}
