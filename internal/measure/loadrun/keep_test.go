package loadrun

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// connected is a target that counts its workers, whose operations hang while hang is set.
type connected struct {
	opened, closed atomic.Int64
	hang           atomic.Bool
}

func (c *connected) Kinds() []string { return []string{"GET"} }
func (c *connected) Close() error    { return nil }

func (c *connected) Worker(ctx context.Context, n int) (load.Worker, error) {
	c.opened.Add(1)
	return &connection{target: c, ctx: ctx}, nil
}

type connection struct {
	target *connected
	ctx    context.Context
	asked  int64
}

func (c *connection) Prepare(uint64) int { return 0 }
func (c *connection) Done(err error) error {
	return err
}

func (c *connection) Do(context.Context, *load.Timer) error {
	c.asked++
	if c.target.hang.Load() {
		<-c.ctx.Done()
	}
	return c.ctx.Err()
}

func (c *connection) Close() error {
	c.target.closed.Add(1)
	return nil
}

// TestKeeper: workers live through phases, and one that is stuck is replaced.
func TestKeeper(t *testing.T) {
	target := &connected{}
	k := newKeeper(context.Background(), target)
	phase := func() *load.Interval {
		t.Helper()
		total, err := load.Run(context.Background(), k, load.Config{Workers: 2, Operations: 40, Drain: 10 * time.Millisecond}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	for range 5 {
		if total := phase(); total.Completed != 40 || len(total.Errors) != 0 {
			t.Fatalf("%+v", total.Load)
		}
	}
	if target.opened.Load() != 2 || target.closed.Load() != 0 || k.most != 2 {
		t.Errorf("%d workers were opened and %d closed, %d at once", target.opened.Load(), target.closed.Load(), k.most)
	}
	target.hang.Store(true)
	total, err := load.Run(context.Background(), k, load.Config{Workers: 2, Duration: 50 * time.Millisecond, Drain: 10 * time.Millisecond}, nil)
	if err != nil || total.Unfinished != 2 {
		t.Errorf("%v, %d unfinished", err, total.Unfinished)
	}
	target.hang.Store(false)
	if total := phase(); total.Completed != 40 || len(total.Errors) != 0 {
		t.Errorf("after that: %+v", total.Load)
	}
	if target.opened.Load() != 4 || target.closed.Load() != 2 {
		t.Errorf("after that %d were opened and %d closed", target.opened.Load(), target.closed.Load())
	}
	k.Close()
	if target.closed.Load() != 4 {
		t.Errorf("at the end %d were closed", target.closed.Load())
	}
}

// AddTraffic counts an answer and two bytes for each that was asked.
func (c *connection) AddTraffic(t *load.Traffic) {
	t.AddStatus("200", c.asked)
	t.Sent += 2 * c.asked
}

// TestKeeperTraffic: each phase has its own traffic, although its workers are those of the one before.
func TestKeeperTraffic(t *testing.T) {
	k := newKeeper(context.Background(), &connected{})
	defer k.Close()
	for range 3 {
		var got *record.Load
		_, err := load.Run(context.Background(), k, load.Config{Workers: 2, Operations: 40}, func(l record.Line) error {
			if x, ok := l.(*record.Load); ok && x.Final {
				got = x
			}
			return nil
		})
		if err != nil || got.Statuses["200"] != 40 || got.Sent != 80 {
			t.Errorf("%v, %+v; want 40 answers and 80 bytes", err, got)
		}
	}
}
