package cluster_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/faulty"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// TestOtherClocks: with clocks that differ by hours every operation is sent once, and all times are by the controller's
// clock.
func TestOtherClocks(t *testing.T) {
	seed := rand.Uint64()
	n := faulty.New(seed)
	k, err := cluster.NewController(t.Context(), n.Conn("controller", false), cluster.Config{Name: "run", OnLoss: cluster.LossContinue, AllowSkew: true, Timing: cluster.DefaultTiming()})
	if err != nil {
		t.Fatal(err)
	}
	g := &group{controller: k}
	ahead := map[string]int64{"agent-0": -5 * int64(time.Hour), "agent-1": 0, "agent-2": 7 * int64(time.Hour)}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	t.Cleanup(func() {
		k.Close(true)
		cancel()
		running.Wait()
	})
	for id, distance := range ahead {
		a := &seen{}
		g.agents = append(g.agents, a)
		running.Go(func() {
			conn := n.Conn(id, true)
			defer conn.Close()
			cluster.RunAgent(ctx, conn, cluster.AgentConfig{
				Machine: cluster.Machine{Name: id}, ID: id, Timing: cluster.DefaultTiming(), Observe: a.observe,
				Clock: func() int64 { return clock.Now() + distance },
				Open:  func(context.Context, []byte) (cluster.System, error) { return a, nil },
			})
		})
	}
	if err := k.Join(t.Context(), cluster.Wanted{Count: 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Open(t.Context(), []byte("{}"), cluster.Limits{}); err != nil {
		t.Fatal(err)
	}
	c := load.Config{Schedule: load.Schedule{Rate: 1000}, Operations: 400, Interval: 100 * time.Millisecond, Workers: 6, Phase: record.LoadRun, Seed: seed}
	var lines []record.Line
	began := clock.Now()
	total, err := k.Run(t.Context(), cluster.RoleRun, c, func(l record.Line) error { lines = append(lines, l); return nil })
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	g.compare(t, c, total, lines)
	agents := 0
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Agent:
			agents++
			if off := l.Offset - ahead[l.Name]; max(off, -off) > l.OffsetError {
				t.Errorf("seed %d: agent %s is %d ns ahead ± %d, not %d", seed, l.Name, l.Offset, l.OffsetError, ahead[l.Name])
			}
		case *record.Load:
			if l.Start < began || l.Start > clock.Now() {
				t.Errorf("seed %d: an interval began at %d, the run at %d", seed, l.Start, began)
			}
		}
	}
	if agents != 3 {
		t.Errorf("seed %d: %d lines of agents", seed, agents)
	}
}
