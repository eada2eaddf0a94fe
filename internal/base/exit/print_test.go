package exit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

// TestBounded: an error that quotes a long text is one short line with its beginning and its end, and cuts no secret in half.
func TestBounded(t *testing.T) {
	for _, middle := range []string{strings.Repeat("é", 500_000), strings.Repeat("a\n", 20_000), strings.Repeat("https://u:SECRET@h ", 2000), "\xff" + strings.Repeat("\x1b", 9000)} {
		var out bytes.Buffer
		Print(&out, Failed(errors.New("a.txt:3: "+middle+" is not a number"), ""), "")
		got := out.String()
		if len(got) > longest+100 || !utf8.ValidString(got) || strings.Count(got, "\n") != 1 || strings.Contains(got, "SECRET") ||
			!strings.HasPrefix(got, "tare: error: a.txt:3: ") || !strings.HasSuffix(got, " is not a number\n") {
			t.Errorf("%d bytes: %.60q", len(got), got)
		}
	}
}

// TestOutputClosed: if the reader of standard output has closed it, the command ends with a code and no message.
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
