package http1

import "time"

// A Request is written as it is. Its bytes must not change until Settle has returned.
type Request struct {
	First []byte // head and body, or their beginning
	Rest  []byte // what follows of a large body; written while the response is read, because a server may answer early
	Head  bool   // the method is HEAD
}

// MaxFirst is the limit of First, in bytes. The rest of a body belongs into Rest, because a server may answer before it reads more.
const MaxFirst = 16 << 10

// piece is how many bytes of Rest are written at once. Smaller writes keep the count of bytes sent up to date.
const piece = 256 << 10

// A Response is what was received.
type Response struct {
	Status int   // 0 if its head did not come
	Body   int64 // length in bytes, without what chunks take
}

const switchingProtocols = 101

// Send writes a request. One with a Rest is written by another goroutine, while the response is read. If that fails, so does Wait or
// Receive, because the response does not come.
func (c *Conn) Send(q *Request) error {
	c.reusable, c.isHead = false, q.Head
	if len(q.Rest) > 0 {
		c.writing = make(chan error, 1)
		go c.write(q.First, q.Rest, c.writing)
		return nil
	}
	_, err := c.rw.Write(q.First)
	return err
}

func (c *Conn) write(first, rest []byte, result chan<- error) {
	_, err := c.rw.Write(first)
	for err == nil && len(rest) > 0 {
		var n int
		n, err = c.rw.Write(rest[:min(len(rest), piece)])
		rest = rest[n:]
	}
	result <- err
}

// Wait returns when the first bytes of the response have come. It returns io.EOF if the server closed the connection.
func (c *Conn) Wait() error {
	if c.r < c.w {
		return nil
	}
	return c.more()
}

// Receive reads the response to its end. It returns ErrLimit if the body is longer than limit bytes.
func (c *Conn) Receive(limit int64) (Response, error) {
	c.left, c.body, c.limit = maxHead, 0, limit
	kind, length, err := c.finalHead()
	if err != nil {
		return Response{}, err
	}
	err = c.skipBody(kind, length)
	c.reusable = err == nil && c.err == nil && kind != untilClose && !c.head.endsConnection() && c.head.status > 199 && c.r == c.w
	return Response{c.head.status, c.body}, err
}

// finalHead reads the head of a response that is not an interim one.
func (c *Conn) finalHead() (framing, int64, error) {
	for {
		if err := c.readHead(); err != nil {
			return noBody, 0, err
		}
		kind, length, err := c.head.framing(c.isHead)
		if s := c.head.status; err != nil || s/100 != 1 || s == switchingProtocols {
			return kind, length, err
		}
	}
}

// Settle reports whether the connection can be used for another request; if not, it must be closed. If the response came before the
// request was written whole, Settle waits up to 50 ms for that, as net/http does.
func (c *Conn) Settle() bool {
	if c.writing == nil || !c.reusable {
		return c.reusable
	}
	patience := time.NewTimer(50 * time.Millisecond)
	defer patience.Stop()
	select {
	case err := <-c.writing:
		c.writing = nil
		c.reusable = err == nil
	case <-patience.C:
		c.reusable = false
	}
	return c.reusable
}
