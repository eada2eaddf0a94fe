package cluster

import (
	"context"

	"github.com/tarebench/tare/load"
)

// A leasedTarget sends operations only while its agent has a lease. An agent that did not run for long has none when it runs
// again, and others may send its operations by then.
type leasedTarget struct {
	load.Target
	phase *agentPhase
}

// Worker implements [load.Target].
func (t *leasedTarget) Worker(ctx context.Context, n int) (load.Worker, error) {
	w, err := t.Target.Worker(ctx, n)
	if err != nil {
		return nil, err
	}
	return &leasedWorker{w, t.phase}, nil
}

type leasedWorker struct {
	load.Worker
	phase *agentPhase
}

// Do implements [load.Worker]. Without a lease it ends the phase, and waits for that: the operation counts as unfinished.
func (w *leasedWorker) Do(ctx context.Context, t *load.Timer) error {
	if a := w.phase.agent; a.withoutLease() >= a.Timing.Lease {
		w.phase.stop(errAlone)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return w.Worker.Do(ctx, t)
}

// AddTraffic implements [load.TrafficCounter].
func (w *leasedWorker) AddTraffic(t *load.Traffic) {
	if c, ok := w.Worker.(load.TrafficCounter); ok {
		c.AddTraffic(t)
	}
}

// AppendOperation implements [load.Describer].
func (w *leasedWorker) AppendOperation(b []byte, part int) []byte {
	if d, ok := w.Worker.(load.Describer); ok {
		return d.AppendOperation(b, part)
	}
	return b
}
