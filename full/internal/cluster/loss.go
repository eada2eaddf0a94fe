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

// watch declares agents lost whose heartbeats time out, and takes them back when heartbeats arrive again. A missing heartbeat
// is no evidence while this process could not receive messages.
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
			k.lose(r, fmt.Sprintf("no message from it for %s", silent.Round(100*time.Millisecond)))
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

// Gone marks an agent as ended, so that the controller does not wait for its heartbeat to time out.
func (k *Controller) Gone(name, why string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.named(name); r != nil {
		r.dead = true
		k.lose(r, why)
		k.wake()
	}
}

// returns reports whether a lost agent takes part again when its heartbeats return: its operations were not given to others,
// and the phase is not being ended.
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

// redistribute gives the operations of lost agents to the others, from the first one on that a lost agent can no longer send:
// an agent stops by itself when its lease ends.
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

// reassign agrees on the first operation that has other owners, and sends that to all agents. The operation is due after all
// current leases have ended. An agent that cannot be informed in time, or has already claimed later operations, gets no new
// lease. It therefore stops before other agents send its operations.
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
