package cli

import (
	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/programrun"
)

// measureCommand samples a command and everything that it starts, and records it: a
// program that is its own binary, with one fork.
func (f *asmFlags) measureCommand(cmd *cobra.Command, st streams, args []string) error {
	if err := refuseFlags(cmd, "the program after -- is a command, not a benchmark", append([]string{"bench"}, benchmarkFlagNames...)...); err != nil {
		return err
	}
	j := &f.program
	j.Command, j.Setenv, j.Timeout, j.Given = args, f.bench.job.Setenv, f.bench.job.Timeout, flags.GivenTo(cmd.Flags())
	format, err := f.bench.output.check()
	if err != nil {
		return err
	}
	r, err := programrun.Open(programrun.Options{
		Job: j, Records: f.bench.output.Records, Command: programLine("asm", args), Display: f.bench.progress, Lock: f.bench.lock, Stderr: st.err,
		OnSignal: "ending the command; what was sampled until now is shown", Whole: f.cfg.Func,
	})
	if err != nil {
		return err
	}
	defer r.Close()
	seen, err := r.Run()
	if err != nil {
		return err
	}
	printWarnings(st.err, recorded(seen.Asm.Warnings), listingCodes...)
	res := r.Recorder.Result()
	if err := f.bench.output.Write(st.out, string(format), r.Recorder.Path(), f.listing(res)); err != nil {
		return err
	}
	return r.Err(seen.Ended)
}
