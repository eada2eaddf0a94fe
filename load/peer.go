package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
)

// Errors of a connection whose two ends disagree about TLS. A binding adds how its
// connections are made secure, or plain.
var (
	ErrServerTLS   = errors.New("the server speaks TLS, and this connection is plain")
	ErrServerPlain = errors.New("the server does not speak TLS")
)

// A peer is what a connection tells about the server at its other end: what it sent
// first, and last. Client libraries report only what that led to: a reset, or an answer
// that cannot be parsed.
type peer struct {
	sent     atomic.Int32 // what was written first
	received atomic.Bool  // something was read
}

// Values of peer.sent.
const (
	sentNothing = iota
	sentPlain
	sentTLS
)

// Content types of TLS records (RFC 8446, section 5.1). The version follows, whose
// first byte is 3.
const (
	recordAlert     = 0x15
	recordHandshake = 0x16
)

func isRecord(b []byte, kinds ...byte) bool {
	for _, k := range kinds {
		if len(b) > 1 && b[0] == k && b[1] == 3 {
			return true
		}
	}
	return false
}

// Read also compares the first bytes of the server with the first bytes sent.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.dialer.received.Add(int64(n))
	if c.peer.received.Load() {
		return n, err
	}
	sent := c.peer.sent.Load()
	switch {
	case n > 0:
		c.peer.received.Store(true)
		switch {
		case sent == sentTLS && !isRecord(b[:n], recordAlert, recordHandshake):
			c.dialer.note(ErrServerPlain)
		case sent == sentPlain && isRecord(b[:n], recordAlert):
			c.dialer.note(ErrServerTLS)
		}
	case err != nil && isReset(err) && sent != sentNothing:
		c.dialer.note(&silent{c.RemoteAddr(), c.address, sent == sentTLS})
	}
	return n, err
}

// Write also keeps what the server sent before it closed the connection: a server
// that has too many clients says so, unasked.
func (c *conn) Write(b []byte) (int, error) {
	if len(b) > 0 && c.peer.sent.Load() == sentNothing {
		kind := int32(sentPlain)
		if isRecord(b, recordHandshake) {
			kind = sentTLS
		}
		c.peer.sent.Store(kind)
	}
	n, err := c.Conn.Write(b)
	c.dialer.sent.Add(int64(n))
	if err != nil && isReset(err) && !c.peer.received.Load() {
		if text := c.farewell(); text != "" {
			c.dialer.note(&farewell{text})
		}
	}
	return n, err
}

// farewell returns what the server sent unasked, in one line.
func (c *conn) farewell() string {
	c.Conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	b := make([]byte, 200)
	n, _ := c.Conn.Read(b)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return ' '
	}, string(b[:n])))
}

// farewell is the error of a server that closed a new connection, and said why.
type farewell struct{ text string }

func (f *farewell) Error() string { return "the server closed the new connection: " + f.text }
func (f *farewell) Class() string { return ClassRefused }

// silent is a server that closed a connection without an answer to what was sent first.
type silent struct {
	addr    net.Addr
	address string // host:port, as it was dialled
	tls     bool   // what was sent
}

func (s *silent) Error() string { return "the server closed the connection without an answer" }

// disagrees returns why: the server speaks TLS and we did not, or the other way round.
// It connects to find out; nil if that is not the reason.
func (s *silent) disagrees(ctx context.Context, allow *Consent, timeout time.Duration) error {
	ctx = context.WithValue(ctx, nameKey{}, s.address)
	if speaks, err := speaksTLS(ctx, allow, s.addr.Network(), s.addr.String(), timeout); err == nil && speaks != s.tls {
		if speaks {
			return ErrServerTLS
		}
		return ErrServerPlain
	}
	return nil
}

// SpeaksTLS reports whether a server that may be loaded answers the first message of TLS
// as TLS does. It is for what to say after an error.
func SpeaksTLS(ctx context.Context, allow *Consent, address string, timeout time.Duration) bool {
	speaks, err := speaksTLS(context.WithValue(ctx, nameKey{}, address), allow, "tcp", address, timeout)
	return err == nil && speaks
}

// maxProbe is the longest that asking a server for TLS takes.
const maxProbe = time.Second

func speaksTLS(ctx context.Context, allow *Consent, network, address string, timeout time.Duration) (bool, error) {
	if timeout <= 0 || timeout > maxProbe {
		timeout = maxProbe
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	d := net.Dialer{ControlContext: allow.control}
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return false, err
	}
	defer c.Close()
	first := &firstBytes{Conn: c}
	tls.Client(first, &tls.Config{InsecureSkipVerify: true}).HandshakeContext(ctx) // what the server says counts
	return isRecord(first.bytes, recordAlert, recordHandshake), ctx.Err()
}

// firstBytes keeps the first two bytes that are read.
type firstBytes struct {
	net.Conn
	bytes []byte
}

func (f *firstBytes) Read(b []byte) (int, error) {
	n, err := f.Conn.Read(b)
	f.bytes = append(f.bytes, b[:min(n, max(0, 2-len(f.bytes)))]...)
	return n, err
}

// PeerError is an error that the connection explains by the server's behaviour.
type PeerError struct {
	Why error // [ErrServerTLS], [ErrServerPlain], or how the server closed the connection
	Err error // what the client library says
}

func (e *PeerError) Error() string   { return fmt.Sprintf("%v (%v)", e.Why, e.Err) }
func (e *PeerError) Unwrap() []error { return []error{e.Why, e.Err} }

// Class returns the class of Why: [ClassProtocol], or [ClassRefused] for a server that
// closed a new connection.
func (e *PeerError) Class() string {
	if c, ok := e.Why.(interface{ Class() string }); ok {
		return c.Class()
	}
	return ClassProtocol
}

// note keeps what a connection tells about the server until the next connection.
func (d *Dialer) note(why error) {
	d.mu.Lock()
	d.noted = why
	d.mu.Unlock()
}

// explain adds to an error what its connection showed about the server, and forgets that.
func (d *Dialer) explain(err error) error {
	d.mu.Lock()
	why := d.noted
	d.noted = nil
	d.mu.Unlock()
	if s, ok := why.(*silent); ok {
		if why = d.whySilent(s); why == nil {
			return err
		}
	}
	if why == nil {
		return err
	}
	return &PeerError{why, err}
}

// whySilent asks once for each session: it takes a connection.
func (d *Dialer) whySilent(s *silent) error {
	d.asked.Do(func() { d.disagreement = s.disagrees(context.Background(), d.allow, d.net.Timeout) })
	return d.disagreement
}
