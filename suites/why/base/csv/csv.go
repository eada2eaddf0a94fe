// Package csv splits lines of comma-separated values.
package csv

import "bytes"

// A Reader returns the records of a text. The zero value reads an empty text.
type Reader struct {
	rest   []byte
	fields [][]byte
	plain  []byte // quoted fields without their quotes
}

// Reset has the reader read text, and keeps its buffers.
func (r *Reader) Reset(text []byte) { r.rest = text }

// Next returns the fields of the next record, and false after the last one. They are valid until the next call.
func (r *Reader) Next() ([][]byte, bool) {
	if len(r.rest) == 0 {
		return nil, false
	}
	line := r.line()
	r.fields = r.fields[:0]
	r.plain = r.plain[:0]
	for {
		field, rest, more := r.field(line)
		r.fields = append(r.fields, field)
		if !more {
			return r.fields, true
		}
		line = rest
	}
}

// line removes the first line from the text and returns it.
func (r *Reader) line() []byte {
	i := bytes.IndexByte(r.rest, '\n')
	if i < 0 {
		line := r.rest
		r.rest = nil
		return line
	}
	line := r.rest[:i]
	r.rest = r.rest[i+1:]
	return line
}

// field returns the first field of a line, and what is behind its comma if it has one.
func (r *Reader) field(line []byte) (field, rest []byte, more bool) {
	if len(line) > 0 && line[0] == '"' {
		return r.quoted(line[1:])
	}
	for i, c := range line {
		if c == ',' {
			return line[:i], line[i+1:], true
		}
	}
	return line, nil, false
}

// quoted returns the field that ends at the next quote that is not doubled.
func (r *Reader) quoted(line []byte) (field, rest []byte, more bool) {
	start := len(r.plain)
	for i := 0; i < len(line); i++ {
		if line[i] != '"' {
			r.plain = append(r.plain, line[i])
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			r.plain = append(r.plain, '"')
			i++
			continue
		}
		field = r.plain[start:]
		if i+1 < len(line) {
			return field, line[i+2:], true
		}
		return field, nil, false
	}
	return r.plain[start:], nil, false
}
