package record

import (
	"fmt"
	"io"
	"sync"
)

// keepBuffer is the size in bytes up to which buffers are reused: an attachment of
// megabytes must not stay in memory for the rest of a run.
const keepBuffer = 1 << 20

// A Writer writes the lines of a record file. It is safe for concurrent use.
type Writer struct {
	mu    sync.Mutex
	w     io.Writer
	max   int // MaxLine, less in tests
	buf   []byte
	lines int   // written by this Writer, for messages
	dead  error // error of w, after which nothing is written
	err   error // the first error of any kind
}

// NewWriter returns a Writer to w. It does not buffer. The caller closes w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w, max: MaxLine} }

// Write writes l as one line with one call of the underlying writer's Write, so that
// a crash cuts off at most the last line. It does not keep l.
//
// A run line whose Version is 0 gets [Version]. Invalid UTF-8 in strings is replaced
// by U+FFFD.
//
// After an error of the underlying writer, Write writes no further line, because it
// would be appended to a part of the last one. This and every later Write returns the
// error. For a line that cannot be encoded (nil, longer than [MaxLine], or with NaN in
// a key other than a sample's v) Write returns an error and skips the line; later
// lines are written.
func (w *Writer) Write(l Line) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead != nil {
		return w.dead
	}
	if err := w.encode(l); err != nil {
		return w.fail(fmt.Errorf("writing line %d (%s): %w", w.lines+1, kindName(l), err))
	}
	n, err := w.w.Write(w.buf)
	if err == nil && n < len(w.buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.dead = fmt.Errorf("writing line %d (%s): %w", w.lines+1, l.kind(), err)
		return w.fail(w.dead)
	}
	w.lines++
	return nil
}

// Err returns the first error of any Write, for callers that check once at the end.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *Writer) encode(l Line) error {
	if cap(w.buf) > keepBuffer {
		w.buf = nil
	}
	var err error
	w.buf, err = appendLine(w.buf[:0], l)
	if err == nil && len(w.buf) > w.max {
		err = fmt.Errorf("%w: %d bytes, at most %d", errLong, len(w.buf), w.max)
	}
	return err
}

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return err
}

// kindName is l.kind for messages: l may be nil.
func kindName(l Line) string {
	if l == nil {
		return "nil"
	}
	return l.kind()
}
