package faulty

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

const (
	ackTimeout = time.Second            // after which a delivery is sent again
	retryWait  = 100 * time.Millisecond // before another attempt
)

var errFull = errors.New("the server has no room")

// store is what was delivered. It is under the network's lock.
type store struct {
	messages []stored
	ids      map[string]bool
	grown    chan struct{} // closed when there are more messages
}

type stored struct {
	cluster.Message
	at time.Time // when it was stored
}

func (s *store) add(id string, m cluster.Message) {
	if s.ids[id] {
		return
	}
	s.ids[id] = true
	s.messages = append(s.messages, stored{m, time.Now()})
	close(s.grown)
	s.grown = make(chan struct{})
}

// Deliver implements cluster.Conn.
func (c *conn) Deliver(ctx context.Context, subject, id string, data []byte) error {
	if err := cluster.CheckSize(subject, data); err != nil {
		return err
	}
	ctx, stop := c.alive(ctx)
	defer stop()
	m := cluster.Message{Subject: subject, Data: bytes.Clone(data)}
	for {
		err := c.attempt(ctx, id, m)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return fmt.Errorf("deliver on %s: %w", subject, context.Cause(ctx))
		case !errors.Is(err, link.ErrLost):
			return fmt.Errorf("deliver on %s: %w", subject, err)
		}
		pause(ctx, retryWait, nil)
	}
}

// attempt sends the message once. Its error is link.ErrLost if another attempt may succeed.
func (c *conn) attempt(ctx context.Context, id string, m cluster.Message) error {
	lost, err := c.link.Wait(ctx)
	switch {
	case err != nil:
		return err
	case c.isClosed():
		return link.ErrClosed
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !c.mayPublish(m.Subject):
		return link.ErrForbidden
	case !strings.HasPrefix(m.Subject, "data."):
		return cluster.ErrNoResponders // no other subjects are stored
	}
	p := c.plan(m.Subject)
	if p.isLost {
		pause(ctx, ackTimeout, lost)
		return link.ErrLost
	}
	if !pause(ctx, p.delay, lost) {
		return link.ErrLost
	}
	if !c.save(id, m, p.isAckLost) {
		return errFull
	}
	if p.isAckLost {
		pause(ctx, ackTimeout, lost)
		return link.ErrLost
	}
	if !pause(ctx, p.ackDelay, lost) {
		return link.ErrLost
	}
	return nil
}

// plan is what happens to one attempt.
type plan struct {
	isLost, isAckLost bool
	delay, ackDelay   time.Duration
}

func (c *conn) plan(subject string) plan {
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	r := n.chance("deliver", c, "", subject)
	return plan{r.Float64() < n.faults.StoreLoss, r.Float64() < n.faults.AckLoss, n.delay(r), n.delay(r)}
}

// save stores a message. If its acknowledgement is to be lost, the server forgets the id, as it does after some time.
func (c *conn) save(id string, m cluster.Message, forget bool) bool {
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.faults.Full {
		return false
	}
	n.store.add(id, m)
	if forget {
		delete(n.store.ids, id)
	}
	return true
}

// pause waits for a time, and reports whether it passed before the context ended or a channel was closed.
func pause(ctx context.Context, d time.Duration, end <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-end:
		return false
	case <-t.C:
		return true
	}
}
