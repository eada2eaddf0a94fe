package nats

import (
	"context"
	"errors"
	"regexp"
	"sync"

	natsgo "github.com/nats-io/nats.go"

	"github.com/tarebench/tare/full/internal/cluster/link"
)

// operations are those that were sent and wait for an answer. A subject without permission, and a lost connection, arrive as
// events and not as the answer, so the waiting calls must be notified.
type operations struct {
	mu      sync.Mutex
	next    int
	waiting map[int]operation
}

type operation struct {
	subject string
	cancel  context.CancelCauseFunc
}

// begin returns a context that also ends when the server refuses the subject, or when the connection is lost.
func (o *operations) begin(ctx context.Context, subject string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = map[int]operation{}
	}
	id := o.next
	o.next++
	o.waiting[id] = operation{subject, cancel}
	return ctx, func() {
		cancel(nil)
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.waiting, id)
	}
}

// refuse ends the operations on a subject.
func (o *operations) refuse(subject string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.waiting {
		if w.subject == subject {
			w.cancel(link.ErrForbidden)
		}
	}
}

// lose ends all operations.
func (o *operations) lose() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.waiting {
		w.cancel(link.ErrLost)
	}
}

// refusal is how a server names what it does not permit.
var refusal = regexp.MustCompile(`Publish to "([^"]*)"`)

// onError is called for errors that have no other way. Those of slow subscriptions are counted by Dropped.
func (c *conn) onError(_ *natsgo.Conn, _ *natsgo.Subscription, err error) {
	if !errors.Is(err, natsgo.ErrPermissionViolation) {
		return
	}
	if found := refusal.FindStringSubmatch(err.Error()); found != nil {
		c.asked.refuse(found[1])
	}
}
