package load_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/tarebench/tare/load"
)

// observed is a target of two kinds: the second contains one of the first, and fails.
type observed struct{}

func (observed) Kinds() []string                                    { return []string{"READ", "BOTH"} }
func (o observed) Worker(context.Context, int) (load.Worker, error) { return &observedWorker{}, nil }
func (observed) Close() error                                       { return nil }

type observedWorker struct{ kind int }

func (w *observedWorker) Prepare(k uint64) int { w.kind = int(k % 2); return w.kind }
func (w *observedWorker) Do(_ context.Context, t *load.Timer) error {
	if w.kind == 0 {
		return nil
	}
	t.Sub(0, t.Now(), nil)
	return errors.New("no")
}
func (w *observedWorker) Done(err error) error { return err }
func (w *observedWorker) Close() error         { return nil }

// TestObserve: every operation is observed once, with those inside others, in open and closed loops.
func TestObserve(t *testing.T) {
	for _, rate := range []float64{0, 1e5} {
		var kinds [2]atomic.Int64
		var failed, early atomic.Int64
		c := load.Config{Operations: 100, Workers: 3, Schedule: load.Schedule{Rate: rate}, Observe: func(o load.Operation) {
			kinds[o.Kind].Add(1)
			if o.Failed {
				failed.Add(1)
			}
			if o.End < o.Start || rate == 0 && o.Due != o.Start || o.Start < o.Due {
				early.Add(1)
			}
		}}
		if _, err := load.Run(context.Background(), observed{}, c, nil); err != nil {
			t.Fatal(err)
		}
		if kinds[0].Load() != 100 || kinds[1].Load() != 50 || failed.Load() != 50 || early.Load() != 0 {
			t.Errorf("rate %v: %d reads, %d others, %d failed, %d in a wrong order", rate, kinds[0].Load(), kinds[1].Load(), failed.Load(), early.Load())
		}
	}
}
