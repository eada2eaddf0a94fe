package marks

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/clock/cputime"
	"github.com/tarebench/tare/record"
)

// process is a process whose figures are read as sums since its start.
type process struct {
	pid  int
	p    *cputime.Process
	last figures

	stopped atomic.Int64 // time in which it was seen to be stopped since the last reading, ns
}

type figures struct {
	cpu, delay int64
	stat       cputime.Stat
	hasDelay   bool
}

func newProcess(proc string, pid int) *process {
	return &process{pid: pid, p: cputime.OpenIn(proc, pid)}
}

// read keeps the figures of now. It returns false if the process has ended.
func (p *process) read() bool {
	s, ok := p.p.Stat()
	if !ok {
		return false
	}
	x := figures{stat: s}
	if x.cpu, ok = p.p.CPU(); !ok {
		x.cpu = p.last.cpu
	}
	x.delay, ok = p.p.Delay()
	x.hasDelay = ok || x.delay > 0 // a lower bound when a thread has ended
	p.last = x
	return true
}

// take returns what happened since the last reading; nil if the process has ended.
func (p *process) take() *record.ProcessMarks {
	before := p.last
	if !p.read() {
		return nil
	}
	now := &p.last
	m := &record.ProcessMarks{
		PID: p.pid, CPU: max(now.cpu-before.cpu, 0), Stopped: p.stopped.Swap(0), RSS: now.stat.RSS,
		Minflt: max(now.stat.Minflt-before.stat.Minflt, 0), Majflt: max(now.stat.Majflt-before.stat.Majflt, 0),
	}
	if now.hasDelay && before.hasDelay {
		d := max(now.delay-before.delay, 0)
		m.Delay = &d
	}
	return m
}

func (p *process) close() {
	if p != nil {
		p.p.Close()
	}
}

// stopPeriod is how often it is checked whether a process is stopped. Each takes some 8 µs.
const stopPeriod = 25 * time.Millisecond

// watchStopped checks whether processes are stopped, until the context ends.
func watchStopped(ctx context.Context, proc string, all []*process) {
	checks := make([]stopCheck, len(all))
	for i, p := range all {
		checks[i] = stopCheck{p: cputime.OpenIn(proc, p.pid), into: &p.stopped, at: clock.Now()}
		defer checks[i].p.Close()
	}
	tick := time.NewTicker(stopPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for i := range checks {
			s, ok := checks[i].p.Stat()
			checks[i].see(ok && s.Stopped(), clock.Now())
		}
	}
}

// stopCheck adds up the time in which a process is stopped. Between two checks of which one finds it stopped, it counts as stopped
// for half of the time.
type stopCheck struct {
	p       *cputime.Process
	into    *atomic.Int64
	at      int64 // of the last check
	stopped bool  // at that
}

func (l *stopCheck) see(stopped bool, now int64) {
	d := now - l.at
	switch {
	case stopped && l.stopped:
		l.into.Add(d)
	case stopped || l.stopped:
		l.into.Add(d / 2)
	}
	l.at, l.stopped = now, stopped
}
