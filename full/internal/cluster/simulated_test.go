package cluster_test

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// A simulated engine does what load.Run does in an open loop, in fake time: one goroutine, workers without limit, latencies
// that follow from the number of the operation.
type simulated struct {
	config   load.Config
	clock    func() int64
	schedule *pace.Schedule // of what is sent
	fellDue  *pace.Schedule // of what is due
	start    int64
	due      int64 // operations
	sent     int64
	answers  []answer // in flight, the next one first
	done     int64
	parts    [2]map[string]*hist.Histogram // of the interval, and of the phase
	next     struct {
		k  uint64
		at time.Duration
		ok bool
	}
}

type answer struct {
	at, due, start int64
	k              uint64
}

const simulatedKind = "GET"

// serviceTime is how long operation k takes.
func serviceTime(k uint64) time.Duration { return time.Duration(k*2654435761%40000) * time.Microsecond }

// shareOf returns the share of a phase as its schedules need it.
func shareOf(c load.Config) *pace.Share {
	return (*pace.Share)(reflect.ValueOf(c.Share).Elem().FieldByName("ops").Elem().UnsafePointer())
}

func newSimulated(c load.Config, clock func() int64) (*simulated, error) {
	p := pace.Config{Rate: c.Schedule.Rate, Poisson: c.Schedule.Poisson, Seed: c.Seed, For: c.Duration, Mine: shareOf(c)}
	e := &simulated{config: c, clock: clock, parts: [2]map[string]*hist.Histogram{{}, {}}}
	var err error
	if e.schedule, err = pace.New(p); err != nil {
		return nil, err
	}
	e.fellDue, err = pace.New(p)
	return e, err
}

// run runs a phase.
func (e *simulated) run(ctx context.Context, t load.Target) (*load.Interval, error) {
	w, err := t.Worker(ctx, 0)
	if err != nil {
		return nil, err
	}
	if e.start, err = e.config.Ready(ctx); err != nil {
		return nil, err
	}
	e.claim()
	length := int64(e.config.Interval)
	tick, last := e.start+length, e.start
	deadline := e.start + int64(e.config.Duration)
	for {
		until := tick
		if e.next.ok {
			until = min(until, e.start+int64(e.next.at))
		} else if e.clock() < deadline {
			until = min(until, deadline)
		}
		if len(e.answers) > 0 {
			until = min(until, e.answers[0].at)
		}
		if !wait(ctx, time.Duration(until-e.clock())) {
			break
		}
		now := e.clock()
		e.answer(now)
		for e.next.ok && e.start+int64(e.next.at) <= now && ctx.Err() == nil {
			e.send(ctx, w)
		}
		if !e.next.ok && len(e.answers) == 0 && now >= deadline {
			break
		}
		if now >= tick {
			e.interval(last, now)
			last = now
			tick += (now-tick)/length*length + length
		}
	}
	now := e.clock()
	if now > last {
		e.interval(last, now)
	}
	whole := e.counts(0, e.start, max(min(now, deadline)-e.start, 1))
	whole.Final, whole.Latencies = true, latencies(e.parts[1])
	e.config.Status(whole)
	return whole, context.Cause(ctx)
}

func (e *simulated) claim() { e.next.k, e.next.at, e.next.ok = e.schedule.Claim() }

// send sends the next operation. One that has no lease stays in flight.
func (e *simulated) send(ctx context.Context, w load.Worker) {
	due := e.start + int64(e.next.at)
	w.Prepare(e.next.k)
	e.sent++
	at := e.clock() + int64(serviceTime(e.next.k))
	if w.Do(ctx, nil) != nil {
		at = 1 << 62
	}
	e.answers = append(e.answers, answer{at: at, due: due, start: e.clock(), k: e.next.k})
	slices.SortFunc(e.answers, func(a, b answer) int { return cmp.Compare(a.at, b.at) })
	e.claim()
}

// answer takes what was answered.
func (e *simulated) answer(now int64) {
	for len(e.answers) > 0 && e.answers[0].at <= now {
		a := e.answers[0]
		e.answers = e.answers[1:]
		e.done++
		for _, part := range e.parts {
			for tag, v := range map[string]int64{record.TagResponse: a.at - a.due, record.TagService: a.at - a.start} {
				if part[tag] == nil {
					part[tag] = &hist.Histogram{}
				}
				part[tag].Record(v)
			}
		}
	}
}

func (e *simulated) counts(iter int, start, length int64) *load.Interval {
	n, _ := e.fellDue.Skip(min(time.Duration(e.clock()-e.start+1), e.config.Duration))
	e.due = max(e.due+int64(n), e.sent)
	return &load.Interval{Load: record.Load{
		Phase: e.config.Phase, Iter: iter, Start: start, Length: length, Scheduled: e.due, Started: e.sent, Completed: e.done,
		Unsent: e.due - e.sent, Unfinished: e.sent - e.done, Workers: e.config.Workers,
	}}
}

func (e *simulated) interval(start, end int64) {
	i := e.counts(1, start, end-start)
	i.Latencies = latencies(e.parts[0])
	e.parts[0] = map[string]*hist.Histogram{}
	e.config.Status(i)
}

func latencies(part map[string]*hist.Histogram) (all []load.Latency) {
	for _, tag := range []string{record.TagResponse, record.TagService} {
		if h := part[tag]; h != nil {
			all = append(all, load.Latency{Kind: simulatedKind, Tag: tag, Hist: h})
		}
	}
	return all
}

// wait waits for a time, and reports false if the context ends first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
