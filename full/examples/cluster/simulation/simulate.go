package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/faulty"
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

type settings struct {
	agents   int
	rate     float64 // operations of each agent per second
	duration time.Duration
	seed     uint64
}

// outcome is what came of a run.
type outcome struct {
	joined   time.Duration // until all agents had joined and their clocks were measured
	started  time.Duration // from then until operation 0 was due
	messages int64         // that the controller received with counts, those included that came twice
	bytes    int64
	merge    time.Duration // the controller's time for one of them, the median
	sent     int64         // operations that the agents sent
	recorded int64         // operations in the histograms of the record
	total    record.Load
	missing  int // intervals of agents that did not arrive
}

// faults are those of a bad network. Nothing of them may cost a count.
var faults = faulty.Faults{
	Loss: 0.05, Duplicate: 0.05, Reorder: 0.02, RequestLoss: 0.0005, AnswerLoss: 0.0005, StoreLoss: 0.02, AckLoss: 0.02,
	MinDelay: time.Millisecond, MaxDelay: 20 * time.Millisecond,
}

// maxSkew is how far clocks are from that of the controller, at most.
const maxSkew = 12 * time.Hour

// timing is slower than that of real runs: all agents share the processors of this machine.
var timing = cluster.Timing{
	Beat: time.Second, Lost: 30 * time.Second, Lease: 60 * time.Second, Lead: time.Second, Order: 2 * time.Second, Clock: 10 * time.Second,
}

func simulate(ctx context.Context, s settings) (*outcome, error) {
	network := faulty.New(s.seed)
	network.Set(faults)
	conn := &receiving{Conn: network.Conn("controller", false)}
	k, err := cluster.NewController(ctx, conn, cluster.Config{Name: "simulation", OnLoss: cluster.LossContinue, Timing: timing})
	if err != nil {
		return nil, err
	}
	var sent atomic.Int64
	end := startAgents(ctx, network, s, nothing{&sent})
	defer end()
	defer k.Close(true)

	begin := time.Now()
	if err := k.Join(ctx, cluster.Wanted{Count: s.agents}); err != nil {
		return nil, err
	}
	r := &outcome{joined: time.Since(begin)}
	if _, err := k.Open(ctx, []byte("{}"), cluster.Limits{}); err != nil {
		return nil, err
	}
	ready := clock.Now()
	c := load.Config{
		Schedule: load.Schedule{Rate: s.rate * float64(s.agents)}, Duration: s.duration, Interval: time.Second, Seed: s.seed,
		Workers: s.agents, Pace: load.PaceSleep, Drain: 5 * time.Second, Phase: record.LoadRun,
	}
	whole, err := k.Run(ctx, cluster.RoleRun, c, r.take)
	if err != nil {
		return nil, err
	}
	r.total, r.sent, r.started = whole.Load, sent.Load(), time.Duration(whole.Start-ready)
	r.messages, r.bytes, r.merge = conn.figures()
	return r, nil
}

// startAgents starts the agents. end ends them.
func startAgents(ctx context.Context, network *faulty.Network, s settings, t nothing) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	random := rand.New(rand.NewPCG(s.seed, 1))
	var running sync.WaitGroup
	for i := range s.agents {
		id, skew := fmt.Sprintf("agent-%d", i), random.Int64N(2*int64(maxSkew))-int64(maxSkew)
		running.Go(func() {
			conn := network.Conn(id, true)
			defer conn.Close()
			cluster.RunAgent(ctx, conn, cluster.AgentConfig{
				Machine: cluster.Machine{Name: id, Host: id, Cores: 1}, ID: id, Timing: timing,
				Clock: func() int64 { return clock.Now() + skew },
				Open:  func(context.Context, []byte) (cluster.System, error) { return t, nil },
			})
		})
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// take takes a line of the record.
func (r *outcome) take(l record.Line) error {
	switch l := l.(type) {
	case *record.Hist:
		if l.Tag == record.TagService {
			h, err := hist.Decode(l.Data)
			if err != nil {
				return err
			}
			r.recorded += h.Count()
		}
	case *record.Agent:
		r.missing += l.Missing
	}
	return nil
}

// check returns an error if a count is lost, or does not fit the others.
func (r *outcome) check() error {
	t := &r.total
	switch {
	case r.recorded != r.sent || t.Completed != r.sent:
		return fmt.Errorf("%d operations were sent, %d were counted, and %d are in the histograms", r.sent, t.Completed, r.recorded)
	case t.Scheduled != t.Started+t.Dropped+t.Unsent || t.Started != t.Completed+t.Unfinished || t.Lost != 0:
		return fmt.Errorf("counts do not fit together: %+v", t)
	case r.missing > 0:
		return fmt.Errorf("%d intervals of agents did not arrive", r.missing)
	}
	return nil
}
