//go:build unix

package cli_test

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/cli"
)

// TestDoctorInterrupted: a signal ends tare doctor while it examines the machine.
func TestDoctorInterrupted(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT) // so that one that comes before tare catches it does not end the test
	defer signal.Stop(caught)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
				syscall.Kill(os.Getpid(), syscall.SIGINT)
			}
		}
	}()
	code, out, messages := run("", "doctor", "--duration", "1h")
	close(done)
	if code != 130 || out != "" || !strings.Contains(messages, "interrupt: the machine was not examined to the end") {
		t.Errorf("exit %d, %s%s", code, out, messages)
	}
}

// noRoom is standard output on a disk that is full.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestStdoutFull: a verb whose standard output cannot be written fails, whatever it shows.
func TestStdoutFull(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	out := filepath.Join(t.TempDir(), "x.jsonl")
	golden := func(name string) string { return filepath.Join("testdata", "golden", name+".jsonl") }
	lines := [][]string{
		{"--help"}, {"bench", "--help"}, {"version"}, {"completion", "bash"}, {"doctor", "--duration", "1ms"}, {"doctor", "--duration", "1ms", "--format", "json"},
		{"compare", golden("bench"), golden("bench-two")},
		{"selftest", "--show", golden("selftest")}, {"selftest", "--format", "json", "--show", golden("selftest")},
		{"time", "-o", out, "--runs", "1", "--progress", "none", "--", "true"}, {"time", "-o", out, "--runs", "1", "--progress", "none", "--format", "jsonl", "--", "true"},
		{"load", "-o", out, "--db", "mem", "--workload", "c", "--records", "5", "--operations", "5", "--warmup-duration", "0s", "--progress", "none"},
		{"load", "--db", "mem", "--workload", "c", "--dry-run"}, {"load", "--db", "mem", "--workload", "c", "--dry-run", "--format", "json"},
		{"layout", "--all", "sync/atomic"}, {"layout", "--format", "json", "--all", "sync/atomic"},
		{"hist", golden("load")}, {"hist", "--format", "json", golden("load")}, {"hist", "cut", "--tag", "READ.service", golden("load")},
	}
	for _, format := range []string{"hlog", "csv", "json", "hgrm"} {
		lines = append(lines, []string{"hist", "convert", "--format", format, "--tag", "READ.service", golden("load")})
	}
	for _, format := range []string{"text", "md", "csv", "json", "jsonl", "benchfmt", "jmh"} {
		lines = append(lines, []string{"report", "--format", format, golden("bench")})
	}
	for _, verb := range []string{"asm", "trace", "sample", "contrast"} {
		for _, format := range []string{"text", "json", "jsonl"} {
			lines = append(lines, []string{verb, "--format", format, golden(verb)})
		}
	}
	for _, line := range lines {
		var messages strings.Builder
		code := cli.Main(cli.Config{Bindings: bindings()}, line, strings.NewReader(""), noRoom{}, &messages)
		if code != 1 || !strings.Contains(messages.String(), "no space left on device") || strings.Contains(messages.String(), "goroutine ") {
			t.Errorf("%q: exit %d, %s", line, code, &messages)
		}
	}
}

// TestPipes: every verb that reads a file reads it through a pipe, too.
func TestPipes(t *testing.T) {
	for _, c := range []struct {
		record string
		args   []string
	}{
		{"bench", []string{"report"}}, {"bench-sides", []string{"compare"}}, {"load", []string{"hist"}}, {"load", []string{"hist", "convert", "--format", "csv"}},
		{"asm", []string{"asm"}}, {"trace", []string{"trace"}}, {"sample", []string{"sample"}}, {"contrast", []string{"contrast"}}, {"selftest", []string{"selftest", "--show"}},
	} {
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := syscall.Mkfifo(pipe, 0o666); err != nil {
			t.Fatal(err)
		}
		text := goldenRecord(t, c.record)
		go func() {
			if w, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil { // waits for a reader
				io.WriteString(w, text)
				w.Close()
			}
		}()
		code, out, messages := run("", append(c.args, pipe)...)
		if code != 0 || out == "" {
			t.Errorf("%q: exit %d, %s", c.args, code, messages)
		}
	}
}
