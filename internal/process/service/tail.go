package service

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// How much of an output is kept: its beginning and its end.
const (
	keepFirst = 16 << 10
	keepLast  = 48 << 10
)

// Tail keeps the first and the last of what is written to it. The zero value is ready.
type Tail struct {
	mu      sync.Mutex
	first   []byte
	rest    []byte // at most twice keepLast
	dropped int64
}

func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if room := keepFirst - len(t.first); room > 0 {
		k := min(room, len(b))
		t.first, b = append(t.first, b[:k]...), b[k:]
	}
	t.rest = append(t.rest, b...)
	if len(t.rest) > 2*keepLast {
		cut := len(t.rest) - keepLast
		t.dropped += int64(cut)
		t.rest = append(t.rest[:0], t.rest[cut:]...)
	}
	return n, nil
}

// String returns the lines that are kept. It leaves out lines that were cut, because they may contain a part of a secret,
// which the redaction would not recognise.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dropped == 0 {
		return string(t.first) + string(t.rest)
	}
	first := t.first[:bytes.LastIndexByte(t.first, '\n')+1]
	rest := t.rest[bytes.IndexByte(t.rest, '\n')+1:]
	if len(rest) == len(t.rest) {
		rest = nil
	}
	left := t.dropped + int64(len(t.first)-len(first)+len(t.rest)-len(rest))
	return fmt.Sprintf("%s… %d bytes left out …\n%s", first, left, rest)
}

// Last returns the last lines in one.
func (t *Tail) Last() string {
	const most = 3
	lines := strings.FieldsFunc(t.String(), func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.Join(lines[max(0, len(lines)-most):], " / ")
}
