package joblog

import (
	"bytes"
	"io"
)

// Writer writes a stream of which no line is a command for a service of continuous integration. It puts a backslash
//
//   - before the second colon of a line that begins with two colons. The service ignores blanks at the beginning of a line. To be
//     safe, all bytes but printable ASCII count as blanks there, and so do color sequences of terminals;
//   - before the bracket of ##[ and ##word[, anywhere in a line;
//   - before the colon of the marks of sections: section_start:, section_end:, travis_fold: and travis_time:.
//
// Output that begins with a brace or a bracket is JSON. There an escape (\u005b) replaces the character, so that decoding
// gives the original text. Other bytes stay as they are. How the text is split into calls of Write does not matter. A line
// ends at a line feed or at a carriage return.
type Writer struct {
	w     io.Writer
	begun bool // something was written
	own   bool // lines that begin with two colons are commands of tare's own
	json  bool
	line  line
	out   bytes.Buffer
}

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

func (w *Writer) Write(text []byte) (int, error) {
	w.out.Reset()
	for _, c := range text {
		if !w.begun && c > ' ' {
			w.begun, w.json = true, c == '{' || c == '['
		}
		switch {
		case !w.line.commands(c, w.own):
			w.out.WriteByte(c)
		case w.json:
			w.out.WriteString(jsonEscape[c])
		default:
			w.out.WriteByte('\\')
			w.out.WriteByte(c)
		}
	}
	if _, err := w.w.Write(w.out.Bytes()); err != nil {
		return 0, err
	}
	if w.out.Cap() > maxKept {
		w.out = bytes.Buffer{}
	}
	return len(text), nil
}

// maxKept is the largest buffer that is used again, in bytes.
const maxKept = 1 << 20

var jsonEscape = map[byte]string{':': `\u003a`, '[': `\u005b`}

// Fd returns the descriptor of the file that is written to, or an invalid descriptor if the output is not a file.
func (w *Writer) Fd() uintptr {
	if f, ok := w.w.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// line is what is known of the beginning of a line. The zero value is an empty line.
type line struct {
	visible bool // something was seen that is not blank
	colon   bool // all that was seen is a colon
	hashes  int  // at the end, also with a word behind them
	word    bool // behind two hashes
	escape  escape
	tail    [len(longestMark)]byte // the last bytes
}

// escape is a place in a sequence for a terminal.
type escape uint8

const (
	noEscape   escape = iota
	escapeByte        // ESC was seen
	sequence          // ESC and [ were seen
)

// commands adds a byte to the line and reports whether it would complete what may be a command. With own, a line that
// begins with two colons is not reported, because it is a command of tare.
func (l *line) commands(c byte, own bool) bool {
	if c == '\n' || c == '\r' {
		*l = line{}
		return false
	}
	found := l.hashed(c)
	copy(l.tail[:], l.tail[1:])
	l.tail[len(l.tail)-1] = c
	colons := l.colons(c) && !own
	return l.marks(c) || colons || found
}

// colons reports whether c is the second of two colons that begin the line.
func (l *line) colons(c byte) bool {
	if l.visible || l.escaped(c) || c <= ' ' || c > '~' {
		return false
	}
	second := c == ':' && l.colon
	l.colon = c == ':' && !l.colon
	l.visible = !l.colon
	return second
}

// escaped reports whether c belongs to a sequence for a terminal.
func (l *line) escaped(c byte) bool {
	switch {
	case c == 0x1b:
		l.escape = escapeByte
	case l.escape == escapeByte && c == '[':
		l.escape = sequence
	case l.escape == sequence && (c >= '0' && c <= '9' || c == ';' || c == '?'):
	case l.escape == sequence && c >= '@':
		l.escape = noEscape
	default:
		l.escape = noEscape
		return false
	}
	return true
}

// hashed reports whether c is the bracket of ##[ or ##word[.
func (l *line) hashed(c byte) bool {
	switch {
	case c == '#' && l.word:
		l.hashes, l.word = 1, false
	case c == '#':
		l.hashes++
	case l.hashes >= 2 && c == '[':
		l.hashes, l.word = 0, false
		return true
	case l.hashes >= 2 && isWord(c):
		l.word = true
	default:
		l.hashes, l.word = 0, false
	}
	return false
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

const longestMark = "section_start:"

var sectionMarks = [][]byte{[]byte(longestMark), []byte("section_end:"), []byte("travis_fold:"), []byte("travis_time:")}

// marks reports whether c, the last byte of the tail, completes the mark of a section.
func (l *line) marks(c byte) bool {
	if c != ':' {
		return false
	}
	for _, m := range sectionMarks {
		if bytes.HasSuffix(l.tail[:], m) {
			return true
		}
	}
	return false
}
