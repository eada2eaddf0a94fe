package loadrun

import (
	"context"
	"sync"

	"github.com/tarebench/tare/load"
)

// keeper keeps the workers of a target, with their connections, over several phases: a window
// that began with new connections would measure connecting.
type keeper struct {
	load.Target
	ctx context.Context // of the workers

	mu   sync.Mutex
	idle map[int]*kept
	most int // workers that there were at once
}

func newKeeper(ctx context.Context, t load.Target) *keeper {
	return &keeper{Target: t, ctx: ctx, idle: map[int]*kept{}}
}

// Worker returns worker n of earlier phases, or a new one. If the context of the phase is
// cancelled before the worker is closed, an operation did not return: then the worker is
// closed with its connection, and the next phase gets a new one.
func (k *keeper) Worker(phase context.Context, n int) (load.Worker, error) {
	k.mu.Lock()
	w := k.idle[n]
	delete(k.idle, n)
	k.most = max(k.most, n+1)
	k.mu.Unlock()
	if w == nil {
		ctx, cancel := context.WithCancel(k.ctx)
		inner, err := k.Target.Worker(ctx, n)
		if err != nil {
			cancel()
			return nil, err
		}
		w = &kept{Worker: inner, keeper: k, n: n, cancel: cancel}
	}
	w.before = w.traffic()
	w.stop = context.AfterFunc(phase, w.cancel)
	return w, nil
}

// Close closes the workers. The target is the caller's.
func (k *keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.idle {
		w.Worker.Close()
		w.cancel()
	}
	clear(k.idle)
	return nil
}

// kept is a worker whose Close keeps its connection for the next phase.
type kept struct {
	load.Worker
	keeper *keeper
	n      int
	cancel context.CancelFunc
	stop   func() bool
	before load.Traffic // of earlier phases
}

func (w *kept) traffic() (t load.Traffic) {
	if c, ok := w.Worker.(load.TrafficCounter); ok {
		c.AddTraffic(&t)
	}
	return t
}

// AddTraffic implements [load.TrafficCounter]: it adds what was counted in this phase.
func (w *kept) AddTraffic(t *load.Traffic) {
	now := w.traffic()
	for status, n := range now.Statuses {
		t.AddStatus(status, n-w.before.Statuses[status])
	}
	t.Sent += now.Sent - w.before.Sent
	t.Received += now.Received - w.before.Received
	t.Rows += now.Rows - w.before.Rows
}

// AppendOperation implements [load.Describer].
func (w *kept) AppendOperation(b []byte, part int) []byte {
	if d, ok := w.Worker.(load.Describer); ok {
		return d.AppendOperation(b, part)
	}
	return b
}

func (w *kept) Close() error {
	if !w.stop() { // an operation did not return in time
		return w.Worker.Close()
	}
	w.keeper.mu.Lock()
	defer w.keeper.mu.Unlock()
	w.keeper.idle[w.n] = w
	return nil
}
