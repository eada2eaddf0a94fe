package faulty

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// Receive implements cluster.Conn.
func (c *conn) Receive(ctx context.Context, prefix string, f func(cluster.Message) error) error {
	if c.agent {
		return errors.New("only a controller may receive")
	}
	ctx, stop := c.alive(ctx)
	defer stop()
	r := &reader{conn: c, prefix: prefix, f: f}
	for {
		lost, err := c.link.Wait(ctx)
		if err != nil {
			return err
		}
		grown := r.readAll(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		wait := forever
		if len(r.failed) > 0 {
			wait = time.Until(r.due)
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-lost:
		case <-grown:
		case <-timer.C:
			r.retry()
		}
		timer.Stop()
	}
}

// reader is one call of Receive.
type reader struct {
	conn   *conn
	prefix string
	f      func(cluster.Message) error
	next   int // message of the store
	failed []cluster.Message
	due    time.Time // of the next attempt with what failed
}

// readAll reads what is stored while there is a connection, and returns what is closed when there is more.
func (r *reader) readAll(ctx context.Context) (grown <-chan struct{}) {
	for ctx.Err() == nil && r.conn.state() == nil {
		m, p, grown := r.take()
		if grown != nil {
			return grown
		}
		if !strings.HasPrefix(m.Subject, r.prefix) {
			continue
		}
		if _, lost := r.conn.link.Now(); !pause(ctx, time.Until(p.due), lost) {
			r.next-- // the server sends it again
			continue
		}
		r.handle(m)
		if p.isTwice {
			r.handle(m)
		}
	}
	return nil
}

// passage is what happens to a delivery on its way to the controller.
type passage struct {
	due     time.Time // when it arrives, unless one before it is late: those of several messages overlap
	isTwice bool
}

// take returns the next message, or what is closed when there is one.
func (r *reader) take() (m cluster.Message, p passage, grown <-chan struct{}) {
	n := r.conn.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.next >= len(n.store.messages) {
		return m, p, n.store.grown
	}
	s := n.store.messages[r.next]
	m = s.Message
	r.next++
	chance := n.chance("receive", r.conn, r.prefix, m.Subject)
	return m, passage{s.at.Add(n.delay(chance)), chance.Float64() < n.faults.Duplicate}, nil
}

func (r *reader) handle(m cluster.Message) {
	if r.f(cluster.Message{Subject: m.Subject, Data: bytes.Clone(m.Data)}) != nil {
		if len(r.failed) == 0 {
			r.due = time.Now().Add(retryWait)
		}
		r.failed = append(r.failed, m)
	}
}

// retry handles again what failed.
func (r *reader) retry() {
	again := r.failed
	r.failed = nil
	for _, m := range again {
		r.handle(m)
	}
}
