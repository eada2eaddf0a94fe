package cluster

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// An agentPhase is a phase that an agent runs.
type agentPhase struct {
	agent   *agent
	belongs string // the run
	order   *phaseOrder
	number  int
	share   *load.Share
	ended   chan struct{} // closed when everything was handed to the sender
	at      chan int64    // when to start
	cancel  context.CancelCauseFunc
	ctx     context.Context

	mu    sync.Mutex
	phase string // a state
	spans []span // later owners of operations that no batch has included
	moved *span  // the last of all; nil: there is none

	// Of the goroutine of the engine.
	start     int64        // when operation 0 is due, by the clock of this machine
	next      batch        // what comes with it
	seq, last int          // batches and intervals so far
	late      atomic.Int64 // of the first operation …
	first     atomic.Bool  // … which was answered
}

func newAgentPhase(a *agent, run string, o *phaseOrder) (*agentPhase, error) {
	p := &agentPhase{agent: a, belongs: run, order: o, number: o.Phase, ended: make(chan struct{}), at: make(chan int64, 1), phase: stateOpening}
	var err error
	if p.share, err = load.NewShare(o.Owners, o.Me); err != nil {
		return nil, err
	}
	for _, s := range o.Spans {
		if err := p.share.Reassign(s.From, s.Owners); err != nil {
			return nil, err
		}
	}
	p.ctx, p.cancel = context.WithCancelCause(a.ctx)
	return p, nil
}

func (p *agentPhase) state() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.phase
}

func (p *agentPhase) set(state string) {
	p.mu.Lock()
	p.phase = state
	p.mu.Unlock()
	a := p.agent
	a.mu.Lock()
	b := a.beat()
	a.mu.Unlock()
	a.publish(b) // at once
}

// begin has the workers start at a time.
func (p *agentPhase) begin(at int64) error {
	select {
	case p.at <- at:
	default: // the order came twice
	}
	return nil
}

// reassign gives operations to other owners.
func (p *agentPhase) reassign(s span) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.share.Decided() > s.From && p.moved != nil && p.moved.From == s.From {
		return nil // the order came twice
	}
	if err := p.share.Reassign(s.From, s.Owners); err != nil {
		return err
	}
	p.spans, p.moved = append(p.spans, s), &s
	return nil
}

// stop ends the phase early. The first reason counts.
func (p *agentPhase) stop(why error) { p.cancel(why) }

// run runs the phase and delivers its counts.
func (p *agentPhase) run(t load.Target) {
	defer close(p.ended)
	defer p.cancel(nil)
	c := p.order.Config.Config
	c.Share, c.Ready, c.Status = p.share, p.ready, p.status
	c.Observe = p.observe
	total, err := p.agent.engine(p.ctx, &leasedTarget{t, p}, c, p.line)
	if err != nil && p.agent.ctx.Err() != nil {
		err = errLeft
	}
	b := p.next
	b.Done = &done{Err: failureOf(err), StartLate: p.late.Load(), Totals: map[string]int64{}}
	if total != nil {
		b.Load, b.First = shifted(&total.Load, p.agent.ahead), total.First
		for _, l := range total.Latencies {
			if l.Tag == record.TagUnanswered || l.Tag == record.TagUnansweredService { // no interval has them
				b.Counts = append(b.Counts, counts{l.Kind, l.Tag, l.Hist.AppendCounts(nil)})
				continue
			}
			b.Done.Totals[l.Kind+" "+l.Tag] = l.Hist.Count()
		}
		b.Done.Times = timesOf(total.Latencies)
	}
	p.send(&b)
	p.set(stateDone)
}

// ready waits for the order to start.
func (p *agentPhase) ready(ctx context.Context) (int64, error) {
	p.set(stateReady)
	select {
	case at := <-p.at:
		p.start = at - p.agent.ahead
		p.set(stateRunning)
		return p.start, nil
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// observe notes how late the first operation was sent.
func (p *agentPhase) observe(o load.Operation) {
	if !p.first.Load() && p.first.CompareAndSwap(false, true) {
		p.late.Store(o.Start - o.Due)
	}
	if f := p.agent.Observe; f != nil && p.order.Role == RoleRun {
		f(o)
	}
}

// line takes what only lines say.
func (p *agentPhase) line(l record.Line) error {
	switch l := l.(type) {
	case *record.Warn:
		p.next.Warnings = append(p.next.Warnings, *l)
	case *record.Overhead:
		p.next.Clock = l.Clock
	}
	return nil
}

// status delivers an interval.
func (p *agentPhase) status(i *load.Interval) {
	if i.Final {
		return
	}
	b := p.next
	p.next = batch{}
	b.Load, b.First = shifted(&i.Load, p.agent.ahead), i.First
	for _, l := range i.Latencies {
		b.Counts = append(b.Counts, counts{l.Kind, l.Tag, l.Hist.AppendCounts(nil)})
	}
	length := int64(p.order.Config.Interval)
	end := i.Start + i.Length - p.start
	p.last = max(p.last+1, int((end+length/2)/length))
	b.Interval = p.last
	p.send(&b)
}

func (p *agentPhase) send(b *batch) {
	p.seq++
	b.Run, b.ID, b.Phase, b.Seq = p.belongs, p.agent.ID, p.number, p.seq
	if p.seq == 1 {
		b.Began, b.Start = p.order, p.start+p.agent.ahead
	}
	p.mu.Lock()
	b.Spans, p.spans = p.spans, nil
	p.mu.Unlock()
	p.agent.deliver(b)
}

// shifted returns counts whose start is by a clock that is ahead, ns. Other times in them count from the start.
func shifted(l *record.Load, ahead int64) *record.Load {
	out := *l
	out.Start += ahead
	return &out
}

// timesOf returns percentiles over all kinds of operations.
func timesOf(all []load.Latency) (t agentTimes) {
	for tag, into := range map[string]**record.AgentTimes{record.TagResponse: &t.Response, record.TagService: &t.Service, record.TagLateness: &t.Lateness} {
		var sum hist.Histogram
		for _, l := range all {
			if l.Tag == tag && !load.IsPart(l.Kind) {
				sum.Merge(l.Hist) // histograms of one configuration
			}
		}
		if sum.Count() > 0 {
			p := sum.Percentiles()
			*into = &record.AgentTimes{Count: sum.Count(), P50: p.P50, P99: p.P99, P999: p.P999, Max: sum.Max()}
		}
	}
	return t
}
