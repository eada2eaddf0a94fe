package nats

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

// Limits of what a subscription keeps for a handler that is slow: enough for a second of 1000 agents at a hundred messages.
const (
	maxPending      = 1 << 17
	maxPendingBytes = 256 << 20
)

// conn is a cluster.Conn over NATS.
type conn struct {
	group    group
	inbox    string // prefix of the subjects on which answers arrive
	agent    bool
	maxBytes int64 // of the stream

	nats *natsgo.Conn
	js   jetstream.JetStream

	link   *link.Link
	life   context.Context // ends with Close
	end    context.CancelCauseFunc
	closed chan struct{} // when the client has ended
	asked  operations
	drops  drops
	close  sync.Once
}

func newConn(c DialConfig) (*conn, error) {
	g := group(c.Group)
	n := &conn{group: g, inbox: g.inbox(c.ID, c.Agent), agent: c.Agent, maxBytes: c.MaxBytes, link: link.New(), closed: make(chan struct{})}
	if n.maxBytes == 0 {
		n.maxBytes = defaultMaxBytes
	}
	n.life, n.end = context.WithCancelCause(context.Background())
	return n, nil
}

// use takes the client's connection.
func (c *conn) use(n *natsgo.Conn) (err error) {
	c.nats = n
	if c.js, err = jetstream.New(n); err != nil {
		n.Close()
	}
	return err
}

// Request implements cluster.Conn. While there is no connection it waits for one; a request that was sent when the
// connection is lost fails.
func (c *conn) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	if err := c.check(subject, data); err != nil {
		return nil, err
	}
	ctx, stop := c.alive(ctx)
	defer stop()
	ctx, end, err := c.attempt(ctx, subject)
	defer end()
	if err != nil {
		return nil, fmt.Errorf("request on %s: %w", subject, err)
	}
	m, err := c.nats.RequestWithContext(ctx, c.group.full(subject), data)
	if err != nil {
		return nil, fmt.Errorf("request on %s: %w", subject, c.reason(ctx, err))
	}
	return m.Data, nil
}

// alive returns a context that also ends with Close.
func (c *conn) alive(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.life, func() { cancel(context.Cause(c.life)) })
	return ctx, func() { stop(); cancel(nil) }
}

// attempt waits for a connection, and returns a context that ends when it is lost or the server refuses the subject.
func (c *conn) attempt(ctx context.Context, subject string) (context.Context, func(), error) {
	for {
		if _, err := c.link.Wait(ctx); err != nil {
			return ctx, func() {}, err
		}
		attempt, end := c.asked.begin(ctx, c.group.full(subject))
		if connected, _ := c.link.Now(); connected { // else it may have been lost before begin
			return attempt, end, nil
		}
		end()
	}
}

// Publish implements cluster.Conn. It fails at once while there is no connection.
func (c *conn) Publish(subject string, data []byte) error {
	if err := c.check(subject, data); err != nil {
		return err
	}
	if err := c.nats.Publish(c.group.full(subject), data); err != nil {
		return fmt.Errorf("publish on %s: %w", subject, c.reason(c.life, err))
	}
	return nil
}

// Subscribe implements cluster.Conn. When it or cancel returns, the server knows of it, or will when there is a connection
// again.
func (c *conn) Subscribe(subject string, f func(cluster.Message)) (cancel func(), err error) {
	full := c.group.full(subject)
	sub, err := c.nats.Subscribe(full, func(m *natsgo.Msg) { f(c.message(m)) })
	if err != nil {
		return nil, fmt.Errorf("subscribe to %s: %w", subject, c.reason(c.life, err))
	}
	if err := sub.SetPendingLimits(maxPending, maxPendingBytes); err != nil {
		return nil, err
	}
	c.drops.add(sub)
	cancel = func() {
		c.drops.remove(sub)
		if sub.Unsubscribe() == nil {
			c.flush()
		}
	}
	c.flush()
	if err := c.nats.LastError(); errors.Is(err, natsgo.ErrPermissionViolation) && strings.Contains(err.Error(), `"`+full+`"`) {
		cancel()
		return nil, fmt.Errorf("subscribe to %s: %w", subject, link.ErrForbidden)
	}
	return cancel, nil
}

// flush waits until the server has processed what was sent. If the connection is lost, that is sent again with the next one.
func (c *conn) flush() {
	if connected, _ := c.link.Now(); connected {
		_ = c.nats.FlushTimeout(closeTimeout)
	}
}

// message returns what arrived. Who asks to be answered elsewhere than on an inbox gets no answer.
func (c *conn) message(m *natsgo.Msg) cluster.Message {
	out := cluster.Message{Subject: c.group.short(m.Subject), Data: m.Data}
	if c.group.isInbox(m.Reply) {
		out.Answer = func(data []byte) error {
			if err := c.check("the answer to "+out.Subject, data); err != nil {
				return err
			}
			return c.reason(c.life, m.Respond(data))
		}
	}
	return out
}

// check refuses messages that are too large for all, or for this server.
func (c *conn) check(subject string, data []byte) error {
	if err := cluster.CheckSize(subject, data); err != nil {
		return err
	}
	if limit := c.nats.MaxPayload(); limit > 0 && int64(len(data)) > limit {
		return fmt.Errorf("a message on %s has %d bytes: this server takes at most %d (max_payload)", subject, len(data), limit)
	}
	return nil
}

// OnChange implements cluster.Conn.
func (c *conn) OnChange(f func(connected bool)) { c.link.Listen(f) }

// Close implements cluster.Conn. It waits for handlers and for what was published, at most 2 s.
func (c *conn) Close() error {
	c.close.Do(func() {
		c.end(link.ErrClosed)
		late := time.NewTimer(closeTimeout)
		defer late.Stop()
		if c.nats.Drain() == nil {
			select {
			case <-c.closed:
			case <-late.C:
			}
		}
		c.nats.Close()
	})
	return nil
}

// onClosed is called when the client has ended: by Close, or because a server ended it for good.
func (c *conn) onClosed() {
	if context.Cause(c.life) == nil {
		c.end(link.ErrClosed)
		c.link.Set(false)
	}
	close(c.closed)
}

// reason returns the cause of an error of the client, without its name.
func (c *conn) reason(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case cause != nil:
		return cause
	case errors.Is(err, natsgo.ErrNoResponders):
		return cluster.ErrNoResponders
	case errors.Is(err, natsgo.ErrConnectionClosed), errors.Is(err, natsgo.ErrConnectionDraining):
		return link.ErrClosed
	case errors.Is(err, natsgo.ErrDisconnected), errors.Is(err, natsgo.ErrReconnectBufExceeded), errors.Is(err, natsgo.ErrConnectionReconnecting):
		return link.ErrLost
	}
	return err
}
