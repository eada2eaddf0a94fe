package redis

import (
	"fmt"
	"math"
	"net"

	"github.com/tarebench/tare/load"
)

// Limits of what a server may announce: the client library allocates as much before any of it arrives.
const (
	maxElements = 1 << 20   // of an answer's arrays, yet to come; a scan has a few thousand
	maxString   = 512 << 20 // bytes; Redis's own limit
	maxLine     = 1 << 20   // bytes of a line, such as an error
	maxDepth    = 32        // of arrays in arrays, for which the client library calls itself
)

// bounded is a connection on which Read fails before the end of a header that announces more than the limits. The bytes
// before that are read as they are.
type bounded struct {
	net.Conn
	headers
	exceeded error // the first of them
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.exceeded != nil {
		return 0, b.exceeded
	}
	n, err := b.Conn.Read(p)
	good, exceeded := b.follow(p[:n])
	if exceeded != nil {
		b.exceeded = load.WithClass(load.ClassProtocol, exceeded)
		return good, b.exceeded
	}
	return n, err
}

// headers follows the headers of a server's answers, *N of arrays and $N of strings, in RESP version 2. What is malformed
// is left to the client library, which then gives the connection up.
type headers struct {
	line    int             // bytes of the line so far
	kind    byte            // the first of them
	null    bool            // the number in the line is negative
	number  int64           // in the line; at least MaxInt64/10 if it has no room
	skip    int64           // bytes of a string yet to come
	tail    bool            // the line is the end of a string
	pending int64           // elements yet to come
	depth   int             // of arrays
	left    [maxDepth]int64 // elements yet to come of each array, the outermost first
}

// follow returns how many bytes may be read: all of them, or those before the one that completes what exceeds a limit, and
// which limit.
func (h *headers) follow(p []byte) (int, error) {
	for i := 0; i < len(p); {
		if h.skip > 0 {
			n := min(h.skip, int64(len(p)-i))
			h.skip -= n
			i += int(n)
			continue
		}
		if err := h.next(p[i]); err != nil {
			return i, err
		}
		i++
	}
	return len(p), nil
}

// next takes a byte of a line.
func (h *headers) next(b byte) error {
	switch {
	case b == '\n':
		return h.endLine()
	case h.line == maxLine:
		return fmt.Errorf("the server sends a line of more than %d bytes: is it Redis?", maxLine)
	case h.line == 0:
		h.kind = b
	case h.line == 1 && b == '-':
		h.null = true
	case b >= '0' && b <= '9' && h.number < math.MaxInt64/10:
		h.number = 10*h.number + int64(b-'0')
	}
	h.line++
	return nil
}

func (h *headers) endLine() error {
	kind, n, header := h.kind, h.number, !h.tail && !h.null
	switch h.line, h.kind, h.number, h.null, h.tail = 0, 0, 0, false, false; {
	case header && kind == '*' && n > 0:
		return h.array(n)
	case header && kind == '$':
		if n > maxString {
			return fmt.Errorf("the server announces a string of %d bytes: is it Redis?", n)
		}
		h.skip, h.tail = n, true
		return nil
	}
	h.endValue()
	return nil
}

func (h *headers) array(n int64) error {
	switch {
	case n > maxElements-h.pending:
		return fmt.Errorf("the server announces an array of %d elements: is it Redis?", n)
	case h.depth == maxDepth:
		return fmt.Errorf("the server announces more than %d arrays in each other: is it Redis?", maxDepth)
	}
	h.left[h.depth] = n
	h.depth++
	h.pending += n
	return nil
}

// endValue ends a value, and the arrays whose last element it is.
func (h *headers) endValue() {
	for h.depth > 0 {
		h.pending--
		last := &h.left[h.depth-1]
		if *last--; *last > 0 {
			return
		}
		h.depth--
	}
}
