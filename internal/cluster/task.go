package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Task is work other than load that an agent does, and whose output are lines: of a benchmark run, those of its record. It
// calls line for each, in order.
type Task func(ctx context.Context, what []byte, line func([]byte) error) error

// taskOrder has an agent begin a task.
type taskOrder struct {
	Number int             `json:"number"` // from 1 in a run
	What   json.RawMessage `json:"what"`
}

// taskLines are lines of a task.
type taskLines struct {
	Number int      `json:"number"`
	Lines  [][]byte `json:"lines,omitempty"`
	Done   bool     `json:"done,omitempty"`
	Err    *failure `json:"err,omitempty"` // with Done
}

// Lines of a task are sent together until they have this size, in bytes, or this age.
const (
	taskSize = 256 << 10
	taskAge  = time.Second
)

// agentTask is a task that an agent runs.
type agentTask struct {
	number int
	cancel context.CancelCauseFunc
	ended  chan struct{}
}

// beginTask begins a task in the background.
func (a *agent) beginTask(run string, o *taskOrder) error {
	if a.Task == nil {
		return errors.New("it runs no benchmarks: tare-full agent --bench-dir DIR has it do so")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.task; t != nil {
		select {
		case <-t.ended:
		default:
			if t.number == o.Number {
				return nil // the order came twice
			}
			return errors.New("it is busy with another task")
		}
	}
	ctx, cancel := context.WithCancelCause(a.ctx)
	t := &agentTask{number: o.Number, cancel: cancel, ended: make(chan struct{})}
	a.task = t
	go func() {
		defer close(t.ended)
		defer cancel(nil)
		a.runTask(ctx, run, o)
	}()
	return nil
}

// runTask runs a task and delivers its lines.
func (a *agent) runTask(ctx context.Context, run string, o *taskOrder) {
	b := batch{Run: run, ID: a.ID, Task: &taskLines{Number: o.Number}}
	size, since := 0, time.Now()
	send := func() {
		b.Seq++
		a.deliver(&b)
		b.Task, size, since = &taskLines{Number: o.Number}, 0, time.Now()
	}
	err := a.Task(ctx, o.What, func(line []byte) error {
		b.Task.Lines = append(b.Task.Lines, append([]byte{}, line...))
		if size += len(line); size >= taskSize || time.Since(since) >= taskAge {
			send()
		}
		return context.Cause(ctx)
	})
	b.Task.Done, b.Task.Err = true, failureOf(err)
	send()
}

// taskRun is a task that agents run, as their controller sees it.
type taskRun struct {
	number int
	lines  func(agent Machine, lines [][]byte) error
	state  map[*remote]*taskState
	err    error // of lines
}

type taskState struct {
	next    int
	waiting map[int]*batch
	done    bool
	err     error
}

// RunTask has all agents run a task at the same time, and calls lines for what each delivers, in order. It returns when all have
// ended or are lost, with the errors of all.
func (k *Controller) RunTask(ctx context.Context, what []byte, lines func(agent Machine, lines [][]byte) error) error {
	agents := k.alive()
	k.mu.Lock()
	k.tasks++
	t := &taskRun{number: k.tasks, lines: lines, state: map[*remote]*taskState{}}
	for _, r := range agents {
		t.state[r] = &taskState{next: 1, waiting: map[int]*batch{}}
	}
	k.task = t
	k.mu.Unlock()
	defer func() {
		k.mu.Lock()
		k.task = nil
		k.mu.Unlock()
	}()
	err := k.each(agents, func(r *remote) error {
		_, err := k.order(ctx, r, order{Task: &taskOrder{Number: t.number, What: what}})
		return err
	})
	if err != nil {
		k.stopTask(agents)
		return firstOf(err)
	}
	tick := time.NewTicker(k.Timing.Beat)
	defer tick.Stop()
	cancelled := ctx.Done()
	for !k.taskOver(t) {
		select {
		case <-k.changed:
		case <-tick.C:
		case err := <-k.fail:
			k.stopTask(agents)
			return err
		case <-cancelled:
			cancelled = nil
			k.stopTask(agents)
		}
		k.watch()
	}
	return k.taskErrors(ctx, t, agents)
}

func (k *Controller) stopTask(agents []*remote) {
	ctx, cancel := context.WithTimeout(context.Background(), k.Timing.Order)
	defer cancel()
	k.each(agents, func(r *remote) error {
		if !k.isLost(r) {
			k.order(ctx, r, order{StopTask: true})
		}
		return nil
	})
}

// take takes lines of an agent. The caller holds the lock.
func (t *taskRun) take(r *remote, b *batch) {
	s := t.state[r]
	if s == nil || b.Task.Number != t.number || b.Seq < s.next || b.Seq > s.next+maxWaiting {
		return
	}
	s.waiting[b.Seq] = b
	for b := s.waiting[s.next]; b != nil; b = s.waiting[s.next] {
		delete(s.waiting, s.next)
		s.next++
		if t.err == nil {
			t.err = t.lines(r.Machine, b.Task.Lines)
		}
		if b.Task.Done {
			s.done, s.err = true, b.Task.Err.err(r.Name)
		}
	}
}

func (k *Controller) taskOver(t *taskRun) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for r, s := range t.state {
		if !s.done && !r.lost {
			return false
		}
	}
	return true
}

func (k *Controller) taskErrors(ctx context.Context, t *taskRun, agents []*remote) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	errs := []error{t.err}
	for _, r := range agents {
		s := t.state[r]
		switch {
		case s.err != nil && ctx.Err() == nil:
			errs = append(errs, s.err)
		case !s.done:
			errs = append(errs, fmt.Errorf("agent %s was lost: %s", r.Name, r.why))
		}
	}
	if ctx.Err() != nil {
		errs = append(errs, context.Cause(ctx))
	}
	return errors.Join(errs...)
}
