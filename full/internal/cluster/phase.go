package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// A phaseRun is a phase that agents run.
type phaseRun struct {
	k      *Controller
	number int
	role   Role
	config load.Config
	sink   load.Sink
	agents []*member
	due    *dueCount // nil in a closed loop
	start  int64     // when operation 0 is due, by the controller's clock
	stop   error     // why it was ended early; changed under the lock
	step   int       // which phase of its name
	sum    merger

	// Under the controller's lock.
	spans   []span        // owners after the first
	notices []record.Line // of agents that were lost, not written yet
	losses  []error       // that end the phase
	orphans []*member     // whose operations are to be given to others
	moving  bool          // that is being done
}

// A member is an agent in a phase.
type member struct {
	*remote
	place       int   // among the owners
	ahead       int64 // of its clock when the phase began
	unconfirmed bool  // of operations that were given to others
	inbox             // of its batches
}

// Run has the agents run a phase, and returns what load.Run does for all of them together. Lines go to the sink as those
// of one load generator, and a record.Agent for each agent.
func (k *Controller) Run(ctx context.Context, role Role, c load.Config, sink load.Sink) (*load.Interval, error) {
	p, err := k.newPhase(role, c, sink)
	if err != nil {
		return nil, err
	}
	defer k.endPhase()
	if err := p.open(ctx); err != nil {
		p.abandon()
		return nil, err
	}
	if err := p.begin(ctx); err != nil {
		p.abandon()
		return nil, err
	}
	return p.drive(ctx)
}

