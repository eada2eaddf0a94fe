package cluster

import (
	"context"
	"errors"
)

// A Conn connects a controller or an agent with the others. Package nats implements it over NATS, package faulty in
// memory, with faults. All methods may be called concurrently.
type Conn interface {
	// Request sends a message and returns the answer. The error is ErrNoResponders if nothing serves the subject.
	Request(ctx context.Context, subject string, data []byte) ([]byte, error)

	// Publish sends a message that may be lost.
	Publish(subject string, data []byte) error

	// Subscribe calls f for each message of the subject, in order and one at a time. A subject that ends in ".>" stands
	// for all that begin like it. f must not block for long: later messages of the subscription wait for it, and may be
	// lost if they are many.
	Subscribe(subject string, f func(Message)) (cancel func(), err error)

	// Deliver hands over a message that must not be lost, and returns once it is stored. The same id may be delivered
	// again, after an error, from a new connection, or after the server was started anew: the receiver may see it twice.
	Deliver(ctx context.Context, subject, id string, data []byte) error

	// Receive calls f for each message that is delivered to subjects that begin with prefix, those stored before
	// included, until the context ends. A message for which f returns an error comes again. Only a controller may receive.
	Receive(ctx context.Context, prefix string, f func(Message) error) error

	// OnChange calls f whenever the connection is lost, and when it is there again.
	OnChange(f func(connected bool))

	Close() error
}

// A Message is what arrives.
type Message struct {
	Subject string
	Data    []byte
	Answer  func(data []byte) error // nil if no answer is expected
}

// ErrNoResponders is returned for a request if no process is subscribed to its subject.
var ErrNoResponders = errors.New("no responders")

// MaxMessage is the limit of a message, in bytes.
const MaxMessage = 1 << 20
