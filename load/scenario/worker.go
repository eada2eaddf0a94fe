package scenario

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"time"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/load"
)

// worker sends the transactions of one user on its own connection.
type worker struct {
	*target
	client *httpclient.Client
	base   string // of URLs
	read   func(*http.Response) error
	rows   []rowBuffer // by data

	values      values
	transaction *transaction
	jar         *cookiejar.Jar // nil without cookies
	first       *http.Request
	bad         error // of Prepare

	step    *step // the one that is sent
	status  int
	header  http.Header
	body    bytes.Buffer // of the response, if the step examines it
	sent    []byte       // body of the request
	headers http.Header  // of the request, without those of the jar
	text    []byte
}

// Limits of responses and of what a worker keeps of them.
const (
	maxResponse = 64 << 20
	keepBody    = 1 << 20
)

// Prepare implements [load.Worker]. It chooses the transaction, reads its rows and makes the first request.
func (w *worker) Prepare(k uint64) int {
	w.values.k = k
	w.transaction = w.choose(k)
	for len(w.values.slots) < w.transaction.slots {
		w.values.slots = append(w.values.slots, nil)
	}
	if w.jar = nil; w.cookies {
		w.jar, _ = cookiejar.New(nil) // never fails
	}
	w.bad = nil
	for _, i := range w.transaction.data {
		var err error
		if w.values.rows[i], err = w.files[i].values(w.seed, k, &w.rows[i]); err != nil {
			w.bad = err
		}
	}
	if w.bad == nil {
		w.first, w.bad = w.request(w.transaction.steps[0])
	}
	return w.transaction.kind
}

// choose returns the transaction of operation k.
func (s *Scenario) choose(seed, k uint64) *transaction {
	n := draw(seed, transactionStream, k) % s.weights
	for _, t := range s.transactions {
		if n < t.weight {
			return t
		}
		n -= t.weight
	}
	panic("weights")
}

func (w *worker) choose(k uint64) *transaction { return w.Scenario.choose(w.seed, k) }

// Do implements [load.Worker]. The time of a step ends with its response; what is checked and captured is
// part of the transaction only.
func (w *worker) Do(ctx context.Context, t *load.Timer) error {
	r, err := w.first, w.bad
	for i, s := range w.transaction.steps {
		if err == nil {
			err = ctx.Err()
		}
		if i > 0 && err == nil {
			r, err = w.request(s)
		}
		if err != nil {
			return w.fail(s, err)
		}
		from := t.Now()
		err = w.send(ctx, s, r)
		to := t.Now()
		if err == nil {
			err = w.verify(s)
		}
		t.Part(w.transaction.kind+1+i, from, to, err)
		if err != nil {
			return w.fail(s, err)
		}
		if d := w.think(s); d > 0 {
			if err := t.Pause(ctx, d); err != nil {
				return w.fail(s, err)
			}
		}
	}
	return nil
}

// think returns the pause after a step.
func (w *worker) think(s *step) time.Duration {
	d := s.think[0]
	if span := uint64(s.think[1] - s.think[0]); span > 0 {
		d += time.Duration(draw(w.seed, s.stream, w.values.k) % (span + 1))
	}
	return d
}

// send sends the request of a step and follows redirects.
func (w *worker) send(ctx context.Context, s *step, r *http.Request) error {
	w.step = s
	for hop := 0; ; hop++ {
		if err := w.client.Send(r, w.read); err != nil {
			return w.client.Explain(err)
		}
		if w.jar != nil {
			w.jar.SetCookies(r.URL, (&http.Response{Header: w.header}).Cookies())
		}
		if hop == s.follow {
			return nil
		}
		next, err := w.redirect(ctx, r)
		if err != nil || next == nil {
			return err
		}
		r = next
	}
}

// readAnswer reads a response to its end.
func (w *worker) readAnswer(answer *http.Response) error {
	w.status, w.header = answer.StatusCode, answer.Header
	if w.body.Cap() > keepBody {
		w.body = bytes.Buffer{}
	}
	w.body.Reset()
	body := io.LimitReader(answer.Body, maxResponse+1)
	var n int64
	var err error
	if w.step.needsBody() {
		n, err = w.body.ReadFrom(body)
	} else {
		n, err = io.Copy(io.Discard, body)
	}
	closed := answer.Body.Close()
	switch {
	case err != nil:
		return fmt.Errorf("status %d, body: %w", answer.StatusCode, err)
	case n > maxResponse:
		return load.WithClass(load.ClassProtocol, fmt.Errorf("the body is longer than %d bytes", maxResponse))
	}
	return closed
}

// AppendOperation implements [load.Describer]: the request of the slowest step as the file has it, without values, which may
// be secret.
func (w *worker) AppendOperation(b []byte, part int) []byte {
	i := part - w.transaction.kind - 1
	if i < 0 || i >= len(w.transaction.steps) {
		return b
	}
	s := w.transaction.steps[i]
	return append(append(append(b, s.method...), ' '), s.source...)
}

// Done implements [load.Worker].
func (w *worker) Done(err error) error { return err }

// Close implements [load.Worker].
func (w *worker) Close() error {
	w.client.Close()
	return nil
}

// fail adds the step to an error, and hides secrets. It names the path as the file has it, without values.
func (w *worker) fail(s *step, err error) error {
	err = fmt.Errorf("scenario: %s/%s: %s %s%s: %w", w.transaction.name, s.name, s.method, w.base, s.source, err)
	return load.Mask(err, w.Secrets...)
}
