package cluster

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// connected notes that the connection was lost, or is there again.
func (k *Controller) connected(on bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.deaf, k.cutAt = time.Now(), time.Time{}
	if !on {
		k.cutAt = k.deaf
	}
}

// watch declares agents lost that were not heard for long, and has those back that are heard again. That an agent was not
// heard says nothing about it as long as this process could not hear.
func (k *Controller) watch() {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	slept := now.Sub(k.watched) > k.Timing.Lost/2 && !k.watched.IsZero()
	k.watched = now
	if cut := !k.cutAt.IsZero(); slept || cut && now.Sub(k.cutAt) < 2*k.Timing.Lease {
		k.deaf = now
	}
	for _, r := range k.agents {
		silent, limit := now.Sub(r.lastMessage), k.Timing.Lost
		if k.phase != nil && k.phase.start == 0 { // it opens its workers, which may take all its cores
			limit *= 4
		}
		listening := now.Sub(k.deaf)
		switch {
		case !r.lost && min(silent, listening) >= limit:
			k.lose(r, fmt.Sprintf("it was not heard for %s", silent.Round(100*time.Millisecond)))
		case r.lost && silent < k.Timing.Lost && k.returns(r):
			k.regain(r)
		}
	}
}

// lose marks an agent as lost. The caller holds the lock.
func (k *Controller) lose(r *remote, why string) {
	if r.lost {
		return
	}
	r.lost, r.lostAt, r.why = true, k.Clock(), why
	k.Note(fmt.Sprintf("agent %s is lost: %s", r.Name, why))
	p := k.phase
	if p == nil {
		return
	}
	m := p.memberOf(r)
	if m == nil || m.done != nil {
		return
	}
	p.notices = append(p.notices, p.agentLine(m))
	p.miss(m, "was lost: "+why)
}

// miss notes that an agent sends no more operations. The caller holds the lock.
func (p *phaseRun) miss(m *member, why string) {
	switch p.k.OnLoss {
	case LossStop:
		p.losses = append(p.losses, fmt.Errorf("agent %s %s", m.Name, why))
	case LossRedistribute:
		p.orphans = append(p.orphans, m)
	}
}

// Gone says that the process of an agent has ended, so that nobody need wait until it is not heard.
func (k *Controller) Gone(name, why string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.named(name); r != nil {
		r.dead = true
		k.lose(r, why)
		k.wake()
	}
}

// returns reports whether a lost agent takes part again when it is heard: its operations were not given to others, and the
// phase is not being ended.
func (k *Controller) returns(r *remote) bool {
	p := k.phase
	return p != nil && p.stop == nil && !r.dead && !r.givenUp && r.last.Phase == p.number && k.OnLoss == LossContinue
}

func (k *Controller) regain(r *remote) {
	r.lost = false
	r.longestLoss = max(r.longestLoss, k.Clock()-r.lostAt)
	k.Note(fmt.Sprintf("agent %s is back", r.Name))
}

// settle acts on losses: it ends the phase, or gives operations to the other agents.
func (p *phaseRun) settle(ctx context.Context) {
	k := p.k
	k.mu.Lock()
	notices, losses := p.notices, p.losses
	p.notices, p.losses = nil, nil
	move := len(p.orphans) > 0 && p.stop == nil && len(losses) == 0 && !p.moving
	p.moving = p.moving || move
	k.mu.Unlock()
	for _, l := range notices {
		if err := p.write(l); err != nil {
			p.end(err)
		}
	}
	if len(losses) > 0 {
		p.end(losses[0])
	}
	if move {
		go p.redistribute(ctx)
	}
}

// redistribute gives the operations of lost agents to the others, from the first one on that a lost agent can no longer
// send: it stops by itself when it has not heard the controller for the lease.
func (p *phaseRun) redistribute(ctx context.Context) {
	k := p.k
	defer func() {
		k.mu.Lock()
		p.moving = false
		k.mu.Unlock()
	}()
	k.mu.Lock()
	if p.due == nil || p.start == 0 { // a closed loop: the others send on
		p.orphans = nil
		k.mu.Unlock()
		return
	}
	safe := time.Duration(0)
	weights := make([]int, len(p.agents))
	var left []*member
	for i, m := range p.agents {
		switch {
		case m.dead, m.done != nil:
		case m.lost, m.unconfirmed:
			age := int64(time.Since(m.leased))
			safe = max(safe, time.Duration(k.Clock()-age-p.start)+k.Timing.Lease+k.Timing.Beat)
		default:
			weights[i] = m.weight
			left = append(left, m)
		}
	}
	n := len(p.orphans)
	k.mu.Unlock()
	if owners, none := pattern(weights); none == nil {
		p.reassign(ctx, left, owners, safe)
	}
	k.mu.Lock()
	p.orphans = p.orphans[n:]
	k.mu.Unlock()
}

// reassign agrees on the first operation that has other owners, and has all agents know. It is due when all leases of now
// have ended: an agent that cannot be told in time, or has claimed later operations already, gets no lease any more, and stops
// before others send what is its own now.
func (p *phaseRun) reassign(ctx context.Context, left []*member, owners []int, safe time.Duration) {
	k := p.k
	var mu sync.Mutex
	decided := uint64(0)
	err := k.each(remotesOf(left), func(r *remote) error {
		a, err := k.order(ctx, r, order{Reassign: &reassignment{Phase: p.number}}) // asks how far it is
		if err == nil {
			mu.Lock()
			decided = max(decided, a.Decided)
			mu.Unlock()
		}
		return err
	})
	if err != nil {
		return // another one is lost: its loss starts this again
	}
	k.mu.Lock()
	safe = max(safe, time.Duration(k.Clock()-p.start)+k.Timing.Lease+k.Timing.Beat)
	from, ok := firstFree(p.config, decided, safe, 4*k.Timing.Beat)
	s := span{from, owners}
	if ok {
		p.due.reassign(s)
		p.spans = append(p.spans, s)
		for _, m := range left {
			m.unconfirmed = true
		}
	}
	k.mu.Unlock()
	if !ok {
		return // nothing is due after it
	}
	k.Note(fmt.Sprintf("from operation %d on the others send what was due for the lost agent", from))
	k.each(remotesOf(left), func(r *remote) error {
		_, err := k.order(ctx, r, order{Reassign: &reassignment{Phase: p.number, span: s}})
		if err == nil {
			k.mu.Lock()
			p.memberOf(r).unconfirmed = false
			k.mu.Unlock()
		}
		return err // it stops by itself
	})
}

func remotesOf(all []*member) (out []*remote) {
	for _, m := range all {
		out = append(out, m.remote)
	}
	return out
}
