package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// A Reader reads the lines of a record file one by one, in memory that does not grow
// with the file. It is for one goroutine.
type Reader struct {
	name    string
	scan    scanner
	samples sampleDecoder
	begun   bool  // the run line was read
	whole   int64 // see Whole
	skipped int
	glued   []byte // a run line that was found behind a line that was cut off
	end     error  // returned by all further calls
}

// NewReader returns a Reader of r. Error messages begin with the name, which is
// usually that of a file.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{name: name, scan: newScanner(r)}
}

// Next returns the next line. Lines of unknown kinds and blank lines are skipped. The
// caller may keep and change the line. Samples share blocks of memory: copy them to
// keep a few of a large file.
//
// After a [*SyntaxError] the next call returns the next line, unless it is about a line
// of which the end was not found within 1 GiB. Every other error is
// final and returned by all later calls: io.EOF at the end of a file whose
// last line is whole, with or without its newline; [*TruncatedError] at the end
// of one whose last line is cut off; [*NotRecordError] and [*VersionError] for a
// file that cannot be read; and what the input itself returned.
//
// A run line that is not the first, as in concatenated files, is returned like any
// other line.
func (r *Reader) Next() (Line, error) {
	for r.end == nil {
		if text := r.glued; text != nil {
			r.glued = nil
			return r.line(text, true)
		}
		text, ended, err := r.scan.next()
		if err != nil {
			return nil, r.failed(err)
		}
		if !r.begun {
			if l, err := r.first(text, ended); l != nil || err != nil {
				return l, err
			}
			continue
		}
		l, err := r.line(text, ended)
		if err != nil && r.unglue(text) {
			return nil, r.syntax(errors.New("line is cut off, and another run begins behind it"))
		}
		if l != nil || err != nil {
			return l, err
		}
	}
	return nil, r.end
}

// All returns an iterator over the lines. It yields errors with a nil line: any
// number of [*SyntaxError], and at most one other, as the last element; never io.EOF.
func (r *Reader) All() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for {
			l, err := r.Next()
			if err == io.EOF || !yield(l, err) || r.end != nil {
				return
			}
		}
	}
}

// Pos returns the name of the input and the number of the last line read, for
// messages about that line.
func (r *Reader) Pos() (name string, line int) { return r.name, r.scan.number }

// Whole returns how many bytes of the input, up to and including the last line read,
// are whole lines: ended by a newline, or a last line that lacks only the newline. To
// append to a file that ends in a cut-off line, use [OpenAppend].
func (r *Reader) Whole() int64 { return r.whole }

// Skipped returns how many lines of unknown kinds were skipped.
func (r *Reader) Skipped() int { return r.skipped }

// first reads lines up to the run line. It returns nil for a blank line.
func (r *Reader) first(text []byte, ended bool) (Line, error) {
	if r.scan.number == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff")) // byte order mark of some editors on Windows
	}
	if blank(text) {
		r.pass(ended)
		if r.scan.offset > int64(r.scan.max) {
			return nil, r.notRecord("a text of nothing but space")
		}
		return nil, nil
	}
	kind, err := kindOf(text)
	if err != nil || kind != "run" {
		if !ended && cutRun(text) {
			return nil, r.truncated(len(text))
		}
		return nil, r.notRecord(sniff(r.scan.head(text)))
	}
	l, err := r.decode(kind, text)
	if err != nil {
		if _, ok := errors.AsType[*VersionError](err); ok {
			r.end = err
			return nil, err
		}
		if !ended && !json.Valid(text) {
			return nil, r.truncated(len(text))
		}
		return nil, r.notRecord("a damaged " + err.Error())
	}
	r.begun, r.scan.first = true, false
	r.whole = r.scan.offset
	return l, nil
}

// line reads any line but the first. It returns nil for a line to skip.
func (r *Reader) line(text []byte, ended bool) (Line, error) {
	if s := r.samples.decode(text); s != nil {
		r.whole = r.scan.offset
		return s, nil
	}
	if blank(text) {
		r.pass(ended)
		return nil, nil
	}
	if !ended && !json.Valid(text) {
		return nil, r.truncated(len(text))
	}
	r.whole = r.scan.offset
	kind, err := kindOf(text)
	if err != nil {
		return nil, r.syntax(err)
	}
	l, err := r.decode(kind, text)
	if err != nil {
		if _, ok := errors.AsType[*VersionError](err); ok {
			r.end = err
			return nil, err
		}
		return nil, r.syntax(err)
	}
	if l == nil {
		r.skipped++
	}
	return l, nil
}

// unglue searches for a run line behind a line that was cut off, as in a file to which
// another one was appended. If there is one it is the next line.
func (r *Reader) unglue(text []byte) bool {
	at := bytes.LastIndex(text, []byte(`{"k":"run",`))
	if at <= 0 || !json.Valid(text[at:]) {
		return false
	}
	r.glued, r.end, r.whole = bytes.Clone(text[at:]), nil, r.scan.offset
	return true
}

// decode decodes a line by reflection. It returns nil if its kind is unknown.
func (r *Reader) decode(kind string, text []byte) (Line, error) {
	l := newLine(kind)
	if l == nil {
		if !json.Valid(text) {
			return nil, decodeError(kind, json.Unmarshal(text, new(any)))
		}
		return nil, nil
	}
	if kind == "run" {
		v, written, by := versionOf(text)
		if v > Version {
			return nil, &VersionError{Name: r.name, Line: r.scan.number, Version: v, Written: written, Tare: by}
		}
	}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, decodeError(kind, err)
	}
	if x, ok := l.(interface{ possible() error }); ok {
		if err := x.possible(); err != nil {
			return nil, fmt.Errorf("%s line: %w", kind, err)
		}
	}
	if run, ok := l.(*Run); ok && run.Version < 1 {
		return nil, errors.New("run line: no format version")
	}
	return l, nil
}

// pass skips a blank line. A final blank line without a newline does not count in Whole.
func (r *Reader) pass(ended bool) {
	if ended {
		r.whole = r.scan.offset
	}
}

// failed returns the error of Next for an error of the scanner, with the name of the input and the line. A line
// that is too long is a SyntaxError; other errors are final.
func (r *Reader) failed(err error) error {
	switch {
	case err == errTooLong && r.begun:
		r.whole = r.scan.offset
		return r.syntax(fmt.Errorf("line is longer than %d bytes, which no record has", r.scan.max))
	case err == errEndless:
		r.end = r.syntax(fmt.Errorf("line is longer than %d bytes, which no record has; nothing behind it was read", maxSkipped*int64(r.scan.max)))
	case err == errTooLong || err == io.ErrUnexpectedEOF && !r.begun:
		return r.notRecord(fmt.Sprintf("a first line longer than %d bytes", r.scan.max))
	case err == io.ErrUnexpectedEOF:
		return r.truncated(int(r.scan.offset - r.whole))
	case err == io.EOF && !r.begun:
		return r.notRecord("an empty file")
	case err == io.EOF:
		r.end = io.EOF
	default:
		r.end = fmt.Errorf("%s:%d: %w", r.name, r.scan.number, err)
	}
	return r.end
}

func (r *Reader) syntax(err error) error {
	return &SyntaxError{Name: r.name, Line: r.scan.number, Text: err.Error()}
}

func (r *Reader) truncated(n int) error {
	r.end = &TruncatedError{Name: r.name, Line: r.scan.number, Bytes: int64(n)}
	return r.end
}

func (r *Reader) notRecord(found string) error {
	r.end = &NotRecordError{Name: r.name, Line: r.scan.number, Found: found}
	return r.end
}
