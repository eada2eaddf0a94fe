package http1

import "time"

// A Request is what is written. Its bytes must not change until Settle has returned.
type Request struct {
	First []byte // head and body, or their beginning
	Rest  []byte // what follows of a large body; written while the response is read, because a server may answer early
	Head  bool   // the method is HEAD
}

// MaxFirst is how long First may be, in bytes: what servers accept before they answer.
const MaxFirst = 16 << 10

// piece is how much of Rest is written at once: bytes are counted when they have been written.
const piece = 256 << 10

// A Response is what was received.
type Response struct {
	Status int   // 0 if its head did not come
	Body   int64 // length in bytes, without what chunks take
}

const switchingProtocols = 101

// Send writes a request. Of one with a Rest it begins to: what keeps that from being written keeps the response from coming, so it is
// Wait or Receive that fails.
func (c *Conn) Send(q *Request) error {
	c.reusable = false
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

// Receive reads a response to its end. isHead says that the request was HEAD. A body of more than limit bytes is the
// error ErrLimit.
func (c *Conn) Receive(isHead bool, limit int64) (Response, error) {
	c.left, c.body, c.limit = maxHead, 0, limit
	kind, length, err := c.finalHead(isHead)
	if err != nil {
		return Response{}, err
	}
	err = c.skipBody(kind, length)
	c.reusable = err == nil && c.err == nil && kind != untilClose && !c.head.endsConnection() && c.head.status > 199 && c.r == c.w
	return Response{c.head.status, c.body}, err
}

// finalHead reads the head of a response that is not an interim one.
func (c *Conn) finalHead(isHead bool) (framing, int64, error) {
	for {
		if err := c.readHead(); err != nil {
			return noBody, 0, err
		}
		kind, length, err := c.head.framing(isHead)
		if s := c.head.status; err != nil || s/100 != 1 || s == switchingProtocols {
			return kind, length, err
		}
	}
}

// Settle reports whether the connection can be used for another request. It waits up to 50 ms, as net/http does, until a request that
// was answered early has been written. The connection must be closed if it returns false.
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
