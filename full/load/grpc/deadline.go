package grpc

import (
	"context"
	"time"
)

// A deadline is the context of one call. The server gets the deadline; a timer of the worker ends the calls that are late.
// context.WithTimeout would make a timer for each call.
type deadline struct {
	context.Context
	at time.Time
}

func (d *deadline) Deadline() (time.Time, bool) { return d.at, true }
