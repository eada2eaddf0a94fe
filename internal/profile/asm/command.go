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

	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// Run is a sampled command.
type Run struct {
	Asm       *record.Asm
	Warnings  []*record.Warn // about a fork; the caller sets IDs
	Result    spawn.Result
	Ended     error         // why the command was killed, if it did not end by itself
	ReaderCPU time.Duration // CPU time of this process for reading samples
}

// Command runs a command and samples it with all its descendants. If the command fails or the context ends, the
// samples so far are a
// result. It returns an error if the command cannot be started or sampled, or if there are no samples.
func Command(ctx context.Context, l *spawn.Launcher, spec spawn.Spec, c Config) (*Run, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	events, _, err := perfevent.AvailableEvents(c.events())
	if err != nil {
		return nil, refusedCommand(err)
	}
	cost, _ := perfevent.Cost(events[0].Name) // 0: unknown
	spec.Hold = true
	child, err := l.Spawn(ctx, spec)
	if errors.Is(err, spawn.ErrHold) {
		return nil, fmt.Errorf("asm: %w: it needs tare's launcher, which the go command builds", err)
	}
	if err != nil {
		return nil, err
	}
	counts, cfg := newCounter(timerlog.Timing{}), c.events()
	cfg.Visit = counts.see
	s, err := perfevent.Open(child.Pid(), cfg)
	if err != nil {
		child.Kill()
		child.Wait()
		return nil, withAdvice(err)
	}
	if err := child.Release(); err != nil {
		child.Kill()
	}
	run := &Run{}
	var stopped atomic.Bool
	if c.Stop {
		defer time.AfterFunc(c.Delay+c.Duration, func() { stopped.Store(true); child.Kill() }).Stop()
	}
	run.Result, run.Ended = child.Wait()
	samples, err := s.Close()
	if err != nil {
		return run, err
	}
	if stopped.Load() && errors.Is(run.Ended, spawn.ErrKilled) {
		run.Ended = nil // as requested
	}
	if stopped.Load() && samples.Exec == 0 {
		return run, fmt.Errorf("asm: %s was killed before it executed: a duration of %v is too short", spec.Path, c.Duration)
	}
	run.ReaderCPU = samples.ReaderCPU
	return run, run.build(perfSamples{samples, cost}, counts, spec, c)
}

// build converts the samples.
func (r *Run) build(x perfSamples, counts *counter, spec spawn.Spec, c Config) error {
	dir, err := filepath.Abs(spec.Dir)
	if err != nil {
		return err
	}
	t := counts.tally(x.events())
	if x.Exec == 0 {
		_, err := exec.LookPath(spec.Path)
		return fmt.Errorf("asm: %s was never executed: %w", spec.Path, cmp.Or(err, r.Ended, errNotExecuted))
	}
	a := &record.Asm{Source: record.AsmPerf, Rejected: x.Rejected, Window: record.AsmWhole, Cost: x.cost()}
	warnings, err := (&builder{cfg: c, tally: t, fallback: spec.Path, sampled: counts.first, dir: dir}).build(a)
	if err != nil {
		return fmt.Errorf("asm: %w of %s in %v of CPU time, %d samples outside of the selected time: %s",
			err, spec.Path, (r.Result.User + r.Result.Sys).Round(time.Microsecond), x.taken(), fewSamples(t.events, t.events[0].Asked).Advice)
	}
	r.Asm, r.Warnings = a, append(warnings, sampleWarnings(a)...)
	return nil
}

var errNotExecuted = errors.New("the launcher printed the reason")

// refusedCommand adds the alternative for commands to an error of perf events.
func refusedCommand(err error) error {
	const otherwise = "for a Go program, use Go's profiler: import net/http/pprof or call runtime/pprof, and give tare asm the profile"
	if errno := syscall.Errno(0); !errors.As(err, &errno) && !errors.Is(err, errors.ErrUnsupported) {
		return err // invalid input, not a limit of the machine
	}
	err = withAdvice(err)
	var e *profiler.UnavailableError
	if errors.As(err, &e) {
		return &profiler.UnavailableError{Err: err, Advice: e.Advice + "; " + otherwise}
	}
	return &profiler.UnavailableError{Err: err, Advice: otherwise}
}
