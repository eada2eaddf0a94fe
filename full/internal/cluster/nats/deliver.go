package nats

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/tarebench/tare/full/internal/cluster/link"
)

// ackTimeout is how long a delivery waits for the server before it is sent again.
const ackTimeout = 5 * time.Second

// storeFailed is the server's code for a stream that is full, or whose disk is.
const storeFailed = 10077

// Deliver implements cluster.Conn. It sends the message again until it is stored, the context ends, or the server cannot
// store it. The server ignores an id that it stored in the last 10 minutes.
func (c *conn) Deliver(ctx context.Context, subject, id string, data []byte) error {
	if err := c.check(subject, data); err != nil {
		return err
	}
	ctx, stop := c.alive(ctx)
	defer stop()
	m := &natsgo.Msg{Subject: c.group.full(subject), Data: data, Header: natsgo.Header{jetstream.MsgIDHeader: {id}}}
	var last error
	for {
		err := c.store(ctx, subject, m)
		switch {
		case err == nil:
			return nil
		case isFinal(err):
			return fmt.Errorf("deliver on %s: %w", subject, err)
		case ctx.Err() != nil && last != nil:
			return fmt.Errorf("deliver on %s: %w (last: %v)", subject, context.Cause(ctx), last)
		case ctx.Err() != nil:
			return fmt.Errorf("deliver on %s: %w", subject, context.Cause(ctx))
		}
		last = err
		sleep(ctx, retryWait+rand.N(retryWait))
	}
}

// store makes one attempt, when there is a connection.
func (c *conn) store(ctx context.Context, subject string, m *natsgo.Msg) error {
	ctx, end, err := c.attempt(ctx, subject)
	defer end()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, ackTimeout)
	defer cancel()
	_, err = c.js.PublishMsg(ctx, m)
	return c.reason(ctx, err)
}

// isFinal reports whether another attempt would fail for the same reason.
func isFinal(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.ErrorCode == storeFailed || api.Code == 400
	}
	return errors.Is(err, link.ErrForbidden) || errors.Is(err, natsgo.ErrMaxPayload) || errors.Is(err, natsgo.ErrBadSubject)
}

// sleep waits for a time, or for the end of the context.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
