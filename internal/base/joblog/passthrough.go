package joblog

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"
)

// Passthrough returns the file that a process is to write to whose output goes to f as it is: f itself, and in a job a pipe,
// from which what it writes is copied to f through a [Writer], line by line. The caller calls done when the process has
// ended; it returns when all was copied. A process that the ended one has left behind holds up nobody for longer than
// leftBehind.
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
			w.Write(text) // if nobody reads it, the process may go on
		}
		if err != nil && err != bufio.ErrBufferFull {
			return
		}
	}
}
