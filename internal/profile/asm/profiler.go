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

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// Profiler returns the profiler: a [profiler.Attacher] that samples by perf events if the kernel permits it, and
// otherwise a [profiler.Wrapper] that uses Go's CPU profiler.
func Profiler(c Config) profiler.Profiler { return selectProfiler(c, perfevent.AvailableEvents) }

// selectProfiler is Profiler with the function that queries the kernel.
func selectProfiler(c Config, probe func(perfevent.Config) ([]perfevent.Event, []string, error)) profiler.Profiler {
	base := base{cfg: c, err: c.Validate()}
	if base.err != nil {
		return base
	}
	events, _, err := probe(c.events())
	switch {
	case err == nil:
		return &attacher{base: base, event: events[0].Name, room: timerlog.DefaultCapacity}
	case len(c.Events) > 0: // Go's profiler does not have them
		base.err = withAdvice(err)
		return base
	}
	return &wrapper{base, err}
}

// base is the common part of attacher and wrapper.
type base struct {
	cfg Config
	err error // why neither is available
}

func (base) Name() string       { return Name }
func (b base) Available() error { return b.err }

// Needs requests forks of its own because sampling disturbs, and hooks for their marks.
func (base) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, Hooks: true, HooksOptional: true}
}

// withAdvice adds advice to an error of perf events without permission.
func withAdvice(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &profiler.UnavailableError{Err: err, Advice: perfevent.Advice}
	}
	return err
}

// attacher samples processes by perf events.
type attacher struct {
	base
	event string // the first one
	room  int    // capacity of each fork's timer log, in stops

	mu   sync.Mutex
	next *timerlog.Log // timer log of the next fork; nil: none

	once sync.Once
	cost time.Duration // of a sample; 0: unknown
}

// Attach starts sampling a held process.
func (p *attacher) Attach(pid int) (profiler.Session, error) {
	p.once.Do(func() { p.cost, _ = perfevent.Cost(p.event) })
	s, err := perfevent.Open(pid, p.cfg.events())
	if err != nil {
		return nil, withAdvice(err)
	}
	dir, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	if err != nil {
		dir = "" // source texts of the module will be missing
	}
	return &session{cfg: p.cfg, events: s, notes: p.takeLog(), dir: dir, cost: p.cost, began: time.Now()}, nil
}

// session is one sampled fork.
type session struct {
	cfg    Config
	events *perfevent.Session
	notes  *timerlog.Log // nil: no timer log
	dir    string
	cost   time.Duration
	began  time.Time
}

// End returns the samples in the windows while the timer ran.
func (s *session) End(windows []profiler.Window) (r profiler.Result, err error) {
	samples, err := s.events.Close()
	ran, noNotes := s.notes.Read()
	if err != nil || len(windows) == 0 {
		return r, err
	}
	x, when := perfSamples{samples, s.cost}, timerlog.NewTiming(windows, ran)
	a := &record.Asm{Source: record.AsmPerf, Rejected: x.Rejected, Window: record.AsmMarks, Stopped: when.Stopped, Ops: when.Ops, Cost: x.cost()}
	var measured time.Duration
	for _, w := range windows {
		measured += time.Duration(w.End - w.Begin)
		if w.Approximate {
			a.Window = record.AsmRough
		}
	}
	t := x.tally(when)
	b := builder{cfg: s.cfg, tally: t, dir: s.dir, before: s.began}
	warnings, err := b.build(a)
	if err != nil {
		return r, fmt.Errorf("%w in %v of measured time, %d outside of it: %s", err, measured.Round(time.Microsecond), x.taken(), fewSamples(a.Events, t.events[0].Asked).Advice)
	}
	if s.notes != nil && a.Window == record.AsmMarks {
		for _, w := range diagnosis.StoppedTimer(when.Logged, noNotes) {
			warnings = append(warnings, diagnosis.Prefix(w, Name))
		}
	}
	return forkResult(a, append(warnings, sampleWarnings(a)...))
}

// forkResult returns the attachment and warnings of a fork.
func forkResult(a *record.Asm, warnings []*record.Warn) (r profiler.Result, err error) {
	text, err := json.Marshal(a)
	if err != nil {
		return r, fmt.Errorf("attachment: %w", err)
	}
	r.Lines = append(r.Lines, &record.Attach{Name: record.AttachAsm, Media: "application/json", Data: text})
	for _, w := range warnings {
		r.Lines = append(r.Lines, w)
	}
	return r, nil
}
