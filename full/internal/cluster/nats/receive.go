package nats

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/tarebench/tare/full/internal/cluster"
)

const (
	pullMessages = 256
	pullBytes    = 8 << 20
	idleCheck    = 5 * time.Second  // without a message, the server is asked whether it sent any
	forgetAfter  = 30 * time.Second // the server forgets a reader that is gone
)

// errGap is the error of a message that was sent and did not arrive.
var errGap = errors.New("a message did not arrive")

// Receive implements cluster.Conn. Every call begins with the first message that is stored. It returns the cause of the
// context's end.
func (c *conn) Receive(ctx context.Context, prefix string, f func(cluster.Message) error) error {
	if c.agent {
		return errors.New("only a controller may receive")
	}
	ctx, stop := c.alive(ctx)
	defer stop()
	r := &receiver{conn: c, prefix: prefix, queue: retryQueue{f: f}}
	for {
		err := r.session(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			_ = c.makeStream(ctx) // its error needs no handling: the next session fails with the same
		}
		r.queue.run(time.Now())
		sleep(ctx, retryWait)
	}
}

// receiver reads a stream, in sessions that end when the connection is lost or a message is missing. The server keeps no
// account of what was read: a session begins behind the last message of the one before.
type receiver struct {
	conn    *conn
	prefix  string
	created time.Time // of the stream
	last    uint64    // number of the last message in the stream
	sent    uint64    // messages of this session
	queue   retryQueue
}

// session reads until there is an error.
func (r *receiver) session(ctx context.Context) error {
	ctx, end, err := r.conn.attempt(ctx, "")
	defer end()
	if err != nil {
		return err
	}
	reader, err := r.open(ctx)
	if err != nil {
		return err
	}
	name := reader.CachedInfo().Name
	defer func() { // the server would forget it by itself, later
		ctx, cancel := context.WithTimeout(r.conn.life, time.Second)
		defer cancel()
		if connected, _ := r.conn.link.Now(); connected {
			_ = r.conn.js.DeleteConsumer(ctx, r.conn.group.stream(), name)
		}
	}()
	messages, err := reader.Messages(jetstream.PullMaxMessagesWithBytesLimit(pullMessages, pullBytes))
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		if err := r.next(ctx, reader, messages); err != nil {
			return err
		}
	}
}

// open makes a reader of the stream behind the last message. A stream that is another one is read from its beginning.
func (r *receiver) open(ctx context.Context) (jetstream.Consumer, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	stream, err := r.conn.js.Stream(ctx, r.conn.group.stream())
	if err != nil {
		return nil, err
	}
	if info := stream.CachedInfo(); !info.Created.Equal(r.created) || info.State.LastSeq < r.last {
		r.created, r.last = info.Created, 0
	}
	r.sent = 0
	return stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: r.last + 1, AckPolicy: jetstream.AckNonePolicy,
		FilterSubject: r.filter(), MemoryStorage: true, InactiveThreshold: forgetAfter, Replicas: 1,
	})
}

// filter returns the narrowest subject that the server can filter by.
func (r *receiver) filter() string {
	full := r.conn.group.full(r.prefix)
	return full[:strings.LastIndexByte(full, '.')+1] + ">"
}

// next handles the next message, or what is due when none comes.
func (r *receiver) next(ctx context.Context, reader jetstream.Consumer, messages jetstream.MessagesContext) error {
	wait, cancel := context.WithTimeout(ctx, r.queue.wait(idleCheck))
	defer cancel()
	if r.queue.isFull() {
		<-wait.Done()
		r.queue.run(time.Now())
		return ctx.Err()
	}
	m, err := messages.Next(jetstream.NextContext(wait))
	switch {
	case err == nil:
		err = r.take(m)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		err = nil
		if r.queue.isEmpty() {
			err = r.checkIdle(ctx, reader)
		}
	}
	r.queue.run(time.Now())
	return err
}

// take handles a message.
func (r *receiver) take(m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	if meta.Sequence.Consumer != r.sent+1 {
		return errGap
	}
	r.sent, r.last = meta.Sequence.Consumer, meta.Sequence.Stream
	if subject := r.conn.group.short(m.Subject()); strings.HasPrefix(subject, r.prefix) {
		r.queue.first(cluster.Message{Subject: subject, Data: m.Data()}, time.Now())
	}
	return nil
}

// checkIdle finds a last message that did not arrive, behind which none came.
func (r *receiver) checkIdle(ctx context.Context, reader jetstream.Consumer) error {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	info, err := reader.Info(ctx)
	if err != nil {
		return fmt.Errorf("reader of the stream: %w", err)
	}
	if info.Delivered.Consumer > r.sent {
		return errGap
	}
	return nil
}
