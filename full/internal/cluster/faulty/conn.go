package faulty

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

// conn is a cluster.Conn of a Network.
type conn struct {
	network *Network
	id      string
	agent   bool
	link    *link.Link
	closed  chan struct{}
	close   sync.Once

	subs map[*subscription]bool // under the network's lock
}

// mayPublish reports whether the server permits a subject.
func (c *conn) mayPublish(subject string) bool {
	publish, _ := cluster.AgentRights(c.id)
	return !c.agent || slices.Contains(publish, subject)
}

func (c *conn) maySubscribe(subject string) bool {
	_, subscribe := cluster.AgentRights(c.id)
	return !c.agent || slices.Contains(subscribe, subject)
}

// Publish implements cluster.Conn. It fails while there is no connection.
func (c *conn) Publish(subject string, data []byte) error {
	if err := cluster.CheckSize(subject, data); err != nil {
		return err
	}
	if err := c.state(); err != nil {
		return fmt.Errorf("publish on %s: %w", subject, err)
	}
	if !c.mayPublish(subject) {
		return nil // a server tells only later
	}
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.subscribers(subject) {
		r := n.chance("publish", c, s.conn.id, subject)
		if r.Float64() < n.faults.Loss {
			continue
		}
		s.push(cluster.Message{Subject: subject, Data: bytes.Clone(data)}, r)
		if r.Float64() < n.faults.Duplicate {
			s.push(cluster.Message{Subject: subject, Data: bytes.Clone(data)}, r)
		}
	}
	return nil
}

// subscribers returns the subscriptions of a subject, in an order that does not depend on chance. The lock is held.
func (n *Network) subscribers(subject string) (out []*subscription) {
	for _, s := range slices.Concat(n.subs[subject], n.subs[""]) {
		if n.isServed(s.conn) && s.matches(subject) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b *subscription) int { return int(a.number) - int(b.number) })
	return out
}

// Subscribe implements cluster.Conn.
func (c *conn) Subscribe(subject string, f func(cluster.Message)) (cancel func(), err error) {
	if c.isClosed() {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, link.ErrClosed)
	}
	if !c.maySubscribe(subject) {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, link.ErrForbidden)
	}
	s := &subscription{conn: c, subject: subject, f: f, ended: make(chan struct{}), wake: make(chan struct{}, 1)}
	n := c.network
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.conns[c] { // closed meanwhile
		return nil, fmt.Errorf("subscribe to %s: %w", subject, link.ErrClosed)
	}
	n.sent++
	s.number = n.sent
	c.subs[s] = true
	n.subs[s.key()] = append(n.subs[s.key()], s)
	go s.run()
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		c.end(s)
	}, nil
}

// end ends a subscription, once. The network's lock is held.
func (c *conn) end(s *subscription) {
	if n := c.network; c.subs[s] {
		delete(c.subs, s)
		n.subs[s.key()] = slices.DeleteFunc(n.subs[s.key()], func(o *subscription) bool { return o == s })
		close(s.ended)
	}
}

// OnChange implements cluster.Conn.
func (c *conn) OnChange(f func(connected bool)) { c.link.Listen(f) }

// Close implements cluster.Conn. Handlers that run are not waited for.
func (c *conn) Close() error {
	c.close.Do(func() {
		n := c.network
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.conns, c)
		for s := range c.subs {
			c.end(s)
		}
		close(c.closed)
	})
	return nil
}

func (c *conn) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// state returns why nothing can be sent now, or nil.
func (c *conn) state() error {
	if c.isClosed() {
		return link.ErrClosed
	}
	if connected, _ := c.link.Now(); !connected {
		return link.ErrLost
	}
	return nil
}

// alive returns a context that also ends with Close.
func (c *conn) alive(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		select {
		case <-c.closed:
			cancel(link.ErrClosed)
		case <-done:
		}
	}()
	return ctx, func() { close(done); cancel(nil) }
}
