package cli

import (
	"errors"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/commandrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
)

// timeFlags are the flags of tare time as they are typed.
type timeFlags struct {
	job job.Command
	runFlags
	strict bool
	output outputFlags
}

const timeLong = `tare time runs a command, or several in turn, and says what a run takes: real, user and
system time, peak memory, processors kept busy, page faults and context switches,
each with an interval over the runs. With --against or --side it says which is faster, and
what that costs in CPU time. With --param it measures a command for each of several values, and
says how the time grows with them.

The program of go run PACKAGE [ARG...] is built first, once, and measured without the go
command. Of such a program it also says what its runtime counts when it ends: bytes and
objects allocated, garbage collections and their CPU time, and on Linux the CPU time of
each thread. --shell measures go run as it is.

No shell is between tare and a command unless --shell asks for one. A command's
standard input is empty, and its output is discarded: see --input and --stdout. The
cost of starting a process is measured beside each run and printed. The figures
include it.`

const timeExample = `  tare time -- go version
  tare time --against 'sleep 0.02' -- sleep 0.03
  tare time --runs 20 --against './sort-seq 100000000' -- ./sort-par 100000000
  tare time --against 'go run ./cmd/sort -seq' -- go run ./cmd/sort -par
  tare time --side gzip='gzip -kf log' --side zstd='zstd -3 -kf log' --side xz='xz -1 -kf log'
  tare time --param n=1e6,2e6,4e6,8e6,16e6 -- ./sort-par '{n}'
  tare time --warmup 1 --input words.txt -- sort -u
  tare time --shell --prepare 'sync' -- 'grep -r TODO . | wc -l'
  tare time -o new.jsonl -- ./build.sh`

func newTime(s streams) *cobra.Command {
	f := &timeFlags{job: job.DefaultCommand()}
	return verb{
		use:      "time [flags] -- COMMAND [ARG...]",
		short:    "Measure commands: time, CPU, peak memory, and which is faster",
		long:     timeLong,
		example:  timeExample,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	}.command()
}

func (f *timeFlags) register(fl *pflag.FlagSet) {
	fl.SetInterspersed(false) // what follows the command's name is the command's
	flags.Job(fl, f.job.Options(), job.OnTime)
	flags.Alias(fl, "forks", "runs") // as advice calls them
	flags.Strict(fl, &f.strict, "any result carries a warning")
	f.runFlags.register(fl)
	f.output.formats, f.output.suffixes = render.Formats(), tableSuffixes
	f.output.register(fl, "every figure with its interval and range")
}

// run checks the flags, has the commands measured and shows the result.
func (f *timeFlags) run(cmd *cobra.Command, st streams, args []string) error {
	s := commandrun.Session{Start: time.Now(), Stderr: st.err, Lock: f.lock, Estimate: render.Estimate, Command: programLine("time", args)}
	format, err := f.output.check()
	if err != nil {
		return err
	}
	if s.Progress, err = session.NewProgress(st.err, f.progress); err != nil {
		return err
	}
	f.job.Words, f.job.Given = args, flags.GivenTo(cmd.Flags())
	if err := f.checkOutput(); err != nil {
		return err
	}
	m, err := commandrun.New(&f.job)
	if err != nil {
		return err
	}
	if out := f.job.Stdout; out != job.StdoutNull && out != job.StdoutInherit {
		if err := session.CheckFlag("--stdout", out); err != nil {
			return err
		}
	}
	s.Signals = session.CatchSignals(func(sig os.Signal) {
		s.Progress.Note("%s: finishing the run in hand; once more stops at once", sig)
	})
	defer s.Signals.Stop()
	s.Records = f.output.Records
	err = m.Run(s)
	if m.Recorder == nil {
		return err
	}
	s.Progress.Clear()
	err = f.conclude(st, format, m, err)
	return session.PrintMoved(st.err, m.Recorder.Moved(), err)
}

// conclude prints the result, partial or not, and then why it is partial. err is how measuring
// ended.
func (f *timeFlags) conclude(st streams, format render.Format, s *commandrun.Measurement, err error) error {
	if errors.Is(err, plan.ErrInterrupted) {
		err = nil // as the signals say
	}
	sum := s.Recorder.Result()
	measured := slices.ContainsFunc(sum.Results, func(r result.Benchmark) bool { return r.Forks > 0 })
	switch {
	case !measured && s.Signals.Caught():
		s.Progress.Note("interrupted before anything was measured")
		return s.Signals.ExitError()
	case !measured:
		return err
	}
	if e := f.output.Write(st.out, string(format), s.Recorder.Path(), f.output.result(sum)); e != nil {
		return e
	}
	switch {
	case err != nil && !s.Signals.Caught():
		return err
	case s.Signals.Caught():
		s.Progress.Note("partial result; its records are in %s", s.Recorder.Path())
		return s.Signals.ExitError()
	}
	if err := printFailures(st.err, sum, nil); err != nil {
		return err
	}
	return strictly(st.err, sum, f.strict)
}

// checkOutput finds what the commands' output and the result do to each other.
func (f *timeFlags) checkOutput() error {
	p := &problems{}
	stdout := f.job.Stdout
	p.AddIf(slices.Contains(f.output.files, stdout), "--stdout %s is the file of -o", stdout)
	p.AddIf(stdout == job.StdoutInherit && f.output.format != "" && f.output.format != string(render.Text) && !f.job.Given["output"], "--stdout inherit would mix the commands' output with the result in --format %s; write that with -o FILE", f.output.format)
	for _, word := range [...]string{job.StdoutNull, job.StdoutInherit} { // which follow -o in other tools
		p.AddIf(slices.Contains(f.output.files, word), "-o %[1]s names the file of the result; --stdout %[1]s says what becomes of the commands' output", word)
	}
	return p.Err()
}
