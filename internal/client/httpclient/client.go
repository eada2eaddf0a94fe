package httpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"github.com/tarebench/tare/load"
)

// A Client sends the requests of one user on its own connection, one after the other. It is for
// one goroutine.
type Client struct {
	config    *Config
	dialer    *load.Dialer
	transport *http.Transport
	run       context.Context

	// A context for each request would cost more than the rest of this package, so
	// one context is used until a response is late.
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // ends ctx
	traced *trace

	other *http.Transport // of redirects to other servers; nil until there is one
	hops  int32           // requests that Hop sent within Send
	first int64           // when the first byte of the last response came; 0 if unknown
}

// Client returns a client that uses a dialer, which it closes. secure says that the server
// speaks TLS. When run ends, so do requests.
func (c *Config) Client(run context.Context, dialer *load.Dialer, secure bool) *Client {
	l := &Client{config: c, dialer: dialer, transport: c.transport(dialer, secure), run: run}
	l.renew()
	return l
}

// renew makes the context of the next requests.
func (l *Client) renew() {
	if l.cancel != nil {
		l.cancel(nil)
	}
	l.traced = new(trace)
	ctx, cancel := context.WithCancelCause(httptrace.WithClientTrace(l.run, l.traced.hooks(l.config.FirstByte)))
	l.ctx, l.cancel = ctx, cancel
	if limit := l.config.Timeout; limit > 0 {
		late := l.config.late()
		l.timer = time.AfterFunc(limit, func() { cancel(late) })
		l.timer.Stop()
	}
}

// late returns the error of a request beyond its time limit.
func (c *Config) late() error {
	return load.WithClass(load.ClassTimeout, fmt.Errorf("no response within %v", c.Timeout))
}

// Context returns the context of the next request.
func (l *Client) Context() context.Context { return l.ctx }

// Send sends a request, whose context is that of Context, and has the response read within the
// same time limit. read must read the body to its end and close it.
func (l *Client) Send(r *http.Request, read func(*http.Response) error) error {
	l.hops = 0
	traced := l.traced
	before := traced.sent.Load()
	traced.first.Store(0)
	if l.timer != nil {
		l.timer.Reset(l.config.Timeout)
	}
	answer, err := l.transport.RoundTrip(r)
	if err == nil {
		err = read(answer)
	}
	again := traced.sent.Load() > before+1+l.hops
	l.first = traced.first.Load()
	if l.timer != nil && !l.timer.Stop() {
		if err != nil {
			err = cause(l.ctx, err)
		}
		l.renew()
	}
	if err == nil && again {
		err = load.WithClass(load.ClassReset, errors.New("the server closed the connection, and net/http sent the request again"))
	}
	return err
}

// cause returns why the context has ended, if it has.
func cause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// Explain returns an error of Send with its class, and with what is known about the server from
// the connection.
func (l *Client) Explain(err error) error { return l.config.explain(l.dialer, err) }

func (c *Config) explain(dialer *load.Dialer, err error) error {
	err = dialer.Err(err)
	if errors.Is(err, load.ErrServerTLS) {
		err = with(err, c.Hints.TLS)
	}
	if load.Class(err) == load.ClassOther {
		err = classify(err)
	}
	return err
}

// Close closes the connections.
func (l *Client) Close() {
	l.cancel(nil)
	l.transport.CloseIdleConnections()
	if l.other != nil {
		l.other.CloseIdleConnections()
	}
	l.dialer.Close()
}

// classify returns an untyped error of net/http with its class: the connection was
// lost, or the response was malformed. It limits the text, because another kind of
// server may have sent much.
func classify(err error) error {
	text := err.Error()
	if len(text) > 200 {
		err = errors.New(text[:200] + "…")
	}
	for _, lost := range []string{"server closed idle connection", "connection lost", "GOAWAY", "connection broken: EOF"} {
		if strings.Contains(text, lost) {
			return load.WithClass(load.ClassReset, err)
		}
	}
	return load.WithClass(load.ClassProtocol, err)
}
