package fork

import (
	"bytes"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/clock"
)

// Bounds on what is kept of a process's output.
const (
	maxLine   = 64 << 10 // of a longer line the middle is cut out
	headLine  = 4 << 10  // and so much of its beginning is kept
	tailLines = 20
	tailBytes = 4 << 10
)

// output reads what a process prints: it cuts it into lines, has each looked at
// by the parser and keeps the tail for people to read. Its memory is bounded,
// whatever the process prints.
type output struct {
	parser
	tail    [tailLines][]byte // a ring; its buffers are used again
	taken   int               // lines so far
	pending []byte            // a line whose end has not come
	onLine  func(text []byte) // gets each line; may be nil
	last    int64             // arrival of the last byte, CLOCK_MONOTONIC ns
}

// read consumes r until its end or an error. The buffer is allocated up front,
// so that reading costs little garbage while the child measures.
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
	o.last = now
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			o.hold(b)
			return
		}
		o.hold(b[:i])
		o.take()
		b = b[i+1:]
	}
}

// hold keeps a line whose end has not come. If it grows too long its middle
// goes: a name stands at the beginning of a line, a result at the end.
func (o *output) hold(b []byte) {
	o.pending = append(o.pending, b...)
	if over := len(o.pending) - maxLine; over > 0 {
		o.pending = append(o.pending[:headLine], o.pending[headLine+over:]...)
	}
}

// flush takes a last line that nothing ended.
func (o *output) flush() {
	if len(o.pending) > 0 {
		o.take()
	}
}

func (o *output) take() {
	text := bytes.TrimSuffix(o.pending, []byte("\r"))
	o.line(text, o.last)
	o.keep(text)
	if o.onLine != nil {
		o.onLine(text)
	}
	o.pending = o.pending[:0]
}

// keep puts a line into the tail. Of one that is longer than tailBytes the end
// will be shown, and so much that it is seen to be cut.
func (o *output) keep(text []byte) {
	slot := &o.tail[o.taken%tailLines]
	o.taken++
	*slot = append((*slot)[:0], text[max(0, len(text)-tailBytes-1):]...)
}

// end is the tail as one string of bounded size and valid UTF-8.
func (o *output) end(mask func(string) string) string {
	var lines []string
	for i := max(0, o.taken-tailLines); i < o.taken; i++ {
		lines = append(lines, string(o.tail[i%tailLines]))
	}
	const gap = "…"
	s := strings.ToValidUTF8(strings.Join(lines, "\n"), "\uFFFD")
	if mask != nil {
		s = mask(s) // before it is cut: half a secret is one too
	}
	if len(s) > tailBytes {
		s = gap + strings.ToValidUTF8(s[len(s)-tailBytes+len(gap):], "")
	}
	return strings.TrimRight(s, "\n ")
}
