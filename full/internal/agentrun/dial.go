package agentrun

import (
	"context"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/nats"
)

// dialWait is the time between two attempts to find the server.
const dialWait = time.Second

// dial connects an agent. It waits for a server that is not there yet, and tells that once; all other errors end it.
func dial(ctx context.Context, c nats.DialConfig, note func(string)) (cluster.Conn, error) {
	noted := false
	for {
		conn, err := nats.Dial(ctx, c)
		if err == nil || !nats.IsAbsent(err) {
			return conn, err
		}
		if !noted {
			note("waiting: " + err.Error())
			noted = true
		}
		select {
		case <-time.After(dialWait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
