//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// copiers are the verbs that copy a record that they show, with the arguments before its
// name, and a record of each.
var copiers = []struct {
	args   []string
	record string
}{
	{[]string{"asm"}, "asm"}, {[]string{"trace"}, "trace"}, {[]string{"sample"}, "sample"}, {[]string{"contrast"}, "contrast"},
	{[]string{"selftest", "--show"}, "selftest"},
}

// TestCopyOfPipe: records that come through a pipe are shown, and a copy of them is refused
// because they are read by then.
func TestCopyOfPipe(t *testing.T) {
	out := filepath.Join(t.TempDir(), "copy.jsonl")
	for _, c := range copiers {
		for _, copied := range [][]string{nil, {"--format", "jsonl"}, {"-o", out}} {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o666); err != nil {
				t.Fatal(err)
			}
			go func() {
				if w, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil { // waits for a reader
					w.WriteString(goldenRecord(t, c.record))
					w.Close()
				}
			}()
			code, shown, messages := run("", append(append(copied, c.args...), pipe)...)
			if r, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil { // unblock a writer whose pipe was not read
				r.Close()
			}
			switch {
			case copied == nil && (code != 0 || shown == ""):
				t.Errorf("%q: exit %d, %s", c.args, code, messages)
			case copied != nil && (code != 2 || shown != "" || !strings.Contains(messages, "can be read only once")):
				t.Errorf("%q %q: exit %d, %s%s", copied, c.args, code, shown, messages)
			}
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a copy was written")
	}
}

// TestResumePipe: a run does not go on with a record that comes through a pipe.
func TestResumePipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, messages := run("", "bench", "--resume", pipe); code != 2 || !strings.Contains(messages, "no regular file") {
		t.Errorf("exit %d, %s", code, messages)
	}
}

// TestTimeStdoutPipe: a pipe is no file for the output of commands. What is refused creates no file.
func TestTimeStdoutPipe(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, messages := run("", "time", "--stdout", pipe, "--", "true"); code != 2 || !strings.Contains(messages, "a directory or a pipe") {
		t.Errorf("exit %d, %s", code, messages)
	}
	for _, refused := range [][]string{{"--runs", "0", "--", "true"}, {"--format", "none", "--", "true"}, {"--against", "./nope", "--", "true"}, {"--", "./nope"}, {"--cwd", file + "x", "--", "true"}} {
		if code, _, messages := run("", append([]string{"time", "--stdout", file}, refused...)...); code != 2 {
			t.Errorf("%q: exit %d, %s", refused, code, messages)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%q: the file of --stdout was created", refused)
		}
	}
	if code, _, messages := run("", "time", "--stdout", filepath.Join(dir, "none", "x"), "--", "true"); code != 2 || !strings.Contains(messages, "--stdout") {
		t.Errorf("exit %d, %s", code, messages)
	}
}
