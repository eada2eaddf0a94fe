package programrun

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
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

// Asm runs a command, samples the machine code of it and of everything that it starts, and writes
// the whole record. Functions that match whole are recorded whatever their share; nil: none.
func (r *Runner) Asm(whole *regexp.Regexp) (*asm.Run, error) {
	p, err := (&command.Starter{Env: append(os.Environ(), r.Job.Setenv...)}).Program(r.Job.Command)
	if err != nil {
		return nil, err
	}
	cfg := r.Job.MachineCode()
	cfg.Whole = whole
	if err := r.lockMachine(); err != nil {
		return nil, err
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
		return nil, exit.Failed(err, hint)
	}
	return run, r.recordAsm(p, run)
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

// CommandFailure returns what is wrong with how a command ended, nil if nothing is: Duration may be over.
func (r *Runner) CommandFailure(run *asm.Run) error {
	if j := r.Job; j.Duration > 0 && run.Result.Signal == syscall.SIGKILL && run.Result.Wall() >= j.Delay+j.Duration {
		return nil
	}
	return endError("the command", run.Result, run.Ended)
}
