package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// ofCommand samples a command and everything that it starts, and records it: a
// program that is its own binary, with one fork.
func (f *asmFlags) ofCommand(cmd *cobra.Command, st streams, args []string, p *asmPrinter) error {
	if err := refuseFlags(cmd, "what follows -- is a command", "bench", "skip", "filter", "cpu", "forks", "iterations", "time", "benchtime", "tags", "seed",
		"against", "side", "toolchain", "side-env", "side-flags", "compare", "dry-run"); err != nil {
		return err
	}
	if len(args) == 0 {
		return usageError(errors.New("asm: no command behind --"), "tare asm -- COMMAND [ARG...]")
	}
	if err := f.checkCommand(cmd); err != nil {
		return err
	}
	cfg := f.sampler.config()
	cfg.Delay, cfg.Length, cfg.Stop, cfg.Whole = f.delay, f.length, f.length > 0, p.cfg.Func
	if err := cfg.Validate(); err != nil {
		return usageError(err, "")
	}
	s := newSession(st, &f.bench)
	if err := s.ofCommand(cmd, f, args); err != nil {
		return err
	}
	defer s.signals.Stop()
	defer s.tidy()
	s.show = p.summary
	run, err := s.sample(cfg, args)
	if errors.Is(err, plan.ErrInterrupted) {
		return s.signals.ExitError() // as was said, before it began
	}
	if err != nil {
		return err
	}
	p.record = s.sink.Path()
	f.tellDoubts(st, run.Doubts)
	stopped := cfg.Stop && run.Result.Signal == syscall.SIGKILL && run.Result.Wall() >= cfg.Delay+cfg.Length
	return s.concludeAsm(run, stopped)
}

// checkCommand checks flags that tare bench checks of benchmarks.
func (f *asmFlags) checkCommand(cmd *cobra.Command) error {
	var errs []error
	if t := f.bench.timeout; cmd.Flags().Changed("timeout") && t <= 0 {
		errs = append(errs, fmt.Errorf("--timeout %s is not above 0", t))
	}
	for _, kv := range f.bench.cfg.Setenv {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			errs = append(errs, fmt.Errorf("--env %q is not of the form K=V", session.MaskWord(kv)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return usageError(err, "")
	}
	return nil
}

// ofCommand checks what can be checked before anything is opened.
func (s *benchSession) ofCommand(cmd *cobra.Command, f *asmFlags, args []string) (err error) {
	s.flags.show = f.show
	if s.format, err = f.show.check(); err != nil {
		return err
	}
	if s.progress, err = session.NewProgress(s.err, f.bench.progress); err != nil {
		return err
	}
	if s.run.Dir, err = os.Getwd(); err != nil {
		return failed(err, "")
	}
	s.run.Kind = record.KindAsm
	s.run.Config = record.Config{Packages: []string{}, Forks: 1, Iterations: 1, Benchtime: "1x", Timeout: f.bench.timeout, Setenv: f.bench.cfg.Setenv, Prof: []string{asm.Name}, ProfForks: 1}
	s.run.Seed = drawSeed("")
	s.secrets = session.NewRedactor(append(os.Environ(), f.bench.cfg.Setenv...)...).WithArgs(session.TypedArgs())
	s.command = commandLine("asm", s.secrets, args)
	s.signals = session.CatchSignals(func(sig os.Signal) {
		s.progress.Note("%s: ending the command; what was sampled until now is shown", sig)
	})
	return nil
}

// sample runs the command and writes the record.
func (s *benchSession) sample(cfg asm.Config, args []string) (*asm.Run, error) {
	starter := &command.Starter{Env: append(os.Environ(), s.run.Config.Setenv...)}
	prog, err := starter.Program(args)
	if err != nil {
		return nil, err
	}
	prog.Name = ""
	if err := s.openOutput(); err != nil {
		return nil, err
	}
	ctx, cancel := s.signals.FirstContext()
	defer cancel()
	l, err := spawn.Start(ctx, spawn.Config{})
	if err != nil {
		return nil, s.interrupted(failed(err, "tare asm holds the command by a small program, which the go command builds"))
	}
	defer l.Close()
	if s.machine, err = session.LockMachine(ctx, s.progress, s.flags.noWait); err != nil {
		return nil, s.interrupted(err)
	}
	prog.Spec.Stdout, prog.Spec.Stderr = os.Stderr, os.Stderr // stdout is for the listing
	prog.Spec.Timeout = s.run.Config.Timeout
	s.progress.Clear()
	run, err := asm.Command(ctx, l, prog.Spec, cfg)
	if err != nil {
		return nil, failed(err, runner.ProbeAdvice(err))
	}
	return run, s.recordAsm(prog, run)
}

// recordAsm writes what a benchmark's record would have: the command is a case, and
// its process a fork of the profiler.
func (s *benchSession) recordAsm(p *command.Program, run *asm.Run) error {
	s.bins = []*binary{programBinary(p, 1, s.run.Dir)}
	f := &record.Fork{ID: 1, Case: 1, Bin: 1, Round: 1, Order: 1, Purpose: asm.Name, State: record.StateOK}
	fork.SetUsage(f, run.Result)
	lines := []record.Line{s.header(), &s.bins[0].Bin, &record.Case{ID: 1, Name: s.secrets.Mask(p.Line), Bin: 1, Mode: record.ModeN, N: 1, Shot: true}}
	data, err := json.Marshal(run.Asm)
	if err != nil {
		return err
	}
	lines = append(lines, &record.Attach{Fork: f.ID, Name: record.AttachAsm, Media: "application/json", Data: data})
	for _, d := range run.Doubts {
		d.About, d.ID = record.AboutFork, f.ID
		lines = append(lines, d)
	}
	end := &record.End{State: record.EndCompleted, Why: "the command has ended"}
	if run.Ended != nil {
		end.State, end.Why = record.EndPartial, run.Ended.Error()
	}
	for _, l := range append(lines, f, &record.Tare{Wall: int64(time.Since(s.start))}, end) {
		if err := s.write(l); err != nil {
			return err
		}
	}
	return s.sink.Close(true)
}

// concludeAsm shows the listing and says how the command ended, if it was not stopped
// because that was asked for.
func (s *benchSession) concludeAsm(run *asm.Run, stopped bool) error {
	sum := s.sink.Result()
	if err := s.export(sum); err != nil {
		return err
	}
	switch r := run.Result; {
	case s.signals.Caught():
		return s.signals.ExitError()
	case stopped:
		return nil
	case run.Ended != nil:
		return failed(fmt.Errorf("the command was ended: %w", run.Ended), "")
	case r.Signal != 0 && !errors.Is(run.Ended, spawn.ErrTimeout):
		return failed(fmt.Errorf("the command was ended by a signal: %s", r.Signal), "")
	case r.ExitCode != 0:
		return failed(fmt.Errorf("the command ended with status %d", r.ExitCode), "")
	}
	return nil
}

// programBinary is what a session knows of a program that it did not build.
func programBinary(p *command.Program, id int, dir string) *binary {
	return &binary{Bin: *p.Bin(id, dir), built: build.Binary{Go: command.GoVersion(p.Path)}}
}
