package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
)

// receiving is the controller's connection. It notes how long the controller takes to decode and add up each message.
type receiving struct {
	cluster.Conn

	mu    sync.Mutex
	took  []time.Duration
	bytes int64
}

func (r *receiving) Receive(ctx context.Context, prefix string, f func(cluster.Message) error) error {
	return r.Conn.Receive(ctx, prefix, func(m cluster.Message) error {
		begin := time.Now()
		err := f(m)
		took := time.Since(begin)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.took, r.bytes = append(r.took, took), r.bytes+int64(len(m.Data))
		return err
	})
}

// figures returns the number of messages, their bytes, and the median of the times: others may have had the processor
// meanwhile, of which the median is free as long as that is rare.
func (r *receiving) figures() (messages, bytes int64, median time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.took) == 0 {
		return 0, 0, 0
	}
	slices.Sort(r.took)
	return int64(len(r.took)), r.bytes, r.took[len(r.took)/2]
}
