package exit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

// TestOutputClosed: standard output that nobody reads ends the command with a code and no message.
func TestOutputClosed(t *testing.T) {
	for _, c := range []struct {
		path string
		err  error
		code int
	}{
		{os.Stdout.Name(), syscall.EPIPE, Pipe},
		{os.Stderr.Name(), syscall.EPIPE, Pipe},
		{os.Stdout.Name(), syscall.ENOSPC, Failure},
		{"/tmp/pipe", syscall.EPIPE, Failure},
	} {
		err := Failed(fmt.Errorf("it: %w", &fs.PathError{Op: "write", Path: c.path, Err: c.err}), "a hint")
		var out bytes.Buffer
		if code := Print(&out, errors.Join(err), ""); code != c.code || (out.Len() == 0) != (code == Pipe) {
			t.Errorf("%s: %v: code %d, %q", c.path, c.err, code, out.String())
		}
	}
}
