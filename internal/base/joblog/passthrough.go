package joblog

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"
)

// Passthrough returns the file that a process is to write to if its output goes to f unchanged. It is f itself, and in a
// job a pipe, whose lines are copied to f through a [Writer]. The caller calls done when the process has ended. done
// returns when all was copied, or after leftBehind if a child of the ended process still has the pipe open.
func Passthrough(getenv func(string) string, f *os.File) (w *os.File, done func(), err error) {
	if !inJob(getenv) {
		return f, func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("a pipe for the output of a process: %w", err)
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		copyLines(NewWriter(f), r)
	}()
	return w, func() {
		w.Close()
		r.SetReadDeadline(time.Now().Add(leftBehind))
		<-copied
		r.Close()
	}, nil
}

const leftBehind = 200 * time.Millisecond

// copyLines writes whole lines: the parts of two streams that end in the same pipe make no command together. A line beyond
// 64 KiB is written in parts.
func copyLines(w io.Writer, r io.Reader) {
	b := bufio.NewReaderSize(r, 64<<10)
	for {
		text, err := b.ReadSlice('\n')
		if len(text) > 0 {
			w.Write(text) // an error is ignored: the process goes on without a reader
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}
