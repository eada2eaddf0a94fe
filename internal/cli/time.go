package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/commandrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// timeFlags are the flags of tare time as they are typed.
type timeFlags struct {
	runs, warmup  int
	vs            []string
	shell         bool
	stdout, input string
	setup         []string
	prepare       []string
	cleanup       []string
	params        []string
	ignoreFailure bool
	timeout       time.Duration
	cwd           string
	setenv        []string
	seed          string
	precision     float64
	threshold     float64
	confidence    float64
	noPriority    bool
	runFlags
	strict bool
	output outputFlags
}

const timeLong = `tare time runs a command, or several in turn, and says what a run takes: real, user and
system time, peak memory, processors kept busy, page faults and context switches,
each with an interval over the runs. With --vs it says which is faster, and what that
costs in CPU time. With --param it measures a command for each of several values, and
says how the time grows with them.

The program of go run PACKAGE [ARG...] is built first, once, and measured without the go
command. Of such a program it also says what its runtime counts when it ends: bytes and
objects allocated, garbage collections and their CPU time, and on Linux the CPU time of
each thread. --shell measures go run as it is.

No shell is between tare and a command unless --shell asks for one. A command's
standard input is empty, and its output is discarded: see --input and --stdout. The
cost of starting a process is measured beside each run and printed. The figures
include it.`

const timeExample = `  tare time -- ./sort-par 100000000
  tare time --runs 20 --vs './sort-seq 100000000' -- ./sort-par 100000000
  tare time --vs 'go run ./cmd/sort -seq' -- go run ./cmd/sort -par
  tare time --vs 'zstd -3 -kf log' --vs 'xz -1 -kf log' -- gzip -kf log
  tare time --param n=1e6,2e6,4e6,8e6 -- ./sort-par '{n}'
  tare time --warmup 1 --input words.txt -- sort -u
  tare time --shell --prepare 'sync' -- 'grep -r TODO . | wc -l'
  tare time -o new.jsonl -- ./build.sh`

func newTime(s streams) *cobra.Command {
	f := &timeFlags{}
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
	fl.IntVar(&f.runs, "runs", 10, "runs of each command (--forks is the same); with --precision the most")
	flags.Alias(fl, "forks", "runs") // as advice calls them
	fl.IntVar(&f.warmup, "warmup", 0, "runs of each command before those that count")
	fl.StringArrayVar(&f.vs, "vs", nil, "compare with this `command`, run in turn with the others; words are split as by a shell; repeatable")
	fl.StringArrayVar(&f.params, "param", nil, "measure each combination of values, `NAME=1,2,4`: {NAME} in a command stands for one; repeatable")
	fl.BoolVar(&f.shell, "shell", false, "run all commands by sh -c; what the shell costs is measured and printed")
	fl.StringArrayVar(&f.setup, "setup", nil, "run this `command` once before the runs of each command, not measured")
	fl.StringArrayVar(&f.prepare, "prepare", nil, "run this `command` before each run, not measured; given once for each command, each has its own")
	fl.StringArrayVar(&f.cleanup, "cleanup", nil, "run this `command` once after the runs of each command, not measured")
	fl.StringVar(&f.stdout, "stdout", commandrun.StdoutNull, "what becomes of the commands' output: null, inherit, or a `FILE` that keeps the last run's")
	fl.StringVar(&f.input, "input", "", "the commands' standard input, a `FILE` (default: nothing to read)")
	fl.BoolVar(&f.ignoreFailure, "ignore-failure", false, "count runs that end with another status than 0, or by a signal")
	fl.DurationVar(&f.timeout, "timeout", 0, "wall time after which a run is killed and has failed (default none)")
	fl.StringVar(&f.cwd, "cwd", "", "`directory` in which the commands run")
	flags.Env(fl, &f.setenv, "the commands")
	flags.Seed(fl, &f.seed, "the order")
	flags.Precision(fl, &f.precision, "the interval of the real time, or of its ratio, is within ± this `share`; checked after 10, 20, 40, 80 runs")
	flags.Threshold(fl, &f.threshold, 0.03, "difference between the two")
	flags.Confidence(fl, &f.confidence, "of the intervals")
	flags.Priority(fl, &f.noPriority, "commands")
	flags.Strict(fl, &f.strict, "any result carries a warning")
	f.runFlags.register(fl)
	f.output.formats, f.output.suffixes = render.Formats(), tableSuffixes
	f.output.register(fl, "every figure with its interval and range")
}

