package nats

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"time"

	natsgo "github.com/nats-io/nats.go"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/internal/base/exit"
)

// DialConfig describes a connection of an agent or a controller.
type DialConfig struct {
	Server   *Server     // embedded in this process: dialled as its controller, without URL, Token and TLS
	URL      string      // nats://HOST:PORT or tls://HOST:PORT; several, of one cluster, are separated by commas
	Token    string      // never sent to a server off this machine without TLS
	ID       string      // an agent's name; may be empty for a controller
	Agent    bool        // else a controller
	TLS      *tls.Config // nil for tls:// is what the system trusts
	Creds    string      // file of NATS credentials, for a team's own server
	Group    string      // of the subjects; that of the server
	Name     string      // shown by the server besides ID
	MaxBytes int64       // for a controller: limit of delivered messages on disk; 0 is 1 GiB

	attempt time.Duration // for one attempt to connect; 0 is dialTimeout. Tests of silent servers set it
}

const (
	dialTimeout  = 5 * time.Second // for one attempt to connect
	closeTimeout = 2 * time.Second // for what is under way when a connection is closed
	retryWait    = 100 * time.Millisecond
	pingInterval = time.Second
	maxPings     = 3 // unanswered; then the connection counts as lost
)

// Dial connects, and fails if there is no server or it refuses. A connection that is lost later is made again, forever.
// A controller's Dial makes the stream of delivered messages, or takes the one that is there.
func Dial(ctx context.Context, c DialConfig) (cluster.Conn, error) {
	if c.ID == "" && !c.Agent {
		c.ID = controllerID
	}
	if err := errors.Join(group(c.Group).check(), cluster.CheckName(c.ID)); err != nil {
		return nil, exit.Usage(err, "")
	}
	if c.Server != nil && c.Agent {
		return nil, errors.New("an agent dials the server's URL")
	}
	target, err := c.target()
	if err != nil {
		return nil, err
	}
	conn, err := newConn(c)
	if err != nil {
		return nil, err
	}
	if err := conn.connect(ctx, c, target); err != nil {
		return nil, target.explain(err)
	}
	if !c.Agent {
		if err := conn.makeStream(ctx); err != nil {
			conn.Close()
			return nil, target.explain(err)
		}
	}
	return conn, nil
}

// connect makes the first connection.
func (c *conn) connect(ctx context.Context, d DialConfig, t target) error {
	opts := c.options(ctx, d, t)
	if !t.secure {
		return c.dial(ctx, opts)
	}
	// The embedded server begins with TLS. Other servers say first who they are, and begin TLS then.
	first := opts
	first.TLSHandshakeFirst = true
	err := c.dial(ctx, first)
	if notTLS := (tls.RecordHeaderError{}); errors.As(err, &notTLS) {
		return c.dial(ctx, opts)
	}
	return err
}

// dial waits for one attempt, or for the end of the context.
func (c *conn) dial(ctx context.Context, opts natsgo.Options) error {
	type result struct {
		conn *natsgo.Conn
		err  error
	}
	done := make(chan result, 1)
	go func() {
		n, err := opts.Connect()
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return r.err
		}
		return c.use(r.conn)
	case <-ctx.Done():
		go func() {
			if r := <-done; r.conn != nil {
				r.conn.Close()
			}
		}()
		return context.Cause(ctx)
	}
}

// options returns those of the client.
func (c *conn) options(ctx context.Context, d DialConfig, t target) natsgo.Options {
	opts := natsgo.GetDefaultOptions()
	opts.Servers, opts.Token, opts.Name = t.urls, d.Token, d.ID
	if d.Name != "" {
		opts.Name += " " + d.Name
	}
	opts.InboxPrefix = c.inbox
	opts.Timeout = cmp.Or(d.attempt, dialTimeout)
	if end, ok := ctx.Deadline(); ok {
		opts.Timeout = max(min(opts.Timeout, time.Until(end)), time.Millisecond)
	}
	opts.MaxReconnect, opts.ReconnectWait, opts.ReconnectJitter, opts.ReconnectJitterTLS = -1, retryWait, retryWait, retryWait
	opts.IgnoreAuthErrorAbort = true // the server may be started anew, with the right token
	opts.ReconnectBufSize = -1       // nothing is kept for later: it would arrive too late, all at once
	opts.PingInterval, opts.MaxPingsOut = pingInterval, maxPings
	opts.DrainTimeout = closeTimeout
	opts.AsyncErrorCB = c.onError
	opts.DisconnectedErrCB = func(*natsgo.Conn, error) { c.link.Set(false); c.asked.lose() }
	opts.ReconnectedCB = func(*natsgo.Conn) { c.link.Set(true) }
	opts.ClosedCB = func(*natsgo.Conn) { c.onClosed() }
	if d.Server != nil {
		opts.InProcessServer, opts.Token = d.Server.server, d.Server.controller
		return opts
	}
	opts.Secure, opts.TLSConfig = t.secure, d.TLS
	if t.secure && d.TLS == nil {
		opts.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	opts.IgnoreDiscoveredServers = !t.secure // those that a server names may be off this machine
	if d.Creds != "" {
		// It fails only without a file name.
		_ = natsgo.UserCredentials(d.Creds)(&opts)
	}
	return opts
}
