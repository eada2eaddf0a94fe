package faulty

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

// Request implements cluster.Conn. While there is no connection it waits for one; a request that was sent when the
// connection is lost fails.
func (c *conn) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	if err := cluster.CheckSize(subject, data); err != nil {
		return nil, err
	}
	answer, err := c.request(ctx, subject, data)
	if err != nil {
		return nil, fmt.Errorf("request on %s: %w", subject, err)
	}
	return answer, nil
}

func (c *conn) request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	ctx, stop := c.alive(ctx)
	defer stop()
	lost, err := c.link.Wait(ctx)
	switch {
	case err != nil:
		return nil, err
	case c.isClosed():
		return nil, link.ErrClosed
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !c.mayPublish(subject):
		return nil, link.ErrForbidden
	}
	answers := make(chan []byte, 1)
	if !c.ask(subject, data, answers) {
		return nil, cluster.ErrNoResponders
	}
	select {
	case answer := <-answers:
		return answer, nil
	case <-lost:
		return nil, link.ErrLost
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// ask sends a request to all who serve the subject, and reports whether there is anybody.
func (c *conn) ask(subject string, data []byte, answers chan<- []byte) bool {
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	subs := n.subscribers(subject)
	for _, s := range subs {
		r := n.chance("request", c, s.conn.id, subject)
		m := cluster.Message{Subject: subject, Data: bytes.Clone(data)}
		m.Answer = func(data []byte) error { return s.conn.answer(c, subject, data, answers) }
		if r.Float64() >= n.faults.RequestLoss {
			s.push(m, r)
		}
	}
	return len(subs) > 0
}

// answer sends the answer to who asked. The first one is taken.
func (c *conn) answer(asker *conn, subject string, data []byte, answers chan<- []byte) error {
	if err := cluster.CheckSize("the answer to "+subject, data); err != nil {
		return err
	}
	if err := c.state(); err != nil {
		return err
	}
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	r := n.chance("answer", c, asker.id, subject)
	if r.Float64() < n.faults.AnswerLoss {
		return nil
	}
	data = bytes.Clone(data)
	take := func() {
		if asker.state() != nil {
			return
		}
		select {
		case answers <- data:
		default:
		}
	}
	if d := n.delay(r); d > 0 {
		time.AfterFunc(d, take)
	} else {
		take()
	}
	return nil
}
