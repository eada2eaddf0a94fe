package http1

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// A Conn is a connection to a server, for one request after the other. Only one goroutine at a time may call its methods. Any
// goroutine may close the connection below it, which ends a call.
type Conn struct {
	timed  timed
	secure *tls.Conn     // nil if the connection is plain
	rw     io.ReadWriter // timed or secure
	probe  probe

	buf    []byte
	r, w   int   // buf[r:w] was read and is not consumed
	err    error // came with the last bytes that were read
	head   head
	left   int    // what the heads of this response may still take, in bytes
	folded []byte // a field of several lines, joined
	body   int64  // bytes of this response's body so far
	limit  int64  // of body

	writing  chan error // gets the result of writing a large request; nil if none is being written
	isHead   bool       // the last request has the method HEAD, so that its response has no body
	reusable bool       // the last response is complete, and the connection stays open
}

// Sizes of buffers and limits, in bytes.
const (
	smallBuffer = 8 << 10
	largeBuffer = 64 << 10 // from the first body on that is longer than a small one
	maxHead     = 1 << 20
)

// New returns a plain connection over one that was dialled.
func New(c net.Conn) *Conn {
	conn := &Conn{buf: make([]byte, smallBuffer), reusable: true}
	conn.timed.Conn = c
	conn.rw = &conn.timed
	if s, ok := c.(syscall.Conn); ok {
		conn.probe.init(s)
	}
	return conn
}

// Secure begins TLS on the connection. It returns the error of the handshake.
func (c *Conn) Secure(ctx context.Context, config *tls.Config) error {
	c.secure = tls.Client(&c.timed, config)
	c.rw = c.secure
	return c.secure.HandshakeContext(ctx)
}

// Close closes the connection, and waits until nothing uses the last request any more.
func (c *Conn) Close() error {
	var err error
	if c.secure != nil && c.writing == nil {
		err = c.secure.Close()
	} else {
		err = c.timed.Close()
	}
	if c.writing != nil {
		<-c.writing
		c.writing = nil
	}
	return err
}

// Begin sets when the next request must have been answered, by the clock of Now; 0 means no limit.
func (c *Conn) Begin(until int64) { c.timed.limit(until) }

// Quiet reports whether the server has neither sent anything since the last response nor closed the connection. It takes a
// system call. Where the system does not tell it returns true.
func (c *Conn) Quiet() bool {
	pending := c.probe.pending()
	if c.secure == nil {
		return !pending
	}
	return c.quietTLS(pending)
}

// quietTLS lets package tls handle what has arrived, and what it has read before: that may be a message of TLS itself, or data.
func (c *Conn) quietTLS(pending bool) bool {
	until := Now() - 1 // in the past: Receive does not block
	if pending {
		until += int64(time.Millisecond)
	}
	c.timed.limit(until)
	n, err := c.secure.Read(c.buf)
	var timeout net.Error
	return n == 0 && errors.As(err, &timeout) && timeout.Timeout()
}
