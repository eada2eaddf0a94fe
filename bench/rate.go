package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/pace"
	"github.com/tarebench/tare/record"
)

// Rate measures the latency of operations that come on a schedule, perSecond of
// them, whether or not those before have ended: as users come who do not wait
// for each other. The body is the loop that other calls have, too; its Next
// waits until an operation is due. Operations are evenly spaced, or random with
// [Poisson]; the workers (one, or [Workers]) claim them in the order in which
// they are due.
//
//	bench.Rate(b, 5000, func(w *bench.Worker) {
//		for w.Next() {
//			client.Get(key(w.Rand()))
//		}
//	}, bench.Workers(8), bench.Poisson())
//
// The latency reported, ns/op on average and as percentiles p50-ns … max-ns, is
// the response time: from when the operation was due to its end. An operation
// that waits because the one before took too long has that in its latency;
// a loop that times its calls alone leaves it out ("coordinated omission").
// Beside it stand the service time, from the begin to the end, and how late
// operations began for which a worker was waiting: that is this package's own
// error.
//
// Where operations come faster than the workers can do them, latencies are those
// of a queue that grows as long as one measures, and say nothing else. This is
// said in words: "asked 5000/s, reached 3100/s".
//
// A window ends with its time or, under -benchtime=100x, with so many
// operations. Operations that run when it closes are waited for, and count.
func Rate(b *testing.B, perSecond float64, body func(w *Worker), parts ...Part) {
	b.Helper()
	c := newConfig(callRate, parts).single(body)
	c.rate = perSecond
	measure(b, c)
}

// schedule is when operations are due in a window of so many operations, or if
// that is 0, of that length.
func (c *config) schedule(seed record.Seed, count int64, length time.Duration) pace.Config {
	p := pace.Config{Rate: c.rate, Poisson: c.poisson, Seed: uint64(seed), Ops: uint64(count)}
	if count == 0 {
		p.For = length
	}
	return p
}

// pacers are what the workers of Rate wait with; nil of other calls.
type pacers struct{ group *pace.Group }

func (p *pacers) Close() {
	if p != nil {
		p.group.Close() // the error is that of descriptors that were closed before
	}
}

// paced gives the crews of Rate their schedules and clocks.
func (win *window) paced(c *config) (*pacers, error) {
	if c.call != callRate {
		return nil, nil
	}
	group, err := pace.NewGroup(pace.Hybrid, win.done)
	if err != nil {
		return nil, err
	}
	ps := &pacers{group}
	for _, crew := range win.crews {
		if err := crew.pacing.init(c.schedule(win.seed+record.Seed(win.iter), win.count, win.length), crew.cfg.Workers, group); err != nil {
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

// judge says whether the schedule was kept.
func (r *result) judge(win *window, x *crew, c *config, o outcome) {
	closed := o.closed
	if win.count == 0 {
		closed = x.pacing.end
	}
	a := x.pacing.settle(x.workers, closed, c.rate, r.whole.rate/max(r.whole.perNext, 1))
	if !a.missed(closed-o.opened, len(x.workers)) {
		return
	}
	r.doubts = append(r.doubts, doubt{
		code:   "rate-missed",
		text:   fmt.Sprintf("asked %s, reached %s: latencies are the growth of a queue", rate(a.asked, 6), rate(a.reached, 2)),
		detail: fmt.Sprintf("%d operations that were due never began, the oldest for %v", a.unsent, time.Duration(a.oldest).Round(time.Millisecond)),
		advice: "ask for less, or give it more workers with bench.Workers",
	})
}
