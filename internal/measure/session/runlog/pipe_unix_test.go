//go:build unix

package runlog

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: a pipe or a device in the log's place is an error in one line, at once.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		_, err := Read(path, "m")
		for _, err := range []error{err, Append(path, Entry{})} {
			if err == nil || !strings.HasPrefix(err.Error(), path+" is not a file") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
		}
	}
}
