package http1

import (
	"errors"
	"io"
)

// ErrLimit is the error of a body that is longer than its limit.
var ErrLimit = errors.New("the body is longer than its limit")

// skipBody reads a body to its end.
func (c *Conn) skipBody(kind framing, length int64) error {
	switch kind {
	case sized:
		return c.skip(uint64(length))
	case chunked:
		return c.skipChunks()
	case untilClose:
		return c.skipAll()
	}
	return nil
}

// skip reads n bytes of the body.
func (c *Conn) skip(n uint64) error {
	for n > 0 {
		if c.r == c.w {
			if n > uint64(len(c.buf)) {
				c.enlarge()
			}
			if err := c.more(); err != nil {
				return cutOff(err)
			}
		}
		some := min(n, uint64(c.w-c.r))
		n -= some
		if err := c.count(int(some)); err != nil {
			return err
		}
	}
	return nil
}

// skipAll reads until the server closes the connection.
func (c *Conn) skipAll() error {
	for {
		if err := c.count(c.w - c.r); err != nil {
			return err
		}
		if c.body > int64(len(c.buf)) {
			c.enlarge()
		}
		if err := c.more(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// enlarge makes the buffer large: fewer system calls read a long body. The buffer must be empty.
func (c *Conn) enlarge() {
	if len(c.buf) < largeBuffer {
		c.buf = make([]byte, largeBuffer)
	}
}

// count consumes n bytes of the body.
func (c *Conn) count(n int) error {
	c.r += n
	c.body += int64(n)
	if c.body > c.limit {
		return ErrLimit
	}
	return nil
}