// run checks the flags, has the commands measured and shows the result.
func (f *timeFlags) run(cmd *cobra.Command, st streams, args []string) error {
	s := commandrun.Session{Start: time.Now(), Stderr: st.err, Lock: f.lock, Estimate: render.Estimate}
	format, err := f.output.check()
	if err != nil {
		return err
	}
	if s.Progress, err = session.NewProgress(st.err, f.progress); err != nil {
		return err
	}
	cfg, err := f.config(cmd)
	if err != nil {
		return err
	}
	if s.Here, err = os.Getwd(); err != nil {
		return failed(err, "")
	}
	if err := f.commands(&cfg, args); err != nil {
		return err
	}
	m, err := commandrun.New(cfg)
	if err != nil {
		return err
	}
	if err := f.checkStdout(); err != nil {
		return err
	}
	s.Command = programLine("time", args)
	s.Signals = session.CatchSignals(func(sig os.Signal) {
		s.Progress.Note("%s: finishing the run in hand; once more stops at once", sig)
	})
	defer s.Signals.Stop()
	if s.Recorder, err = session.OpenRecorder(f.output.Records, cfg.Seed, s.Start); err != nil {
		return err
	}
	defer s.Recorder.Discard()
	err = m.Run(s)
	s.Progress.Clear()
	err = f.conclude(st, format, s, err)
	return session.PrintMoved(st.err, s.Recorder.Moved(), err)
}

