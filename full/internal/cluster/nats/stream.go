package nats

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/tarebench/tare/full/internal/cluster"
)

// duplicates is how long the server remembers the ids of what it stored.
const duplicates = 10 * time.Minute

// makeStream makes the stream of delivered messages. One that is there keeps its messages, and how often it is replicated.
func (c *conn) makeStream(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, dialTimeout, errSilent)
	defer cancel()
	config := jetstream.StreamConfig{Name: c.group.stream(), Replicas: 1}
	if s, err := c.js.Stream(ctx, config.Name); err == nil {
		config = s.CachedInfo().Config
	} else if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return c.reason(ctx, err)
	}
	config.Subjects = []string{c.group.full("data.>")}
	config.Storage = jetstream.FileStorage
	config.MaxBytes = c.maxBytes
	config.Discard = jetstream.DiscardNew // what is full refuses: a message that is acknowledged stays
	config.Duplicates = duplicates
	// Nothing removes single messages. An agent chooses on which subject the server acknowledges a delivery, so that must hold
	// for whatever subject it chooses.
	config.DenyDelete, config.DenyPurge = true, true
	_, err := c.js.CreateOrUpdateStream(ctx, config)
	return c.reason(ctx, err)
}

// errSilent is the error of a server that takes requests of JetStream and does not answer them.
var errSilent = errors.New("JetStream does not answer, which keeps what agents deliver")

// Remove removes what was delivered, with the stream. A controller calls it when it has stored the result elsewhere.
// Without it messages stay on a team's server for good.
func Remove(ctx context.Context, connection cluster.Conn) error {
	c := connection.(*conn)
	if c.agent {
		return fmt.Errorf("only a controller may remove what was delivered")
	}
	err := c.js.DeleteStream(ctx, c.group.stream())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	return err
}
