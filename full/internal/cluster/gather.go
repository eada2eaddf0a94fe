package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/load"
)

// gathering takes what agents kept of a run whose controller ended early.
type gathering struct {
	run     string
	want    int // messages
	have    int
	came    time.Time // the last one
	batches map[*remote][]*batch
}

// take takes a batch. The caller holds the lock.
func (g *gathering) take(r *remote, b *batch) {
	if b.Run != g.run || r == nil {
		return
	}
	if slices.ContainsFunc(g.batches[r], func(o *batch) bool { return o.Phase == b.Phase && o.Seq == b.Seq }) {
		return // a server of its own may have it still from before
	}
	g.have, g.came = g.have+1, time.Now()
	g.batches[r] = append(g.batches[r], b)
}

// A Phase is one of a run that is gathered.
type Phase struct {
	Role   Role
	Config load.Config
}

// Gather adds up what the agents that have joined kept of a run. begin returns the sink of a phase, nil to leave it out.
func (k *Controller) Gather(ctx context.Context, run string, begin func(Phase) load.Sink) error {
	k.mu.Lock()
	k.gathers = &gathering{run: run, batches: map[*remote][]*batch{}}
	g := k.gathers
	k.mu.Unlock()
	for _, r := range k.alive() {
		a, err := k.order(ctx, r, order{Run: run, Gather: true})
		if err != nil {
			return exit.Failed(err, "agents that kept it have a --keep directory, or still run")
		}
		k.mu.Lock()
		g.want, g.came = g.want+a.Kept, time.Now()
		k.mu.Unlock()
	}
	for {
		k.mu.Lock()
		have, want, silent := g.have, g.want, time.Since(g.came)
		k.mu.Unlock()
		if have >= want {
			break
		}
		if silent > ending {
			k.Note(fmt.Sprintf("%d of %d messages came from the agents", have, want))
			break
		}
		select {
		case <-k.changed:
		case <-time.After(k.Timing.Beat):
			k.watch()
			if len(k.alive()) == 0 {
				return fmt.Errorf("all agents are lost: %d of %d messages were gathered", have, want)
			}
		case err := <-k.fail:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return k.addUp(g, begin)
}

// addUp adds up the phases one after the other.
func (k *Controller) addUp(g *gathering, begin func(Phase) load.Sink) error {
	for number := 1; ; number++ {
		p, err := k.gathered(g, number)
		if err != nil || p == nil {
			return err
		}
		if p.sink = begin(Phase{p.role, p.config}); p.sink == nil {
			continue
		}
		k.steps[p.config.Phase]++
		p.step = k.steps[p.config.Phase]
		if err := p.flush(); err != nil {
			return err
		}
		if _, err := p.sum.finish(); err != nil {
			return err
		}
	}
}

// gathered returns a phase with all its batches, nil if there is none of that number.
func (k *Controller) gathered(g *gathering, number int) (*phaseRun, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	began := map[*remote]*batch{}
	p := &phaseRun{k: k, number: number}
	var names []string
	for r, all := range g.batches {
		i := slices.IndexFunc(all, func(b *batch) bool { return b.Phase == number && b.Began != nil })
		if i < 0 {
			continue
		}
		b := all[i]
		began[r] = b
		if p.config.Phase == "" {
			p.role, p.config, p.sum.owners = b.Began.Role, b.Began.Config.Config, b.Began.Owners
			p.config.Workers, p.config.MaxOutstanding = 0, 0
			p.start, names = b.Start-r.clock.best().ahead, b.Began.Names
		}
		p.config.Workers += b.Began.Config.Workers
		p.config.MaxOutstanding += b.Began.Config.MaxOutstanding
	}
	if len(began) == 0 {
		return nil, nil
	}
	if len(names) <= slices.Max(p.sum.owners) {
		return nil, errors.New("an agent kept a phase that is not understood")
	}
	for place, name := range names {
		m := &member{place: place, inbox: newInbox(), remote: &remote{hello: hello{Machine: Machine{Name: name}}, lost: true, why: "it was not there when the results were gathered"}}
		for r, b := range began {
			if b.Began.Me == place {
				copied := remote{hello: r.hello, weight: r.weight, lost: true, why: "it ended before the phase did"}
				copied.clock.last, copied.clock.first = r.clock.best(), r.clock.best()
				m.remote, m.ahead = &copied, b.Start-p.start
			}
		}
		p.agents = append(p.agents, m)
	}
	var err error
	if p.due, err = newDueCount(p.config, p.sum.owners, len(names)); err != nil {
		return nil, err
	}
	owners := p.sum.owners
	p.sum = newMerger(p)
	p.sum.owners = owners
	for _, all := range g.batches {
		for _, b := range all {
			if b.Phase == number {
				p.addSpans(b.Spans)
			}
		}
	}
	p.reassignDue()
	for r, b := range began {
		if b.Began.Me < 0 || b.Began.Me >= len(names) {
			return nil, errors.New("an agent kept a phase that is not understood")
		}
		m := p.agents[b.Began.Me]
		for _, x := range g.batches[r] {
			if x.Phase == number {
				if err := p.take(m, x); err != nil {
					k.garbage++
				}
			}
		}
		if m.done != nil {
			m.lost = false
		}
	}
	return p, nil
}
