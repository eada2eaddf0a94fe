package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
)

// take takes an order, or a part of one, or a lease.
func (a *agent) take(m Message) {
	if m.Answer == nil {
		a.renew(m.Data)
		return
	}
	a.mu.Lock()
	whole, err := a.parts.add(m.Data)
	a.mu.Unlock()
	if err != nil || whole == nil {
		a.reply(m, answer{Err: failureOf(err)})
		return
	}
	var o order
	if err := json.Unmarshal(whole, &o); err != nil {
		a.reply(m, answer{Err: failureOf(errors.New("an order that is not understood"))})
		return
	}
	if o.Ping { // its answer is about time
		a.reply(m, answer{})
		return
	}
	go func() {
		var out answer
		if err := a.follow(&o, &out); err != nil {
			out.Err = failureOf(err)
		}
		a.reply(m, out)
	}()
}

func (a *agent) reply(m Message, out answer) {
	out.Clock = a.Clock()
	if data, err := json.Marshal(out); err == nil {
		m.Answer(data) // who does not get it asks again
	}
}

// follow does what an order says. Orders may come twice.
func (a *agent) follow(o *order, out *answer) error {
	a.mu.Lock()
	run, p := a.run, a.phase
	a.mu.Unlock()
	if o.Gather {
		return a.gather(o.Run, out)
	}
	if o.Forget {
		return a.Store.Remove(o.Run)
	}
	if o.Run != run {
		return fmt.Errorf("it does not belong to this run")
	}
	switch {
	case o.Open != nil:
		return a.open(o.Run, o.Open, out)
	case o.Phase != nil:
		return a.beginPhase(o.Run, o.Phase)
	case o.Release:
		return a.release()
	case o.Leave:
		go a.leave("it ended early")
		return nil
	}
	number := 0
	switch {
	case o.Start != nil:
		number = o.Start.Phase
	case o.Reassign != nil:
		number = o.Reassign.Phase
	case o.Stop != nil:
		number = o.Stop.Phase
	}
	if p == nil || p.number != number {
		return fmt.Errorf("it has no phase %d", number)
	}
	defer func() { out.Decided = p.share.Decided() }()
	switch {
	case o.Start != nil:
		return p.begin(o.Start.At)
	case o.Reassign != nil:
		if r := o.Reassign; len(r.Owners) > 0 {
			return p.reassign(r.span)
		}
	case o.Stop != nil:
		p.stop(errStopped)
	}
	return nil
}

// open opens the system, unless that was done.
func (a *agent) open(run string, o *openOrder, out *answer) error {
	if err := a.within(o.Limit); err != nil {
		return err
	}
	a.opening.Lock() // the order may have come twice
	defer a.opening.Unlock()
	a.mu.Lock()
	s := a.system
	a.mu.Unlock()
	if s == nil {
		var err error
		if s, err = a.Open(a.ctx, o.What); err != nil {
			return err
		}
		a.mu.Lock()
		left := a.run != run
		if !left {
			a.system = s
		}
		a.mu.Unlock()
		if left {
			s.Close()
			return errors.New("it has left the run")
		}
	}
	opened := s.Opened()
	out.Opened = &opened
	return nil
}

// within checks what is asked against the agent's own limits.
func (a *agent) within(l Limits) error {
	if most := a.Most.Rate; most > 0 && (l.Rate == 0 || l.Rate > most) {
		if l.Rate == 0 {
			return fmt.Errorf("its own limit is %.4g/s, and a closed loop has none: give a --rate", most)
		}
		return fmt.Errorf("its share would be %.4g/s, its own limit is %.4g/s", l.Rate, most)
	}
	if most := a.Most.Duration; most > 0 && l.Duration > most {
		return fmt.Errorf("a phase would last %s, its own limit is %s", l.Duration, most)
	}
	return nil
}

// beginPhase opens the workers of a phase in the background.
func (a *agent) beginPhase(run string, o *phaseOrder) error {
	a.opening.Lock() // the order may have come twice
	defer a.opening.Unlock()
	a.mu.Lock()
	current, s := a.phase, a.system
	a.mu.Unlock()
	switch {
	case s == nil:
		return errors.New("nothing is open")
	case current != nil && current.number == o.Phase:
		return nil
	case current != nil && current.state() != stateDone:
		return fmt.Errorf("phase %d is not over", current.number)
	}
	t, err := s.Target(o.Role, o.Config.First, o.Before)
	if err != nil {
		return err
	}
	p, err := newAgentPhase(a, run, o)
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.phase = p
	a.mu.Unlock()
	go p.run(t)
	return nil
}

// release ends the run: its record is complete.
func (a *agent) release() error {
	a.mu.Lock()
	run := a.run
	a.mu.Unlock()
	err := a.Store.Remove(run)
	if a.Once {
		a.mu.Lock()
		a.run = "" // nothing to leave
		a.mu.Unlock()
		defer a.over(errReleased)
		return err
	}
	go a.leave("it is over")
	return err
}

// gather delivers again what was kept of a run.
func (a *agent) gather(run string, out *answer) error {
	n := 0
	err := a.Store.Read(run, func(message []byte) error {
		n++
		a.sender.send(fmt.Sprintf("%s-%s-again-%d", run, a.ID, n), message)
		return nil
	})
	out.Kept = n
	if err == nil && n == 0 {
		err = errors.New("it has nothing of that run")
	}
	return err
}

// deliver keeps a batch and sends it.
func (a *agent) deliver(b *batch) {
	data, err := json.Marshal(b)
	if err != nil {
		panic(err) // numbers and strings
	}
	if err := a.Store.Append(b.Run, data); err != nil {
		a.noteOnce(fmt.Sprintf("results cannot be kept: %v", err))
	}
	if !a.sender.send(fmt.Sprintf("%s-%s-%d-%d", b.Run, b.ID, b.Phase, b.Seq), data) {
		a.noteOnce("results cannot be delivered fast enough: some are missing in the record, and kept here")
	}
}

// noteOnce tells people something, once.
func (a *agent) noteOnce(text string) {
	a.mu.Lock()
	seen := a.noted[text]
	a.noted[text] = true
	a.mu.Unlock()
	if !seen {
		a.Note(text)
	}
}
