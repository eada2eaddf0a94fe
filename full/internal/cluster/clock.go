package cluster

import (
	"context"
	"sync"
)

// offsets are measurements of how far an agent's CLOCK_MONOTONIC is ahead of the controller's. Each is the exchange of the
// shortest round trip of several, as in Cristian, Probabilistic clock synchronization (1989): the error is at most half of
// that round trip.
type offsets struct {
	mu          sync.Mutex
	first, last offset
	shortest    int64 // round trip so far, ns
}

type offset struct {
	at    int64 // by the controller's clock, ns
	ahead int64 // ns
	bound int64 // the error of ahead is at most this, ns
}

// Exchanges of the first measurement, and of later ones.
const (
	firstExchanges = 32
	laterExchanges = 8
)

// measure makes n exchanges. ping returns the agent's clock; now is the controller's.
func (o *offsets) measure(ctx context.Context, n int, now func() int64, ping func(context.Context) (int64, error)) error {
	var best offset
	trip := int64(-1)
	for range n {
		sent := now()
		theirs, err := ping(ctx)
		if err != nil {
			return err
		}
		back := now()
		if d := back - sent; trip < 0 || d < trip {
			trip = d
			best = offset{at: sent + d/2, ahead: theirs - (sent + d/2), bound: (d + 1) / 2}
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.first.at == 0 {
		o.first, o.shortest = best, trip
	}
	o.last, o.shortest = best, min(o.shortest, trip)
	return nil
}

// best returns the latest measurement.
func (o *offsets) best() offset {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.last
}

// drift returns by how many ns per second the difference of the clocks grows. It is 0 after one measurement.
func (o *offsets) drift() float64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last.at == o.first.at {
		return 0
	}
	return float64(o.last.ahead-o.first.ahead) / (float64(o.last.at-o.first.at) / 1e9)
}
