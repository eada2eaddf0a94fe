package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/load"
)

// worker sends the requests of one user on its own connection.
type worker struct {
	*target
	dialer    *load.Dialer
	transport *http.Transport
	run       context.Context
	bad       error // of Prepare

	// A context for each operation would cost more than the rest of this package, so
	// one context is used until an operation is late.
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // ends ctx
	sent   *atomic.Int32

	request *http.Request
	text    []byte // of the URL, reused
}

// renew makes the context of the next operations.
func (w *worker) renew() {
	if w.cancel != nil {
		w.cancel(nil)
	}
	sent := new(atomic.Int32)
	traced := httptrace.WithClientTrace(w.run, &httptrace.ClientTrace{
		WroteRequest: func(i httptrace.WroteRequestInfo) {
			if i.Err == nil {
				sent.Add(1)
			}
		},
	})
	ctx, cancel := context.WithCancelCause(traced)
	w.ctx, w.cancel, w.sent = ctx, cancel, sent
	if w.timeout > 0 {
		late := load.WithClass(load.ClassTimeout, fmt.Errorf("no response within %v", w.timeout))
		w.timer = time.AfterFunc(w.timeout, func() { cancel(late) })
		w.timer.Stop()
	}
}

// Prepare makes a new request for each operation: net/http may still use the last one
// if its response was early.
func (w *worker) Prepare(k uint64) int {
	r := &http.Request{
		Method:     w.method,
		URL:        w.parsed,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     w.header,
		Host:       w.host,
	}
	if w.url.varies {
		w.text = w.url.append(w.text[:0], w.seed, k)
		r.URL, w.bad = url.Parse(string(w.text))
		if w.bad == nil {
			r.URL.User = nil
		}
	}
	body := w.fixed
	if w.content.varies {
		body = w.content.append(nil, w.seed, k)
	}
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
	}
	w.request = r.WithContext(w.ctx)
	return 0
}

func (w *worker) Do(ctx context.Context, _ *load.Timer) error {
	if err := errors.Join(ctx.Err(), w.bad); err != nil {
		return w.fail(err)
	}
	before := w.sent.Load()
	if w.timer != nil {
		w.timer.Reset(w.timeout)
	}
	err := w.exchange(w.request)
	again := w.sent.Load() > before+1
	if w.timer != nil && !w.timer.Stop() {
		if err != nil {
			err = cause(w.ctx, err)
		}
		w.renew()
	}
	if err == nil && again {
		err = load.WithClass(load.ClassReset, errors.New("the server closed the connection, and net/http sent the request again"))
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// cause returns why the context has ended, if it has.
func cause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// exchange sends the request and reads the response to its end.
func (w *worker) exchange(r *http.Request) error {
	answer, err := w.transport.RoundTrip(r)
	if err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, io.LimitReader(answer.Body, w.limit+1))
	closed := answer.Body.Close()
	switch {
	case err != nil:
		return fmt.Errorf("status %d, body: %w", answer.StatusCode, err)
	case n > w.limit:
		return load.WithClass(load.ClassProtocol, fmt.Errorf("the body is longer than %d bytes (-p http.limit=…)", w.limit))
	case closed != nil:
		return closed
	}
	err = w.expect.check(answer.StatusCode)
	if err != nil && answer.StatusCode == http.StatusBadRequest && w.serverNeedsTLS() {
		return &load.PeerError{Why: load.ErrServerTLS, Err: err}
	}
	return err
}

func (w *worker) Done(err error) error { return err }

func (w *worker) Close() error {
	w.cancel(nil)
	w.transport.CloseIdleConnections()
	w.dialer.Close()
	return nil
}

// fail adds the request to an error, and hides secrets.
func (w *worker) fail(err error) error {
	err = w.dialer.Err(err)
	if errors.Is(err, load.ErrServerTLS) {
		err = fmt.Errorf("%w (-p http.url=https://…)", err)
	}
	if load.Class(err) == load.ClassOther {
		err = classify(err)
	}
	return load.Mask(fmt.Errorf("http: %s %s: %w", w.method, w.where(), err), w.secrets...)
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
