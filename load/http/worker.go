package http

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
)

// worker sends the requests of one user on its own connection, by net/http: HTTP/2, and requests whose redirects are
// followed.
type worker struct {
	*target
	client  *httpclient.Client
	run     context.Context
	read    func(*http.Response) error // exchange
	bad     error                      // of Prepare
	request *http.Request
	text    []byte           // of the URL, reused
	body    []byte           // of the request
	checked map[string]error // what was found about the addresses of redirects; nil if they may be loaded
	statuses
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
	if w.url.Varies() {
		w.text = w.url.Append(w.text[:0], w.seed, k)
		r.URL, w.bad = url.Parse(string(w.text))
		if w.bad == nil {
			r.URL.User = nil
		}
	}
	body := w.fixed
	if w.content.Varies() {
		body = w.content.Append(nil, w.seed, k)
	}
	w.body = body
	if len(body) > 0 {
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
	}
	w.request = r.WithContext(w.client.Context())
	return 0
}

func (w *worker) Do(ctx context.Context, timer *load.Timer) error {
	if err := errors.Join(ctx.Err(), w.bad); err != nil {
		return w.fail(err)
	}
	var began int64
	if timer != nil && w.target.client.FirstByte {
		w.client.Watch(timer)
		began = timer.Now()
	}
	err := w.client.Send(w.request, w.read)
	if first := w.client.FirstByte(); began != 0 && first != 0 {
		timer.SubUntil(firstByte, began, first, err)
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// exchange follows redirects as far as configured, and reads the responses to their end.
func (w *worker) exchange(answer *http.Response) error {
	r := w.request
	for followed := 0; ; followed++ {
		if err := w.receive(answer); err != nil {
			return err
		}
		if followed == w.follow || !isRedirect(answer) {
			return w.check(answer, followed)
		}
		var err error
		if r, err = w.redirected(r, answer); err != nil {
			return err
		}
		if answer, err = w.client.Hop(r, !w.isHome(r.URL)); err != nil {
			return err
		}
	}
}

// receive counts a response and reads it to its end.
func (w *worker) receive(answer *http.Response) error {
	w.statuses.count(answer.StatusCode)
	n, err := io.Copy(io.Discard, io.LimitReader(answer.Body, w.limit+1))
	closed := answer.Body.Close()
	switch {
	case err != nil:
		return fmt.Errorf("status %d, body: %w", answer.StatusCode, err)
	case n > w.limit:
		return w.tooLong()
	}
	return closed
}

// check returns an error for a status that is not expected.
func (w *worker) check(answer *http.Response, followed int) error {
	if err := w.expect.Check(answer.StatusCode); err != nil && followed > 0 && isRedirect(answer) {
		return fmt.Errorf("%w, after %d redirects (-p http.follow=…)", err, followed)
	}
	return w.checkStatus(answer.StatusCode)
}

// AddTraffic implements [load.TrafficCounter].
func (w *worker) AddTraffic(t *load.Traffic) { w.statuses.addTraffic(t, w.client.Bytes) }

// AppendOperation implements [load.Describer]: the path and the parameters.
func (w *worker) AppendOperation(b []byte, _ int) []byte {
	if w.request.URL == nil {
		return b
	}
	return w.appendRedacted(b, w.request.URL.RequestURI())
}

func (w *worker) Done(err error) error { return err }

func (w *worker) Close() error {
	w.client.Close()
	return nil
}

func (w *worker) fail(err error) error { return w.failed(w.client.Explain(err)) }
