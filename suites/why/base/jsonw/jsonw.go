// Package jsonw writes JSON without reflection.
package jsonw

import "strconv"

// A Writer appends JSON to a buffer. The zero value is ready to use.
type Writer struct {
	buf   []byte
	comma bool
}

// Bytes returns what was written, which is valid until the next Reset.
func (w *Writer) Bytes() []byte { return w.buf }

// Reset empties the buffer and keeps it.
func (w *Writer) Reset() {
	w.buf = w.buf[:0]
	w.comma = false
}

// Open begins an object.
func (w *Writer) Open() {
	w.separate()
	w.buf = append(w.buf, '{')
	w.comma = false
}

// Close ends an object.
func (w *Writer) Close() {
	w.buf = append(w.buf, '}')
	w.comma = true
}

// Key writes the key of the value that follows.
func (w *Writer) Key(k string) {
	w.separate()
	w.quote(k)
	w.buf = append(w.buf, ':')
	w.comma = false
}

// String writes a string.
func (w *Writer) String(s string) {
	w.separate()
	w.quote(s)
	w.comma = true
}

// Int writes an integer.
func (w *Writer) Int(n int64) {
	w.separate()
	w.buf = strconv.AppendInt(w.buf, n, 10)
	w.comma = true
}

func (w *Writer) separate() {
	if w.comma {
		w.buf = append(w.buf, ',')
	}
}

const digits = "0123456789abcdef"

// quote writes a string with quotes around it.
func (w *Writer) quote(s string) {
	w.buf = append(w.buf, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if plain(c) {
			continue
		}
		w.buf = append(w.buf, s[start:i]...)
		w.escape(c)
		start = i + 1
	}
	w.buf = append(w.buf, s[start:]...)
	w.buf = append(w.buf, '"')
}

// plain reports whether a byte stands for itself.
func plain(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }

func (w *Writer) escape(c byte) {
	switch c {
	case '"', '\\':
		w.buf = append(w.buf, '\\', c)
	case '\n':
		w.buf = append(w.buf, '\\', 'n')
	default:
		w.buf = append(w.buf, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
	}
}
