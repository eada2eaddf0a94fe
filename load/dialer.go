package load

import (
	"context"
	"errors"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A Dialer opens the connections of a session: to this machine and to what its [Consent]
// allows, whatever a name resolves to, and until the run ends. Then it closes its connections, which
// ends the operations that wait for a response: client libraries watch a context at a
// cost for each operation, or not at all.
type Dialer struct {
	net   net.Dialer
	allow *Consent
	stop  func() bool // no longer waits for the run's end
	among *Dialers    // nil for a single dialer

	mu    sync.Mutex
	over  error // why connections are no longer opened
	noted error // why the last connection failed, as far as it shows the server's part
	conns map[*conn]struct{}

	asked        sync.Once // whether the server speaks TLS
	disagreement error

	sent, received atomic.Int64 // bytes
}

// Bytes returns how many bytes the connections sent and received so far.
func (d *Dialer) Bytes() (sent, received int64) { return d.sent.Load(), d.received.Load() }

// NewDialer returns a dialer for a session. run is the context of the run; a nil allow
// is this machine alone. Connecting takes at most the timeout; 0 means 10 s.
func NewDialer(run context.Context, allow *Consent, timeout time.Duration) *Dialer {
	if run == nil {
		panic("load: NewDialer: run is nil")
	}
	if timeout <= 0 {
		timeout = lookupTimeout
	}
	d := &Dialer{allow: allow, conns: map[*conn]struct{}{}}
	d.net = net.Dialer{Timeout: timeout, ControlContext: allow.control}
	d.stop = context.AfterFunc(run, func() { d.end(context.Cause(run)) })
	return d
}

// DialContext opens a connection, for client libraries. The address should have the name of
// the host, if that is what was allowed.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	nc, err := d.net.DialContext(context.WithValue(ctx, nameKey{}, address), network, address)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: nc, dialer: d, address: address}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over != nil {
		nc.Close()
		return nil, &net.OpError{Op: "dial", Net: network, Addr: nc.RemoteAddr(), Err: d.over}
	}
	d.conns[c] = struct{}{}
	d.noted = nil
	return c, nil
}

// Close closes all connections. Further dialing fails.
func (d *Dialer) Close() {
	d.stop()
	d.end(net.ErrClosed)
	if d.among != nil {
		d.among.mu.Lock()
		delete(d.among.all, d)
		d.among.mu.Unlock()
	}
}

func (d *Dialer) end(why error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over == nil {
		d.over = why
	}
	for c := range d.conns {
		c.Conn.Close()
	}
	clear(d.conns)
}

// Err returns the error of the run if the run is over, because its connections were closed during the operation. Otherwise it
// returns err, with what the connection showed about the server: that only one side speaks TLS, or why it was closed.
func (d *Dialer) Err(err error) error {
	if err == nil {
		return nil
	}
	d.mu.Lock()
	over := d.over
	d.mu.Unlock()
	if over != nil {
		return over
	}
	return d.explain(err)
}

// conn is a connection registered with its dialer.
type conn struct {
	net.Conn
	dialer  *Dialer
	address string // host:port, as it was dialled
	peer    peer
}

func (c *conn) Close() error {
	c.dialer.mu.Lock()
	delete(c.dialer.conns, c)
	c.dialer.mu.Unlock()
	return c.Conn.Close()
}

// SyscallConn lets a client check whether the server has closed an idle connection.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	s, ok := c.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return s.SyscallConn()
}

// Dialers are the dialers of the sessions of one database. The zero value is ready, for
// a database on this machine.
type Dialers struct {
	Allow *Consent

	mu     sync.Mutex
	closed bool
	all    map[*Dialer]struct{}
}

// New is [NewDialer] for a session. It fails after Close.
func (ds *Dialers) New(run context.Context, timeout time.Duration) (*Dialer, error) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.closed {
		return nil, errors.New("the database was closed")
	}
	d := NewDialer(run, ds.Allow, timeout)
	d.among = ds
	if ds.all == nil {
		ds.all = map[*Dialer]struct{}{}
	}
	ds.all[d] = struct{}{}
	return d, nil
}

// Close closes all dialers: their sessions fail from now on.
func (ds *Dialers) Close() {
	ds.mu.Lock()
	ds.closed = true
	all := slices.Collect(maps.Keys(ds.all))
	ds.mu.Unlock()
	for _, d := range all {
		d.Close()
	}
}
