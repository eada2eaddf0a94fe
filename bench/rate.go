package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

// Rate measures the latency of operations on a schedule of perSecond operations per second (an open loop):
// operations become due whether or not earlier ones have ended, like requests of users who do not wait for
// each other. In the body, Next waits until an operation is due. Operations are evenly spaced, or random with
// [Poisson]. The workers (one, or [Workers]) claim them in the order in which they are due.
//
//	bench.Rate(b, 5000, func(w *bench.Worker) {
//		for w.Next() {
//			client.Get(key(w.Rand()))
//		}
//	}, bench.Workers(8), bench.Poisson())
//
// The reported latency, the mean ns/op and the percentiles p50-ns … max-ns, is the response time: from when
// the operation was due to its end. It includes waiting for earlier operations, which a loop that times only
// its calls omits ("coordinated omission"). Rate also reports the service time, from begin to end, and the
// lateness: how late operations began although a worker was waiting, which is this package's own error.
//
// If operations become due faster than the workers can do them, the latencies only show a queue that grows
// throughout the window. Rate then warns: "target 5000/s, achieved 3100/s".
//
// A window ends after -benchtime or, with -benchtime=100x, after 100 operations. Operations in progress are
// completed and count.
func Rate(b *testing.B, perSecond float64, body func(w *Worker), options ...Option) {
	b.Helper()
	c := newConfig(callRate, options).single(body)
	c.rate = perSecond
	measure(b, c)
}

// schedule returns the schedule of a window of count operations, or of the given length if count is 0.
func (c *config) schedule(seed record.Seed, count int64, length time.Duration) pace.Config {
	p := pace.Config{Rate: c.rate, Poisson: c.poisson, Seed: uint64(seed), Ops: uint64(count)}
	if count == 0 {
		p.For = length
	}
	return p
}

// pacers are the clocks with which the workers of Rate wait; nil in other calls.
type pacers struct{ group *pace.Group }

func (p *pacers) Close() {
	if p != nil {
		p.group.Close() // fails only for descriptors that are already closed
	}
}

// nextDue gives the roles of Rate their schedules and clocks.
func (win *window) nextDue(c *config) (*pacers, error) {
	if c.call != callRate {
		return nil, nil
	}
	group, err := pace.NewGroup(pace.Hybrid, win.done)
	if err != nil {
		return nil, err
	}
	ps := &pacers{group}
	for _, roleGroup := range win.roleGroups {
		if err := roleGroup.pacing.init(c.schedule(win.seed+record.Seed(win.iter), win.count, win.length), roleGroup.cfg.Workers, group); err != nil {
			ps.Close()
			return nil, err
		}
	}
	return ps, nil
}

func (p *pacing) init(conf pace.Config, workers int, group *pace.Group) error {
	s, err := pace.New(conf)
	if err != nil {
		return err
	}
	p.schedule = s
	for range workers {
		clock, err := group.Pacer()
		if err != nil {
			return err
		}
		p.clocks = append(p.clocks, clock)
	}
	return nil
}

// judge adds a warning if the rate was missed.
func (r *result) judge(win *window, x *roleGroup, c *config, o outcome) {
	closed := o.closed
	if win.count == 0 {
		closed = x.pacing.end
	}
	a := x.pacing.settle(x.workers, closed, c.rate, r.whole.rate/max(r.whole.perNext, 1))
	if !a.missed(closed-o.opened, len(x.workers)) {
		return
	}
	r.warnings = append(r.warnings, warning{
		diagnosis.WarnForm(diagnosis.RateMissed, "bench", diagnosis.Facts{"target": units.Trimmed(a.target, 6) + "/s", "achieved": units.Trimmed(a.achieved, 2) + "/s"}),
		fmt.Sprintf("%d operations that were due never began, the oldest for %v", a.unsent, time.Duration(a.oldest).Round(time.Millisecond)),
	})
}
