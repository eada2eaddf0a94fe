package asm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tarebench/tare/internal/perfevent"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/timerlog"
	"github.com/tarebench/tare/record"
)

// Run is a command that was sampled.
type Run struct {
	Asm    *record.Asm
	Doubts []*record.Warn // about a fork; IDs are the caller's to fill in
	Result spawn.Result
	Ended  error         // why the command was ended, if it did not end by itself
	Own    time.Duration // CPU time that reading samples took, in this process
}

// Command runs a command and samples it, with everything that it starts. What it was
// sampled in until the context was done, or until it failed, is a result; an error is
// that it could not be started, or sampled, or that there were no samples.
func Command(ctx context.Context, l *spawn.Launcher, spec spawn.Spec, c Config) (*Run, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	events, _, err := perfevent.AvailableEvents(c.events())
	if err != nil {
		return nil, refused(err)
	}
	cost, _ := perfevent.Cost(events[0].Name) // 0: not known
	spec.Hold = true
	child, err := l.Spawn(ctx, spec)
	if errors.Is(err, spawn.ErrHold) {
		return nil, fmt.Errorf("asm: %w: it takes tare's launcher, which the go command builds", err)
	}
	if err != nil {
		return nil, err
	}
	counts, cfg := newCounting(timerlog.Timing{}), c.events()
	cfg.Visit = counts.see
	s, err := perfevent.Open(child.Pid(), cfg)
	if err != nil {
		child.Kill()
		child.Wait()
		return nil, unserved(err)
	}
	if err := child.Release(); err != nil {
		child.Kill()
	}
	run := &Run{}
	var stopped atomic.Bool
	if c.Stop {
		defer time.AfterFunc(c.Delay+c.Length, func() { stopped.Store(true); child.Kill() }).Stop()
	}
	run.Result, run.Ended = child.Wait()
	samples, err := s.Close()
	if err != nil {
		return run, err
	}
	if stopped.Load() && errors.Is(run.Ended, spawn.ErrKilled) {
		run.Ended = nil // as asked
	}
	if stopped.Load() && samples.Exec == 0 {
		return run, fmt.Errorf("asm: %s was ended before it was executed: a length of %v is too short", spec.Path, c.Length)
	}
	run.Own = samples.ReaderCPU
	return run, run.build(seen{samples, cost}, counts, spec, c)
}

// build makes sense of the samples.
func (r *Run) build(x seen, counts *counting, spec spawn.Spec, c Config) error {
	dir, err := filepath.Abs(spec.Dir)
	if err != nil {
		return err
	}
	t := counts.tally(x.events())
	if x.Exec == 0 {
		_, err := exec.LookPath(spec.Path)
		return fmt.Errorf("asm: %s was never executed: %w", spec.Path, cmp.Or(err, r.Ended, errNotExecuted))
	}
	a := &record.Asm{Source: record.AsmPerf, Passed: x.Rejected, Window: record.AsmWhole, Cost: x.cost()}
	doubts, err := (&builder{cfg: c, tally: t, fallback: spec.Path, sampled: counts.first, dir: dir}).build(a)
	if err != nil {
		return fmt.Errorf("asm: %w of %s in %v of CPU time, %d outside of what was to count: %s",
			err, spec.Path, (r.Result.User + r.Result.Sys).Round(time.Microsecond), x.taken(), howLong(t.events, t.events[0].Asked))
	}
	r.Asm, r.Doubts = a, append(doubts, judge(a)...)
	return nil
}

var errNotExecuted = errors.New("the launcher tells why")

// refused says what else there is for a command.
func refused(err error) error {
	const otherwise = "for a program of Go there is its own profiler: import net/http/pprof or call runtime/pprof, and give tare asm the profile"
	if errno := syscall.Errno(0); !errors.As(err, &errno) && !errors.Is(err, errors.ErrUnsupported) {
		return err // no answer of the machine's, but a mistake in what was asked for
	}
	err = unserved(err)
	var e *profiler.ProbeError
	if errors.As(err, &e) {
		return &profiler.ProbeError{Err: err, Advice: e.Advice + "; " + otherwise}
	}
	return &profiler.ProbeError{Err: err, Advice: otherwise}
}
