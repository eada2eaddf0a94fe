package programrun

import (
	"encoding/json"
	"errors"
	"os"
	"syscall"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/record"
)

// runAsm runs a command, samples the machine code of it and of everything that it starts, and writes
// the whole record.
func (r *Runner) runAsm(out *Outcome) error {
	p, err := (&command.Starter{Env: append(os.Environ(), r.Job.Setenv...)}).Program(r.Job.Command)
	if err != nil {
		return err
	}
	cfg := r.Job.MachineCode()
	cfg.Whole = r.Whole
	if err := r.lockMachine(); err != nil {
		return err
	}
	spec := p.Spec
	spec.Stdout, spec.Stderr = r.stderr, r.stderr // standard output is for the listing
	spec.Timeout = r.Job.Timeout
	if end := cfg.Delay + cfg.Duration; cfg.Stop {
		r.machine.EndsAt(time.Now().Add(end))
	}
	r.Progress.Clear()
	run, err := asm.Command(r.ctx, r.launcher, spec, cfg)
	if err != nil {
		hint := ""
		if p := (*profiler.UnavailableError)(nil); errors.As(err, &p) {
			hint = p.Advice
		}
		return exit.Failed(err, hint)
	}
	out.Asm, out.Ended = run, endError("the command", run.Result, run.Ended)
	if cfg.Stop && run.Result.Signal == syscall.SIGKILL && run.Result.Wall() >= cfg.Delay+cfg.Duration {
		out.Ended = nil // it was stopped because Duration is over
	}
	return r.recordAsm(p, run)
}

// recordAsm writes what the record of a benchmark would have: the command is a case, and its
// process a fork of the profiler.
func (r *Runner) recordAsm(p *command.Program, run *asm.Run) error {
	data, err := json.Marshal(run.Asm)
	if err != nil {
		return err
	}
	r.goBuilt = command.GoVersion(p.Path)
	f := &record.Fork{ID: 1, Case: 1, Bin: 1, Round: 1, Order: 1, Purpose: asm.Name, State: record.StateOK}
	fork.SetUsage(f, run.Result)
	r.write(r.header(), p.Bin(1, r.head.Dir),
		&record.Case{ID: 1, Name: p.Line, Bin: 1, Mode: record.ModeN, N: 1, SingleShot: true},
		&record.Attach{Fork: f.ID, Name: record.AttachAsm, Media: "application/json", Data: data})
	for _, w := range run.Warnings {
		w.About, w.ID = record.AboutFork, f.ID
		r.write(w)
	}
	r.warnNotAlone()
	end := &record.End{State: record.EndCompleted, Why: "the command has ended"}
	if run.Ended != nil {
		end.State, end.Why = record.EndPartial, run.Ended.Error()
	}
	r.write(f, &record.Overhead{Wall: int64(time.Since(r.start))}, end)
	if r.unsaved != nil {
		return r.unsaved
	}
	whole := run.Ended == nil || errors.Is(run.Ended, spawn.ErrTimeout) // --duration is over
	return r.Recorder.Close(whole && !r.Signals.Caught())
}
