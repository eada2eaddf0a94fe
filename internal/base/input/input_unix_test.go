//go:build unix

package input

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// TestOpenRefuses: what has no content or no end is refused at once, by its name.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]string{
		dir: "is a directory", socket: "is a socket", "/dev/zero": "is a device", pipe: "is a pipe that no process writes to", filepath.Join(dir, "none"): "no such file",
	} {
		f, err := openWithin(path, time.Millisecond)
		if err == nil {
			f.Close()
			t.Errorf("%s: was opened", path)
			continue
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) || exit.As(err).Code != exit.Misuse {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestOpenPipe: a pipe is read if a writer opens it before the time limit.
func TestOpenPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	go func() {
		if w, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
			io.WriteString(w, "text")
			w.Close()
		}
	}()
	in, err := Open(pipe, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if text, err := io.ReadAll(in); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
