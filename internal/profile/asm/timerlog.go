package asm

import (
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/timerlog"
)

// Prepare creates the timer log of the next fork to attach to. A profiler's forks run one after the other.
func (p *attacher) Prepare(profiler.Fork) (profiler.Session, []string, error) {
	n, err := timerlog.New()
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	p.next = n
	p.mu.Unlock()
	return prepared{n}, n.Env(p.room), nil
}

// takeLog returns the timer log of the current fork, or nil if there is none.
func (p *attacher) takeLog() *timerlog.Log {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.next
	p.next = nil
	return n
}

// prepared is the session of a fork's timer log. It removes the log even if no process was attached to. The session
// that samples uses the log's content.
type prepared struct{ notes *timerlog.Log }

func (s prepared) End([]profiler.Window) (r profiler.Result, err error) {
	_, err = s.notes.Read()
	return r, err
}
