package fork

import (
	"bytes"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/base/clock"
)

// Bounds on what is kept of a process's output.
const (
	maxLine   = 64 << 10 // the middle of a longer line is removed
	headLine  = 4 << 10  // bytes kept of its beginning
	tailLines = 20
	tailBytes = 4 << 10
)

// output reads what a process prints, passes each line to the parser and keeps the last lines for people. Its
// memory is bounded.
type output struct {
	parser
	tail    [tailLines][]byte // a ring of reused buffers
	taken   int               // lines so far
	pending []byte            // a line whose end has not come
	onLine  func(text []byte) // is called with each line; may be nil
	last    int64             // arrival of the last byte, CLOCK_MONOTONIC ns
	meter   meter
}

// read reads r until its end or an error. It allocates its buffer first, to produce little garbage while the
// child measures.
func (o *output) read(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			o.meter.read()
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
			o.appendPending(b)
			return
		}
		o.appendPending(b[:i])
		o.endLine()
		b = b[i+1:]
	}
}

// appendPending appends to the unfinished line. If it grows too long its middle is removed, because a name
// stands at the beginning of a line and a result at the end.
func (o *output) appendPending(b []byte) {
	o.pending = append(o.pending, b...)
	if over := len(o.pending) - maxLine; over > 0 {
		o.pending = append(o.pending[:headLine], o.pending[headLine+over:]...)
	}
}

// flush handles a last line without a line end.
func (o *output) flush() {
	if len(o.pending) > 0 {
		o.endLine()
	}
}

func (o *output) endLine() {
	text := bytes.TrimSuffix(o.pending, []byte("\r"))
	known := len(o.results)
	o.line(text, o.last)
	o.meter.add(o.results, known, o.last)
	o.addTail(text)
	if o.onLine != nil {
		o.onLine(text)
	}
	o.pending = o.pending[:0]
}

// addTail adds a line to the tail. Of a line longer than tailBytes it keeps the end, with one byte more to show
// that it was cut. Secrets in such a line are replaced before that, as half of one is not found.
func (o *output) addTail(text []byte) {
	if len(text) > tailBytes && o.mask != nil {
		text = []byte(o.mask(string(text)))
	}
	slot := &o.tail[o.taken%tailLines]
	o.taken++
	*slot = append((*slot)[:0], text[max(0, len(text)-tailBytes-1):]...)
}

// tailText returns the tail as valid UTF-8 of at most tailBytes, without secrets.
func (o *output) tailText() string {
	var lines []string
	for i := max(0, o.taken-tailLines); i < o.taken; i++ {
		lines = append(lines, string(o.tail[i%tailLines]))
	}
	const gap = "…"
	s := o.mask.text(strings.ToValidUTF8(strings.Join(lines, "\n"), "\uFFFD"))
	if len(s) > tailBytes {
		s = gap + strings.ToValidUTF8(s[len(s)-tailBytes+len(gap):], "")
	}
	return strings.TrimRight(s, "\n ")
}
