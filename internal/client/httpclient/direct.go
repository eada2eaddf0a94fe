package httpclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"

	"github.com/tarebench/tare/internal/client/http1"
	"github.com/tarebench/tare/load"
)

// A Direct client sends requests that are ready as bytes, by HTTP/1.1 and without net/http, whose two goroutines for each
// connection take more CPU than the rest. It has the connection of one user, and is for one goroutine. It follows no redirects and
// sends nothing twice.
type Direct struct {
	config  *Config
	dialer  *load.Dialer
	run     context.Context
	address string
	tls     *tls.Config // nil for a plain connection
	late    error       // of a request beyond its time limit

	conn  *http1.Conn // nil if none is open
	first int64       // when the first byte of the last response came; 0 if unknown
}

// Direct returns a client for the server of a URL. It uses a dialer, which it closes. When run ends, so do requests.
func (c *Config) Direct(run context.Context, dialer *load.Dialer, u *url.URL) *Direct {
	d := &Direct{config: c, dialer: dialer, run: run, address: Address(u), late: c.late()}
	if u.Scheme == "https" {
		d.tls = c.tls()
		d.tls.NextProtos = []string{"http/1.1"}
		if d.tls.ServerName == "" {
			d.tls.ServerName = u.Hostname()
		}
	}
	return d
}

// Exchange sends a request and reads its response to the end. It returns http1.ErrLimit if the body is longer than limit bytes. FirstByte
// is by clock; with nil it is not known.
func (d *Direct) Exchange(q *http1.Request, limit int64, clock *load.Timer) (http1.Response, error) {
	d.first = 0
	answer, err := d.exchange(q, limit, clock)
	if err != nil {
		d.drop()
		if d.config.Timeout > 0 && errors.Is(err, os.ErrDeadlineExceeded) {
			err = d.late
		}
	}
	return answer, err
}

func (d *Direct) exchange(q *http1.Request, limit int64, clock *load.Timer) (http1.Response, error) {
	fresh, err := d.ready()
	if err != nil {
		return http1.Response{}, err
	}
	if err := d.conn.Send(q); err != nil {
		return http1.Response{}, d.unsent(err)
	}
	if err := d.conn.Wait(); err != nil {
		return http1.Response{}, unanswered(err, fresh)
	}
	if clock != nil && d.config.FirstByte {
		d.first = clock.Now()
	}
	return d.conn.Receive(limit)
}

// unsent returns the alert of TLS with which the server closed the connection, if it sent one; else err.
func (d *Direct) unsent(err error) error {
	if d.tls != nil {
		if alert := d.conn.Wait(); alert != nil && load.Class(alert) == load.ClassOther {
			return alert
		}
	}
	return err
}

// unanswered explains the end of a connection that came instead of a response.
func unanswered(err error, fresh bool) error {
	switch {
	case err != io.EOF:
		return err
	case fresh:
		return fmt.Errorf("the server closed the connection: %w", err)
	}
	return fmt.Errorf("the server closed the kept-alive connection: %w", err)
}

// ready makes a connection ready for the next request, and reports whether it is a new one. It checks an open connection:
// the server may have closed it, or have sent data without a request, which would be taken for the next response.
func (d *Direct) ready() (fresh bool, err error) {
	d.Settle()
	if d.conn != nil && !d.conn.Quiet() {
		d.drop()
	}
	now := http1.Now()
	until := int64(0)
	if d.config.Timeout > 0 {
		until = now + int64(d.config.Timeout)
	}
	if d.conn != nil {
		d.conn.Begin(until)
		return false, nil
	}
	return true, d.connect(until)
}

func (d *Direct) connect(until int64) error {
	ctx, cancel := d.bound()
	defer cancel()
	nc, err := d.dialer.DialContext(ctx, "tcp", d.address)
	if err != nil {
		return cause(ctx, err)
	}
	conn := http1.New(nc)
	conn.Begin(until)
	if d.tls != nil {
		if err := conn.Secure(ctx, d.tls); err != nil {
			conn.Close()
			return cause(ctx, err)
		}
	}
	d.conn = conn
	return nil
}

func (d *Direct) bound() (context.Context, context.CancelFunc) {
	if d.config.Timeout == 0 {
		return d.run, func() {}
	}
	return context.WithTimeoutCause(d.run, d.config.Timeout, d.late)
}

// Settle waits until the last request is written or given up. Its bytes may be overwritten afterwards. It is a call of its own, so that
// the wait is no part of the latency.
func (d *Direct) Settle() {
	if d.conn != nil && (!d.conn.Settle() || !d.config.KeepAlive) {
		d.drop()
	}
}

func (d *Direct) drop() {
	if d.conn != nil {
		d.conn.Close()
		d.conn = nil
	}
}

// FirstByte returns when the first byte of the last response came; 0 if that is not known.
func (d *Direct) FirstByte() int64 { return d.first }

// Bytes returns how many bytes the connections sent and received so far. It may be called from any goroutine.
func (d *Direct) Bytes() (sent, received int64) { return d.dialer.Bytes() }

// Explain returns an error of Exchange with its class, and with what is known about the server.
func (d *Direct) Explain(err error) error { return d.config.explain(d.dialer, err) }

// Close closes the connection.
func (d *Direct) Close() {
	d.drop()
	d.dialer.Close()
}
