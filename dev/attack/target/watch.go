package target

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Kept is how many bytes of an output are kept.
const Kept = 2 << 20

// brief is how many of them a worker passes on.
const brief = 8 << 10

// watch is an output of which the beginning is kept and all is searched for control characters.
type watch struct {
	head []byte
	raw  string // the first control character with what is around it
	rest []byte // the last bytes, which may be the first of a character
	size int64
}

func (w *watch) Write(p []byte) (int, error) {
	w.size += int64(len(p))
	if room := Kept - len(w.head); room > 0 {
		w.head = append(w.head, p[:min(room, len(p))]...)
	}
	if w.raw == "" {
		text := append(w.rest, p...)
		w.raw = control(text)
		w.rest = bytes.Clone(text[len(text)-min(len(text), utf8.UTFMax-1):])
	}
	return len(p), nil
}

// control finds what a terminal would obey: C0 and C1 controls, and delete. Ends of lines and
// tabs are text.
func control(text []byte) string {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if (r < 0x20 && r != '\n' && r != '\t') || (r >= 0x7f && r < 0xa0) {
			return fmt.Sprintf("%q", text[max(0, i-30):min(len(text), i+10)])
		}
		i += size
	}
	return ""
}
