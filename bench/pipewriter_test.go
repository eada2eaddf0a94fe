//go:build unix

package bench

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// TestPipeUnheard has listeners that are none: benchmarks end well, and soon.
func TestPipeUnheard(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	full, fullEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	defer fullEnd.Close()
	fill(t, fullEnd)
	r.Close()
	for _, tt := range []struct {
		name string
		fd   string
		file *os.File
	}{
		{"no reader", "3", w},
		{"full", "3", fullEnd},
		{"a file", "3", file},
		{"not open", "77", file},
		{"standard output", "1", file},
		{"no number", "x", file},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := command("^BenchmarkPipe$/^(run|sample)$", "-test.benchtime=5ms", "-test.count=2")
			cmd.Env = append(cmd.Env, pipeVar+"="+tt.fd)
			cmd.ExtraFiles = []*os.File{tt.file}
			out := runCommand(t, cmd)
			if out.code != 0 || len(out.results("BenchmarkPipe/run")) != 2 || len(out.results("BenchmarkPipe/sample")) != 2 {
				t.Errorf("status %d:\n%s", out.code, out.out)
			}
			if strings.Contains(out.out, `"k":`) {
				t.Errorf("record lines on standard output:\n%s", out.out)
			}
			if out.took > 10*time.Second {
				t.Errorf("took %v", out.took)
			}
		})
	}
	if st, err := file.Stat(); err != nil || st.Size() > 0 {
		t.Errorf("something was written to a file: %v, %v", st.Size(), err)
	}
}

func fill(t *testing.T, w *os.File) {
	t.Helper()
	if err := w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4096, 1} {
		for {
			if _, err := w.Write(make([]byte, size)); err != nil {
				break
			}
		}
		w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	}
}

// TestSendMuch sends more than a pipe holds, to one who reads slowly.
func TestSendMuch(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text := bytes.Repeat([]byte("0123456789abcde\n"), 1<<14) // 256 KB
	got := make(chan []byte)
	go func() {
		var all []byte
		buf := make([]byte, 10_000)
		for {
			n, err := r.Read(buf)
			all = append(all, buf[:n]...)
			if err != nil {
				break
			}
		}
		got <- all
	}()
	fd := int(w.Fd())
	if !openPipe(fd) || !send(fd, text, time.Now().Add(10*time.Second)) {
		t.Error("was not sent")
	}
	w.Close()
	if all := <-got; !bytes.Equal(all, text) {
		t.Errorf("%d of %d bytes came", len(all), len(text))
	}
}