func (k *Controller) newPhase(role Role, c load.Config, sink load.Sink) (*phaseRun, error) {
	agents := k.alive()
	if len(agents) == 0 {
		return nil, errors.New("all agents are lost")
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.phases++
	k.steps[c.Phase]++
	p := &phaseRun{k: k, number: k.phases, step: k.steps[c.Phase], role: role, config: c, sink: sink}
	var weights []int
	for i, r := range agents {
		weights = append(weights, r.weight)
		p.agents = append(p.agents, &member{remote: r, place: i, inbox: newInbox()})
	}
	owners, err := pattern(weights)
	if err != nil {
		return nil, err
	}
	if p.due, err = newDueCount(c, owners, len(agents)); err != nil {
		return nil, err
	}
	p.sum = newMerger(p)
	p.sum.owners = owners
	k.phase = p
	return p, nil
}

func (k *Controller) endPhase() {
	k.mu.Lock()
	k.phase = nil
	k.mu.Unlock()
}

// open has the agents open their workers, and waits until all are ready.
func (p *phaseRun) open(ctx context.Context) error {
	k := p.k
	var weights []int
	var names []string
	for _, m := range p.agents {
		weights, names = append(weights, m.weight), append(names, m.Name)
	}
	k.mu.Lock()
	before := slices.Clone(k.before[p.role])
	k.mu.Unlock()
	workers, most := divide(p.config.Workers, weights), divide(p.config.MaxOutstanding, weights)
	err := k.each(p.remotes(), func(r *remote) error {
		m := p.memberOf(r)
		c := p.config
		c.Share, c.Status, c.Observe, c.Ready = nil, nil, nil, nil
		c.Workers, c.MaxOutstanding = max(workers[m.place], 1), most[m.place]
		_, err := k.order(ctx, r, order{Phase: &phaseOrder{Phase: p.number, Role: p.role, Config: wireConfig{Config: c}, Owners: p.sum.owners, Me: m.place, Names: names, Before: before}})
		return err
	})
	if err != nil {
		return err
	}
	for {
		ready, err := p.ready()
		if ready || err != nil {
			return err
		}
		select {
		case <-k.changed:
		case <-time.After(k.Timing.Beat):
		case err := <-k.fail:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		k.watch()
	}
}

// ready reports whether all agents are, or why one cannot be.
func (p *phaseRun) ready() (bool, error) {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	all := true
	for _, m := range p.agents {
		switch {
		case m.lost:
			return false, exit.Failed(fmt.Errorf("agent %s was lost before the phase began: %s", m.Name, m.why), "")
		case m.done != nil && m.done.Err != nil:
			return false, m.done.Err.err(m.Name)
		case m.last.Phase != p.number || m.last.State != stateReady:
			all = false
		}
	}
	return all, nil
}

// begin agrees on the start.
func (p *phaseRun) begin(ctx context.Context) error {
	k := p.k
	var worst int64
	for _, m := range p.agents {
		best := m.clock.best()
		if limit := int64(p.config.Interval) / 20; best.bound > limit && !k.AllowSkew {
			return exit.Failed(fmt.Errorf("the clock of agent %s is known within %s only, the limit is a twentieth of the interval, %s", m.Name, time.Duration(best.bound).Round(time.Microsecond), time.Duration(limit)),
				"a longer --status-interval, a better network, or --allow-skew")
		}
		m.ahead = best.ahead
		worst = max(worst, 2*best.bound)
	}
	lead := max(int64(k.Timing.Lead), 4*worst)
	k.mu.Lock()
	p.start = k.Clock() + lead
	k.mu.Unlock()
	return k.each(p.remotes(), func(r *remote) error {
		m := p.memberOf(r)
		_, err := k.order(ctx, r, order{Start: &startOrder{Phase: p.number, At: p.start + m.ahead}})
		return err
	})
}

// abandon ends a phase that could not begin on all agents.
func (p *phaseRun) abandon() {
	ctx, cancel := context.WithTimeout(context.Background(), p.k.Timing.Order)
	defer cancel()
	p.orderStop(ctx, "it could not begin")
}

func (p *phaseRun) orderStop(ctx context.Context, why string) {
	var all []*remote
	for _, r := range p.remotes() {
		if !p.k.isLost(r) {
			all = append(all, r)
		}
	}
	p.k.each(all, func(r *remote) error {
		_, err := p.k.order(ctx, r, order{Stop: &stopOrder{Phase: p.number, Why: why}})
		return err
	})
}

func (p *phaseRun) remotes() (all []*remote) {
	for _, m := range p.agents {
		all = append(all, m.remote)
	}
	return all
}

func (p *phaseRun) memberOf(r *remote) *member {
	for _, m := range p.agents {
		if m.remote == r {
			return m
		}
	}
	return nil
}

// ending is how long agents may take to deliver the rest of a phase that was stopped, besides the drain.
const ending = 10 * time.Second

// drive adds up what the agents deliver until all have ended or are lost.
func (p *phaseRun) drive(ctx context.Context) (*load.Interval, error) {
	k := p.k
	tick := time.NewTicker(k.Timing.Beat / 4)
	defer tick.Stop()
	clocks := time.Now()
	var deadline <-chan time.Time
	cancelled := ctx.Done()
	for {
		select {
		case <-k.changed:
		case <-tick.C:
		case err := <-k.fail:
			p.end(fmt.Errorf("results of the agents cannot be received: %w", err))
		case <-cancelled:
			cancelled = nil
			p.end(context.Cause(ctx))
		case <-deadline:
			p.giveUp()
		}
		k.watch()
		p.giveUpStuck()
		p.settle(ctx)
		if err := p.failure(); err != nil {
			p.end(err)
		}
		if time.Since(clocks) > k.Timing.Clock {
			clocks = time.Now()
			p.measureClocks()
		}
		if err := p.flush(); err != nil {
			p.end(err)
		}
		if p.stop != nil && deadline == nil {
			deadline = time.After(ending + p.config.Drain)
		}
		if p.over() {
			if err := p.noAgentLeft(); err != nil {
				p.end(err)
			}
			return p.finish()
		}
	}
}

// end stops the agents. The first reason counts.
func (p *phaseRun) end(why error) {
	p.k.mu.Lock()
	first := p.stop == nil
	if first {
		p.stop = why
	}
	p.k.mu.Unlock()
	if !first {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(p.k.ctx, ending)
		defer cancel()
		p.orderStop(ctx, why.Error())
	}()
}

// giveUp counts agents that have not delivered the end as lost.
func (p *phaseRun) giveUp() {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	for _, m := range p.agents {
		if m.done == nil {
			m.givenUp = true
			p.k.lose(m.remote, "it did not deliver the rest in time")
		}
	}
}

// stuck is how long an agent may deliver nothing although it has something.
const stuck = 20 * time.Second

// giveUpStuck counts agents as lost that are there and cannot deliver what they counted.
func (p *phaseRun) giveUpStuck() {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	now := time.Now()
	for _, m := range p.agents {
		owes := m.last.Phase == p.number && (m.last.Waiting > 0 || m.last.State == stateDone)
		switch {
		case m.done != nil || m.lost:
		case !owes || m.stuckAt.IsZero() || m.came.After(m.stuckAt) || now.Sub(p.k.deaf) < stuck:
			m.stuckAt = now
		case now.Sub(m.stuckAt) > stuck:
			m.givenUp = true
			p.k.lose(m.remote, fmt.Sprintf("it delivered nothing for %s", stuck))
		}
	}
}

// measureClocks measures the clocks anew, in the background.
func (p *phaseRun) measureClocks() {
	for _, r := range p.remotes() {
		if !p.k.isLost(r) {
			go func() {
				ctx, cancel := context.WithTimeout(p.k.ctx, p.k.Timing.Order)
				defer cancel()
				p.k.measureClock(ctx, r, laterExchanges) // the last measurement stays if this one fails
			}()
		}
	}
}

// over reports whether every agent has ended or is lost.
func (p *phaseRun) over() bool {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	for _, m := range p.agents {
		if m.done == nil && !m.lost {
			return false
		}
	}
	return true
}

// noAgentLeft returns an error if no agent sent to the end of the phase.
func (p *phaseRun) noAgentLeft() error {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	why := ""
	for _, m := range p.agents {
		switch {
		case m.done != nil && m.done.Err == nil:
			return nil
		case m.lost:
			why = m.why
		case m.done != nil:
			why = m.done.Err.Text
		}
	}
	return exit.Failed(fmt.Errorf("no agent is left: %s", why), "what they have counted may be gathered: --resume with the record")
}

// finish writes the end of the phase.
func (p *phaseRun) finish() (*load.Interval, error) {
	whole, err := p.sum.finish()
	if whole != nil {
		p.k.mu.Lock()
		p.k.before[p.role] = append(p.k.before[p.role], [2]uint64{p.config.First, uint64(whole.Scheduled)})
		p.k.mu.Unlock()
	}
	if p.stop != nil {
		err = p.stop
	}
	if err == nil {
		err = p.failure()
	}
	return whole, err
}

// failure returns why agents ended early by themselves.
func (p *phaseRun) failure() error {
	p.k.mu.Lock()
	defer p.k.mu.Unlock()
	for _, m := range p.agents {
		if m.done != nil && !m.done.leftAlone() && !m.done.Err.is(errStopped) {
			if err := m.done.Err.err(m.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// paceOf returns the schedule of a configuration.
func paceOf(c load.Config) pace.Config {
	s := c.Schedule
	out := pace.Config{Rate: s.Rate, To: s.To, Over: s.Over, Times: s.Times, Poisson: s.Poisson, Seed: c.Seed, Ops: c.Operations, For: c.Duration}
	for _, step := range s.Steps {
		out.Steps = append(out.Steps, pace.Step(step))
	}
	return out
}
