package fork

import (
	"bytes"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/clock"
)

// Bounds on what is kept of a process's output. Result lines are kept all.
const (
	maxLine   = 64 << 10 // a longer line is cut
	tailLines = 20
	tailBytes = 4 << 10
)

// line is one line of output with the time at which its end arrived.
type line struct {
	text string
	t    int64 // CLOCK_MONOTONIC ns
}

// output collects what a process prints. Only lines that may matter are kept:
// those with the word Benchmark, those that end as a result does, and the tail.
type output struct {
	lines   []line
	tail    []string
	pending []byte
	first   int64 // arrival of the first byte
	last    int64 // arrival of the last byte
	bytes   int64
	onLine  func() // called after each kept line, may be nil
}

// read consumes r until its end. The buffer is allocated up front, so that
// reading costs no garbage while the child measures.
func (o *output) read(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			o.add(buf[:n], clock.Now())
		}
		if err != nil {
			o.flush()
			return
		}
	}
}

func (o *output) add(b []byte, now int64) {
	if o.bytes == 0 {
		o.first = now
	}
	o.bytes += int64(len(b))
	o.last = now
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			o.hold(b)
			return
		}
		o.hold(b[:i])
		o.take(now)
		b = b[i+1:]
	}
}

// hold keeps the beginning of a line whose end has not come, or its end if it
// grows too long: a result stands at the end of its line.
func (o *output) hold(b []byte) {
	o.pending = append(o.pending, b...)
	if over := len(o.pending) - maxLine; over > 0 {
		o.pending = append(o.pending[:0], o.pending[over:]...)
	}
}

func (o *output) flush() {
	if len(o.pending) > 0 {
		o.take(o.last)
	}
}

func (o *output) take(now int64) {
	text := string(bytes.TrimSuffix(o.pending, []byte("\r")))
	o.pending = o.pending[:0]
	if len(o.tail) == tailLines {
		copy(o.tail, o.tail[1:])
		o.tail = o.tail[:tailLines-1]
	}
	o.tail = append(o.tail, text)
	if telling(text) {
		o.lines = append(o.lines, line{text, now})
		if o.onLine != nil {
			o.onLine()
		}
	}
}

// telling reports whether a line may name a benchmark, hold a result or tell of
// a failure.
func telling(s string) bool {
	return strings.Contains(s, "Benchmark") || result.MatchString(s) || strings.HasPrefix(s, "panic:") || strings.HasPrefix(s, "fatal error:")
}

// end is the tail as one string of bounded size.
func (o *output) end() string {
	s := strings.ToValidUTF8(strings.Join(o.tail, "\n"), "\uFFFD")
	if len(s) > tailBytes {
		s = "…" + strings.ToValidUTF8(s[len(s)-tailBytes:], "")
	}
	return strings.TrimRight(s, "\n ")
}
