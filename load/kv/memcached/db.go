package memcached

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// store is the database and what its sessions share.
type store struct {
	addr    net.Addr
	table   string
	timeout time.Duration
	fields  int
	version string

	dialers load.Dialers
}

// Open connects to the server once, to check the address.
func Open(ctx context.Context, s kv.Settings) (kv.DB, error) {
	where, err := parseAddr(s)
	if err != nil {
		return nil, fmt.Errorf("memcached: %w", err)
	}
	if err := load.Reach(ctx, s.Allow, where, s.OpTimeout, "start memcached, or set its address: -p memcached.addr=host:port"); err != nil {
		return nil, fmt.Errorf("memcached: %w", err)
	}
	d := &store{addr: addr(where), table: s.Table, timeout: s.OpTimeout, fields: s.Fields, dialers: load.Dialers{Allow: s.Allow}}
	if d.timeout == 0 {
		d.timeout = forever
	}
	if d.version, err = d.greet(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// forever stands for no timeout, because gomemcache replaces 0 by half a second.
const forever = 100 * 365 * 24 * time.Hour

// addr is an address that is resolved only when it is dialled.
type addr string

func (a addr) String() string { return string(a) }

func (a addr) Network() string {
	if strings.HasPrefix(string(a), "/") {
		return "unix"
	}
	return "tcp"
}

// one is a list with a single server.
type one struct{ net.Addr }

func (o one) PickServer(string) (net.Addr, error) { return o.Addr, nil }
func (o one) Each(do func(net.Addr) error) error  { return do(o.Addr) }

// client returns a client for a single session.
func (d *store) client(dialer *load.Dialer) *memcache.Client {
	c := memcache.NewFromSelector(one{d.addr})
	c.DialContext = dialer.DialContext
	c.Timeout = d.timeout
	c.MaxIdleConns = 1
	return c
}

// greet checks that memcached answers, and returns its version.
func (d *store) greet(ctx context.Context) (string, error) {
	dialer := load.NewDialer(ctx, d.dialers.Allow, d.timeout)
	defer dialer.Close()
	c := d.client(dialer)
	if err := c.Ping(); err != nil {
		return "", fmt.Errorf("memcached: %s does not answer as memcached does: %w", d.addr, classify(dialer.Err(err)))
	}
	return serverVersion(ctx, dialer, d.addr, d.timeout), nil
}

// serverVersion returns the version, which gomemcache cannot read, or "" on any
// error.
func serverVersion(ctx context.Context, dialer *load.Dialer, at net.Addr, timeout time.Duration) string {
	conn, err := dialer.DialContext(ctx, at.Network(), at.String())
	if err != nil {
		return ""
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(min(timeout, time.Second)))
	if _, err := conn.Write([]byte("version\r\n")); err != nil {
		return ""
	}
	line := make([]byte, 64)
	n, err := conn.Read(line)
	text, ok := strings.CutPrefix(string(line[:n]), "VERSION ")
	if err != nil || !ok {
		return ""
	}
	return strings.TrimSpace(text)
}

func (d *store) Capabilities() kv.Capabilities {
	return kv.Capabilities{
		Name:      strings.TrimSpace("memcached "+d.version) + " at " + d.addr.String(),
		Integrity: true,
		Load:      true,
		Notes: []string{
			"a partial update reads the record and writes it back (gets, cas) within the operation",
			"records are dropped when the server's memory is full",
		},
	}
}

func (d *store) Session(ctx context.Context, _ int) (kv.Session, error) {
	dialer, err := d.dialers.New(ctx, d.timeout)
	if err != nil {
		return nil, fmt.Errorf("memcached: session: %w", err)
	}
	return &session{store: d, dialer: dialer, client: d.client(dialer)}, nil
}

// Close closes the sessions. The records stay.
func (d *store) Close() error {
	d.dialers.Close()
	return nil
}
