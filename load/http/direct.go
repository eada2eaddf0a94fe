package http

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/client/http1"
	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
)

// direct sends the requests of one user on its own connection, as bytes that are ready when they are due.
type direct struct {
	*target
	client  *httpclient.Direct
	request http1.Request
	ready   bool   // the request is the same for all operations, and was made
	bad     error  // of Prepare
	text    []byte // of the URL; this and the rest is reused
	uri     []byte // path and parameters
	body    []byte // that varies
	first   []byte // of the request
	statuses
}

func (w *direct) Prepare(k uint64) int {
	if w.ready {
		return 0
	}
	w.uri = append(w.uri[:0], w.wire.uri...)
	if w.url.Varies() {
		w.text = w.url.Append(w.text[:0], w.seed, k)
		w.uri, w.bad = w.wire.appendURI(w.uri[:0], w.text)
	}
	body := w.fixed
	if w.content.Varies() {
		w.body = w.content.Append(w.body[:0], w.seed, k)
		body = w.body
	}
	w.first = w.wire.appendHead(w.first[:0], w.method, w.uri, len(body))
	n := min(len(body), max(0, http1.MaxFirst-len(w.first)))
	w.first = append(w.first, body[:n]...)
	w.request.First, w.request.Rest = w.first, body[n:]
	w.ready = !w.url.Varies() && !w.content.Varies()
	return 0
}

func (w *direct) Do(ctx context.Context, timer *load.Timer) error {
	if err := errors.Join(ctx.Err(), w.bad); err != nil {
		return w.fail(err)
	}
	if !w.target.client.FirstByte {
		timer = nil
	}
	var began int64
	if timer != nil {
		began = timer.Now()
	}
	err := w.send(timer)
	if first := w.client.FirstByte(); first != 0 {
		timer.SubUntil(firstByte, began, first, err)
	}
	if err != nil {
		return w.fail(err)
	}
	return nil
}

// send sends the request, and returns an error for a response that is not the expected one.
func (w *direct) send(clock *load.Timer) error {
	answer, err := w.client.Exchange(&w.request, w.limit, clock)
	if err != nil && answer.Status == 0 {
		return err
	}
	w.statuses.count(answer.Status)
	switch {
	case errors.Is(err, http1.ErrLimit):
		return w.tooLong()
	case err != nil:
		return fmt.Errorf("status %d, body: %w", answer.Status, err)
	}
	return w.checkStatus(answer.Status)
}

// AddTraffic implements [load.TrafficCounter].
func (w *direct) AddTraffic(t *load.Traffic) { w.statuses.addTraffic(t, w.client.Bytes) }

// AppendOperation implements [load.Describer]: the path and the parameters.
func (w *direct) AppendOperation(b []byte, _ int) []byte { return w.appendRedacted(b, string(w.uri)) }

// Done also waits until the request is written, which may be after the response.
func (w *direct) Done(err error) error {
	w.client.Settle()
	return err
}

func (w *direct) Close() error {
	w.client.Close()
	return nil
}

func (w *direct) fail(err error) error { return w.failed(w.client.Explain(err)) }
