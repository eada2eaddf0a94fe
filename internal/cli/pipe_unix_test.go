//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// TestClosedPipe: it is known of a pipe whether somebody reads it, and an error of standard
// output that nobody reads is no words and a code.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if closedPipe(w) {
		t.Error("a pipe that is open counts as closed")
	}
	r.Close()
	if !closedPipe(w) {
		t.Error("a pipe that is closed counts as open")
	}
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if closedPipe(file) {
		t.Error("a file counts as a closed pipe")
	}
}

func TestUnread(t *testing.T) {
	for _, c := range []struct {
		path string
		err  error
		code int
	}{
		{os.Stdout.Name(), syscall.EPIPE, exitPipe},
		{os.Stderr.Name(), syscall.EPIPE, exitPipe},
		{os.Stdout.Name(), syscall.ENOSPC, exitFailed},
		{"/tmp/pipe", syscall.EPIPE, exitFailed},
	} {
		err := failed(fmt.Errorf("it: %w", &fs.PathError{Op: "write", Path: c.path, Err: c.err}), "a hint")
		var said bytes.Buffer
		if code := complain(&said, nil, errors.Join(err)); code != c.code || (said.Len() == 0) != (code == exitPipe) {
			t.Errorf("%s: %v: code %d, %q", c.path, c.err, code, said.String())
		}
	}
}
