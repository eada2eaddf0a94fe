package http1

import (
	"bytes"
	"errors"
	"io"
)

var errHeadLimit = errors.New("the head of the response is longer than 1 MiB")

// more reads behind what is in the buffer. It makes the buffer larger if that is full: lines are in one piece.
func (c *Conn) more() error {
	switch {
	case c.r == c.w:
		c.r, c.w = 0, 0
		if len(c.buf) > largeBuffer { // a head was long
			c.buf = make([]byte, largeBuffer)
		}
	case c.w < len(c.buf):
	case c.r > 0:
		c.w = copy(c.buf, c.buf[c.r:c.w])
		c.r = 0
	default:
		larger := make([]byte, 2*len(c.buf))
		copy(larger, c.buf)
		c.buf = larger
	}
	if c.err != nil {
		return c.err
	}
	for range 100 {
		n, err := c.rw.Read(c.buf[c.w:])
		if n > 0 {
			c.w += n
			c.err = err
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// need reads until the buffer has n bytes.
func (c *Conn) need(n int) error {
	for c.w-c.r < n {
		if err := c.more(); err != nil {
			return cutOff(err)
		}
	}
	return nil
}

// line returns the length of the line that begins at an offset in the buffer, with its end. It returns the error tooLong if that
// is more than limit.
func (c *Conn) line(from, limit int, tooLong error) (int, error) {
	seen := from
	for {
		if i := bytes.IndexByte(c.buf[c.r+seen:c.w], '\n'); i >= 0 {
			if size := seen + i + 1 - from; size <= limit {
				return size, nil
			}
			return 0, tooLong
		}
		seen = c.w - c.r
		if seen-from >= limit {
			return 0, tooLong
		}
		if err := c.more(); err != nil {
			return 0, cutOff(err)
		}
	}
}

// cutOff returns the error of a connection that ends within a response.
func cutOff(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// take consumes bytes of a head.
func (c *Conn) take(n int) {
	c.r += n
	c.left -= n
}

// withoutEnd returns a line without LF or CRLF.
func withoutEnd(line []byte) []byte {
	line = line[:len(line)-1]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

func trimLeft(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func trim(b []byte) []byte { return trimLeft(trimRight(b)) }
