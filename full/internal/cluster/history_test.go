package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/faulty"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// TestHistories: whatever the network does to a run, and whoever dies, the counts add up, no operation is sent twice, nothing
// hangs, and what agents have counted that were not lost is in the record. TARE_HISTORIES says how many runs, and
// TARE_HISTORY_SEED repeats one.
func TestHistories(t *testing.T) {
	histories(t, func(t *testing.T, s *story) { s.run(t) })
}

// histories runs a test for many seeds, each in fake time.
func histories(t *testing.T, f func(*testing.T, *story)) {
	n, first := 80, rand.Uint64()
	if text := os.Getenv("TARE_HISTORIES"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	if text := os.Getenv("TARE_HISTORY_SEED"); text != "" {
		first, _ = strconv.ParseUint(text, 16, 64)
		n = 1
	}
	t.Logf("seeds from %016x", first)
	for i := range n {
		seed := first + uint64(i)
		if !t.Run(fmt.Sprintf("%016x", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { f(t, newStory(seed)) })
		}) && n > 1 {
			t.Logf("seed %016x", seed)
		}
	}
}

func (s *story) run(t *testing.T) {
	ctx, k := s.begin(t)
	events, stop := context.WithCancel(ctx)
	calm := make(chan struct{})
	go func() {
		defer close(calm)
		s.disturb(events, ctx)
	}()
	var lines []record.Line
	whole, err := k.Run(ctx, cluster.RoleRun, s.config, func(l record.Line) error { lines = append(lines, l); return nil })
	stop()
	<-calm
	s.network.Set(faulty.Faults{})
	s.network.Start()
	if ctx.Err() != nil {
		t.Fatalf("it hangs: %v", err)
	}
	k.Close(err == nil)
	s.check(t, whole, lines, err)
}

// TestControllerDies: what agents have counted of a run whose controller ended at any time is gathered by another one, all of it.
func TestControllerDies(t *testing.T) {
	histories(t, func(t *testing.T, s *story) {
		ctx, k := s.begin(t)
		run, end := context.WithCancel(ctx)
		over := make(chan struct{})
		go func() {
			defer close(over)
			k.Run(run, cluster.RoleRun, s.config, nil)
		}()
		disturb, calm := context.WithCancel(ctx)
		quiet := make(chan struct{})
		go func() {
			defer close(quiet)
			s.cutOff(disturb)
		}()
		wait(ctx, 700*time.Millisecond+time.Duration(s.random.Int64N(int64(s.config.Duration))))
		s.network.Kill("run")
		s.note("the controller is killed")
		end()
		<-over
		k.Close(false)
		calm()
		<-quiet
		s.network.Set(faulty.Faults{})
		kept := 0 // agents that had the order in time
		wait(ctx, 10*time.Second)
		for _, store := range s.stores {
			kept += len(store.Runs())
		}
		if kept == 0 {
			return
		}
		again := s.controller(t, ctx, cluster.Config{Name: "again", Gathered: "run"})
		if err := again.Join(ctx, cluster.Wanted{Count: kept}); err != nil {
			t.Fatal(err)
		}
		var lines []record.Line
		if err := again.Gather(ctx, "run", func(cluster.Phase) load.Sink {
			return func(l record.Line) error { lines = append(lines, l); return nil }
		}); err != nil {
			t.Fatal(err)
		}
		again.Close(true)
		s.checkGathered(t, lines)
	})
}