// conclude prints the result, partial or not, and then why it is partial. err is how measuring
// ended.
func (f *timeFlags) conclude(st streams, format render.Format, s commandrun.Session, err error) error {
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

// checkStdout fails if the file of --stdout cannot be written.
func (f *timeFlags) checkStdout() error {
	if f.stdout == commandrun.StdoutNull || f.stdout == commandrun.StdoutInherit {
		return nil
	}
	return session.CheckFlag("--stdout", f.stdout)
}

// commands adds what is run: the command, those of --vs, and those around them.
func (f *timeFlags) commands(cfg *commandrun.Config, args []string) error {
	if len(args) == 0 {
		return usageError(errors.New("time needs a command"), "tare time -- COMMAND [ARG...]")
	}
	cfg.Commands = [][]string{args}
	for _, x := range []struct {
		flag  string
		lines []string
		to    *[][]string
	}{{"vs", f.vs, &cfg.Commands}, {"setup", f.setup, &cfg.Setup}, {"prepare", f.prepare, &cfg.Prepare}, {"cleanup", f.cleanup, &cfg.Cleanup}} {
		for _, line := range x.lines {
			words, err := f.words(x.flag, line)
			if err != nil {
				return err
			}
			*x.to = append(*x.to, words)
		}
	}
	for _, text := range f.params {
		p, err := commandrun.ParseParam(text)
		if err != nil {
			return usageError(fmt.Errorf("--param: %w", err), "")
		}
		cfg.Params = append(cfg.Params, p)
	}
	return nil
}

// words returns those of a flag's command; with --shell the line is one word.
func (f *timeFlags) words(flag, line string) ([]string, error) {
	if f.shell {
		return []string{line}, nil
	}
	words, err := shellwords.Split(line)
	if err != nil {
		return nil, usageError(fmt.Errorf("--%s: %w", flag, err), "quote it, or let a shell run all commands: --shell")
	}
	if len(words) == 0 {
		return nil, usageError(fmt.Errorf("--%s names no command", flag), "")
	}
	return words, nil
}

// config checks the flags and returns what they ask for, without the commands. The error names
// all contradictions.
func (f *timeFlags) config(cmd *cobra.Command) (commandrun.Config, error) {
	c, err := f.plan(cmd)
	return commandrun.Config{
		Shell: f.shell, Input: f.input, Stdout: f.stdout, Dir: f.cwd, IgnoreFailure: f.ignoreFailure, Plan: c, Seed: job.SeedOf(f.seed),
	}, err
}

// plan returns how often the commands run and what is done with the figures.
func (f *timeFlags) plan(cmd *cobra.Command) (record.Config, error) {
	p := &problems{}
	set := cmd.Flags().Changed
	c := record.Config{
		Packages: []string{}, Forks: f.runs, Warmup: f.warmup, Iterations: 1, Benchtime: "1x", Timeout: f.timeout, Setenv: f.setenv,
		Order: plan.Interleaved, Correction: result.NoCorrection, Confidence: f.confidence, NoPriority: f.noPriority,
	}
	p.AtLeast("runs", f.runs, 1)
	p.AtLeast("warmup", f.warmup, 0)
	p.positive(cmd, "timeout", f.timeout)
	p.confidence(f.confidence)
	c.Threshold, c.Precision = f.threshold, f.precision
	if f.precision > 0 && !set("runs") {
		c.Forks = plan.MaxRounds
	}
	p.seed(cmd, f.seed)
	for _, x := range [...]struct {
		flag     string
		commands []string
	}{{"vs", f.vs}, {"setup", f.setup}, {"prepare", f.prepare}, {"cleanup", f.cleanup}} {
		if slices.Contains(x.commands, "") {
			p.Add("--%s names no command", x.flag)
		}
	}
	for _, x := range [...]struct {
		flag     string
		commands []string
	}{{"setup", f.setup}, {"cleanup", f.cleanup}} {
		if len(x.commands) > 1 {
			p.Add("--%s is given twice; join the commands by && and --shell", x.flag)
		}
	}
	f.checkPlaces(set, p)
	return c, p.Err()
}

// checkPlaces checks what names files and variables.
func (f *timeFlags) checkPlaces(set func(string) bool, p *problems) {
	p.settings("env", f.setenv)
	switch f.stdout {
	case "":
		p.Add("--stdout needs null, inherit or a file")
	case commandrun.StdoutNull, commandrun.StdoutInherit:
	default:
		if slices.Contains(f.output.files, f.stdout) {
			p.Add("--stdout %s is the file of -o", f.stdout)
			break
		}
		if st, err := os.Stat(f.stdout); err == nil && st.Mode()&(os.ModeDir|os.ModeNamedPipe|os.ModeSocket) != 0 {
			p.Add("--stdout %s is a directory or a pipe, and no file that each run can write", f.stdout)
		}
	}
	if f.stdout == commandrun.StdoutInherit && f.output.format != "" && f.output.format != string(render.Text) && !set("output") {
		p.Add("--stdout inherit would mix the commands' output with the result in --format %s; write that with -o FILE", f.output.format)
	}
	for _, out := range f.output.files {
		if out == commandrun.StdoutNull || out == commandrun.StdoutInherit { // as other tools have it
			p.Add("-o %s names the file of the result; --stdout %s says what becomes of the commands' output", out, out)
		}
	}
	for _, x := range [...]struct{ flag, path string }{{"input", f.input}, {"cwd", f.cwd}} {
		if x.path == "" {
			if set(x.flag) {
				p.Add("--%s names nothing", x.flag)
			}
			continue
		}
		st, err := os.Stat(x.path)
		switch {
		case err != nil:
			p.Add("--%s: %v", x.flag, err)
		case x.flag == "input" && st.Mode()&(os.ModeDir|os.ModeNamedPipe|os.ModeSocket) != 0:
			p.Add("--input %s is a directory or a pipe, and no file that each run can read", x.path)
		case x.flag == "cwd" && !st.IsDir():
			p.Add("--cwd %s is not a directory", x.path)
		}
	}
}
