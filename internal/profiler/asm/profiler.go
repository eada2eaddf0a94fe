package asm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/perfevent"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/timerlog"
	"github.com/tarebench/tare/record"
)

// Profiler returns the profiler: a [profiler.Attacher] that samples by perf events where
// the kernel lets us, and else a [profiler.Wrapper] that has Go's CPU profiler do it.
func Profiler(c Config) profiler.Profiler { return choose(c, perfevent.AvailableEvents) }

// choose is Profiler with what asks the kernel.
func choose(c Config, probe func(perfevent.Config) ([]perfevent.Event, []string, error)) profiler.Profiler {
	base := base{cfg: c, err: c.Validate()}
	if base.err != nil {
		return base
	}
	events, _, err := probe(c.events())
	switch {
	case err == nil:
		return &attacher{base: base, event: events[0].Name, room: timerlog.Room}
	case len(c.Events) > 0: // of these Go's profiler has none
		base.err = unserved(err)
		return base
	}
	return &wrapper{base, err}
}

// base is what both have in common.
type base struct {
	cfg Config
	err error // why neither can be
}

func (base) Name() string   { return Name }
func (b base) Probe() error { return b.err }

// Needs asks for forks because sampling disturbs, and for hooks because of their marks.
func (base) Needs() profiler.Needs { return profiler.Needs{Forks: true, Deep: true, Rough: true} }

// unserved adds what to do about events that are refused.
func unserved(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &profiler.ProbeError{Err: err, Advice: perfevent.Advice}
	}
	return err
}

// attacher samples processes by perf events.
type attacher struct {
	base
	event string // the first one
	room  int    // for notes of when the timer ran, in each fork

	mu   sync.Mutex
	next *timerlog.Notes // of the fork that is attached to next; nil: nothing was prepared

	once sync.Once
	cost time.Duration // of a sample; 0: not known
}

// Attach begins to sample a process that is held.
func (p *attacher) Attach(pid int) (profiler.Session, error) {
	p.once.Do(func() { p.cost, _ = perfevent.Cost(p.event) })
	s, err := perfevent.Open(pid, p.cfg.events())
	if err != nil {
		return nil, unserved(err)
	}
	dir, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	if err != nil {
		dir = "" // texts of the module's files are missing then
	}
	return &session{cfg: p.cfg, events: s, notes: p.take(), dir: dir, cost: p.cost, began: time.Now()}, nil
}

// session is one fork.
type session struct {
	cfg    Config
	events *perfevent.Session
	notes  *timerlog.Notes // nil: nothing was prepared
	dir    string
	cost   time.Duration
	began  time.Time
}

// End keeps the samples inside of the windows, while the timer ran.
func (s *session) End(windows []profiler.Window) (r profiler.Result, err error) {
	samples, err := s.events.Close()
	ran, noNotes := s.notes.Read()
	if err != nil || len(windows) == 0 {
		return r, err
	}
	x, when := seen{samples, s.cost}, timerlog.Timed(windows, ran)
	a := &record.Asm{Source: record.AsmPerf, Passed: x.Rejected, Window: record.AsmMarks, Stopped: when.Stood, Ops: when.Ops, Cost: x.cost()}
	var measured time.Duration
	for _, w := range windows {
		measured += time.Duration(w.End - w.Begin)
		if w.Rough {
			a.Window = record.AsmRough
		}
	}
	t := x.within(when)
	b := builder{cfg: s.cfg, tally: t, dir: s.dir, before: s.began}
	doubts, err := b.build(a)
	if err != nil {
		return r, fmt.Errorf("%w in %v of measuring, %d outside of it: %s", err, measured.Round(time.Microsecond), x.taken(), howLong(a.Events, t.events[0].Asked))
	}
	if s.notes != nil && a.Window == record.AsmMarks {
		doubts = append(doubts, result.TimerWarnings(Name, when.Noted, noNotes)...)
	}
	return forkResult(a, append(doubts, judge(a)...))
}

// forkResult is what a fork leaves.
func forkResult(a *record.Asm, doubts []*record.Warn) (r profiler.Result, err error) {
	text, err := json.Marshal(a)
	if err != nil {
		return r, fmt.Errorf("attachment: %w", err)
	}
	r.Lines = append(r.Lines, &record.Attach{Name: record.AttachAsm, Media: "application/json", Data: text})
	for _, w := range doubts {
		r.Lines = append(r.Lines, w)
	}
	return r, nil
}
