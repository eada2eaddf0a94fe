package loadrun

import (
	"context"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/ycsb"
	"github.com/tarebench/tare/record"
)

// harnessTime is how long the load generator runs against a system that does nothing.
const harnessTime = 100 * time.Millisecond

// Rates of that run, per second. At a lower one it would measure too few operations; at a higher one the generator may
// fall behind, and would measure its backlog.
const (
	harnessMinRate = 2_000
	harnessMaxRate = 20_000
)

// warmUpHarness runs the load generator against a system that does nothing, with the workers and the pace of the run. It
// starts the threads, grows the heap and loads the code that the run needs, so that the first operations of the run do not
// wait for that. It records the latencies as what the generator itself adds.
func (r *Runner) warmUpHarness(ctx context.Context, s *system) error {
	t, err := r.plan.noop(ctx, s)
	if err != nil {
		return err
	}
	defer t.Close()
	total, err := runPhase(ctx, t, r.plan.harnessConfig(), nil)
	if err != nil || total == nil {
		return nil // the run itself reports what is wrong with the machine, or that it was interrupted
	}
	return r.out.Write(&record.Overhead{Harness: harnessCost(total)})
}

// harnessConfig returns the configuration of the run against a system that does nothing.
func (p *Plan) harnessConfig() load.Config {
	c := load.Config{
		Phase: record.LoadWarmup, Workers: p.Run.Workers, Pace: p.Run.Pace, Seed: p.Run.Seed,
		Duration: harnessTime, Drain: harnessTime, Interval: p.Run.Interval,
	}
	rate := warmupSchedule(p.Run.Schedule).Rate
	switch {
	case len(p.Rates) > 0:
		rate = p.Rates[0]
	case p.Search == nil && rate == 0:
		return c // a closed loop, as the run is
	}
	c.Schedule.Rate = min(max(rate, harnessMinRate), harnessMaxRate)
	return c
}

// harnessCost returns the medians of a run against a system that does nothing.
func harnessCost(total *load.Interval) *record.Harness {
	var service, response hist.Histogram
	for _, l := range total.Latencies {
		switch l.Tag {
		case record.TagService:
			service.Merge(l.Hist) // histograms of one configuration; a difference would leave the sum without them
		case record.TagResponse:
			response.Merge(l.Hist)
		}
	}
	return &record.Harness{Operations: service.Count(), Service: service.Percentiles().P50, Response: response.Percentiles().P50}
}

// noop returns a target that takes the operations of the system's target and does nothing.
func (p *Plan) noop(ctx context.Context, s *system) (load.Target, error) {
	switch t, ok := s.target.(interface{ Idle() load.Target }); {
	case ok: // its phases run in other processes
		return t.Idle(), nil
	case s.db == nil:
		return nothing{}, nil
	}
	db, err := mock.Open(ctx, kv.Settings{Seed: p.Run.Seed})
	if err != nil {
		return nil, err
	}
	w := p.Workload
	w.DataIntegrity = false // nothing comes back
	return ycsb.New(w, db)
}

// nothing is a target whose operations do nothing.
type nothing struct{}

func (nothing) Kinds() []string                                  { return []string{"NOOP"} }
func (nothing) Worker(context.Context, int) (load.Worker, error) { return nothing{}, nil }
func (nothing) Prepare(uint64) int                               { return 0 }
func (nothing) Do(context.Context, *load.Timer) error            { return nil }
func (nothing) Done(err error) error                             { return err }
func (nothing) Close() error                                     { return nil }
