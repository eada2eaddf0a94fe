package redact

import (
	"bytes"
	"io"
	"slices"

	"github.com/tarebench/tare/record"
)

// Lines is a writer of record files that redacts the secrets in each line, as [Line] does. It does not change lines without
// secrets, even if they are malformed. [Lines.Flush] writes a last line without its end.
type Lines struct {
	w    io.Writer
	line []byte // the beginning of a line
}

// NewLines returns a writer that writes to w.
func NewLines(w io.Writer) *Lines { return &Lines{w: w} }

func (l *Lines) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			l.line = append(l.line, rest...)
			break
		}
		line := rest[:end]
		if len(l.line) > 0 {
			line = append(l.line, line...)
			l.line = l.line[:0]
		}
		if _, err := l.w.Write(shownLine(line)); err != nil {
			return 0, err
		}
		rest = rest[end:]
	}
	if len(l.line) > record.MaxLine { // no line of a record
		return len(text), l.Flush()
	}
	return len(text), nil
}

// Flush writes what is left.
func (l *Lines) Flush() error {
	_, err := l.w.Write(shownLine(l.line))
	l.line = nil
	return err
}

// Lines of these kinds may hold a secret in more than the strings of their JSON: a run in its command line, a binary in its
// flags, an attachment in its data, a case in the parts of its name, and all in what programs printed.
var runKind, binKind, attachKind, caseKind = []byte(`{"k":"run",`), []byte(`{"k":"bin",`), []byte(`{"k":"attach",`), []byte(`{"k":"case",`)

// textKeys are the keys of texts in which an assignment may stand: password=x.
var textKeys = [][]byte{[]byte(`"why":"`), []byte(`"tail":"`), []byte(`"text":"`), []byte(`"advice":"`), []byte(`"first":"`)}

func isDecoded(text []byte, changed bool) bool {
	hasText := func(key []byte) bool { return bytes.Contains(text, key) }
	return slices.ContainsFunc(textKeys, hasText) || bytes.HasPrefix(text, attachKind) || bytes.HasPrefix(text, runKind) || bytes.HasPrefix(text, binKind) || changed && bytes.HasPrefix(text, caseKind)
}

func shownLine(text []byte) []byte {
	shown, changed := JSON(text)
	if !isDecoded(text, changed) {
		return shown
	}
	var d record.LineDecoder
	l, err := d.Decode(bytes.TrimRight(text, "\r\n"))
	if err != nil {
		return shown
	}
	var out bytes.Buffer
	if redacted := Line(l); redacted != l && record.NewWriter(&out).Write(redacted) == nil {
		return out.Bytes()
	}
	return shown
}
