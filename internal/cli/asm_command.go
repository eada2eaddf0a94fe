package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/profrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
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
	format, err := f.show.check()
	if err != nil {
		return err
	}
	prog, err := (&command.Starter{Env: append(os.Environ(), f.bench.cfg.Setenv...)}).Program(args)
	if err != nil {
		return err
	}
	exporter, err := f.show.exporter()
	if err != nil {
		return err
	}
	r, err := startRun(st, runOptions{
		Config:  profrun.Config{Verb: record.KindAsm, Env: f.bench.cfg.Setenv},
		records: exporter.Records, command: commandLine("asm", redactorOf(f.bench.cfg.Setenv), args), progress: f.bench.progress, noWait: f.bench.noWait,
		onSignal: "ending the command; what was sampled until now is shown",
	})
	if err != nil {
		return err
	}
	defer r.close()
	run, err := r.Asm(prog, f.bench.timeout, cfg)
	if err != nil {
		return r.Abort(err)
	}
	p.record = r.Recorder.Path()
	f.tellDoubts(st, run.Doubts)
	show := func(w io.Writer, format string) error {
		return p.summary(w, render.Format(format), r.Recorder.Result())
	}
	if err := exporter.Write(st.out, string(format), p.record, show); err != nil {
		return err
	}
	if cfg.Stop && run.Result.Signal == syscall.SIGKILL && run.Result.Wall() >= cfg.Delay+cfg.Length {
		return r.Err(nil) // it was stopped because --duration is over
	}
	return r.Err(commandFailure(run))
}

// commandFailure says what is wrong with how a command ended.
func commandFailure(run *asm.Run) error {
	switch r := run.Result; {
	case run.Ended != nil:
		return fmt.Errorf("the command was ended: %w", run.Ended)
	case r.Signal != 0:
		return fmt.Errorf("the command was ended by a signal: %s", r.Signal)
	case r.ExitCode != 0:
		return fmt.Errorf("the command ended with status %d", r.ExitCode)
	}
	return nil
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
