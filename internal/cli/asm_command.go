package cli

import (
	"errors"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/record"
)

// measureCommand samples a command and everything that it starts, and records it: a
// program that is its own binary, with one fork.
func (f *asmFlags) measureCommand(cmd *cobra.Command, st streams, args []string) error {
	if err := refuseFlags(cmd, "the program after -- is a command, not a benchmark", append([]string{"bench"}, benchmarkFlagNames...)...); err != nil {
		return err
	}
	if len(args) == 0 {
		return usageError(errors.New("asm: no command behind --"), "tare asm -- COMMAND [ARG...]")
	}
	j := &f.bench.job
	p := problems{}
	p.positive(cmd, "timeout", j.Timeout)
	p.settings("env", j.Setenv)
	if err := p.Err(); err != nil {
		return err
	}
	cfg := f.sampler.config()
	cfg.Delay, cfg.Duration, cfg.Stop, cfg.Whole = f.delay, f.duration, f.duration > 0, f.cfg.Func
	if err := cfg.Validate(); err != nil {
		return usageError(err, "")
	}
	format, err := f.bench.output.check()
	if err != nil {
		return err
	}
	prog, err := (&command.Starter{Env: append(os.Environ(), j.Setenv...)}).Program(args)
	if err != nil {
		return err
	}
	r, err := programrun.Open(programrun.Options{
		Config:  programrun.Config{Verb: record.KindAsm, Env: j.Setenv},
		Records: f.bench.output.Records, Command: programLine("asm", args), Seed: job.SeedOf(""),
		Display: f.bench.progress, Lock: f.bench.lock, Stderr: st.err,
		OnSignal: "ending the command; what was sampled until now is shown",
	})
	if err != nil {
		return err
	}
	defer r.Close()
	run, err := r.Asm(prog, j.Timeout, cfg)
	if err != nil {
		return r.Abort(err)
	}
	printWarnings(st.err, recorded(run.Warnings), listingCodes...)
	res := r.Recorder.Result()
	if err := f.bench.output.Write(st.out, string(format), r.Recorder.Path(), f.listing(res)); err != nil {
		return err
	}
	if cfg.Stop && run.Result.Signal == syscall.SIGKILL && run.Result.Wall() >= cfg.Delay+cfg.Duration {
		return r.Err(nil) // it was stopped because --duration is over
	}
	return r.Err(programrun.CommandFailure(run))
}
