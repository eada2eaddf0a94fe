package http1

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

var start = time.Now()

// Now returns the time since the start of the program, in ns, by a clock that is never set.
func Now() int64 { return int64(time.Since(start)) }

// timed is a connection with a time limit that may change with each request. Setting a deadline of the connection below costs more
// than reading a clock, so the deadline of an earlier request stays set. If it passes during a later request, the call that it
// interrupts is repeated with the deadline of that request.
type timed struct {
	net.Conn
	until atomic.Int64 // the limit; 0 means none
	armed atomic.Int64 // the deadline that was set
}

// limit sets the time limit, by the clock of Now; 0 means none. A limit that is earlier than the deadline that is set takes effect at once.
func (t *timed) limit(until int64) {
	t.until.Store(until)
	armed := t.armed.Load()
	if until == 0 && armed == 0 || until != 0 && armed != 0 && armed <= until {
		return
	}
	t.arm(until)
}

func (t *timed) arm(until int64) error {
	t.armed.Store(until)
	if until == 0 {
		return t.Conn.SetDeadline(time.Time{})
	}
	return t.Conn.SetDeadline(time.Now().Add(time.Duration(until - Now())))
}

func (t *timed) Read(b []byte) (int, error) {
	for {
		n, err := t.Conn.Read(b)
		if err == nil || n > 0 || !t.extend(err) {
			return n, err
		}
	}
}

func (t *timed) Write(b []byte) (int, error) {
	written := 0
	for {
		n, err := t.Conn.Write(b[written:])
		written += n
		if err == nil || !t.extend(err) {
			return written, err
		}
	}
}

// extend sets the deadline of this request, and returns true, if err came from the deadline of an earlier one.
func (t *timed) extend(err error) bool {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	until := t.until.Load()
	if until != 0 && until <= Now() {
		return false
	}
	return t.arm(until) == nil
}
