package asm

import (
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/timerlog"
)

// Prepare makes the file for the notes of the fork that is attached to next: those of a
// profiler come one after the other.
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

// take are the notes of the fork at hand; nil if nothing was prepared.
func (p *attacher) take() *timerlog.Notes {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.next
	p.next = nil
	return n
}

// prepared is the session of a fork's notes, which tidies up also if there was nothing
// to attach to. What they say is for the session that samples.
type prepared struct{ notes *timerlog.Notes }

func (s prepared) End([]profiler.Window) (r profiler.Result, err error) {
	_, err = s.notes.Read()
	return r, err
}
