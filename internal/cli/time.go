package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/timerun"
	"github.com/tarebench/tare/record"
)

// timeFlags are the flags of tare time as they are typed.
type timeFlags struct {
	runs, warmup  int
	vs            string
	shell         bool
	stdout, input string
	prepare       string
	ignoreFailure bool
	timeout       time.Duration
	cwd           string
	setenv        []string
	seed          string
	precision     string
	threshold     string
	confidence    float64
	noWait        bool
	strict        bool
	progress      string
	show          showFlags
}

const timeLong = `tare time runs a command, or two in turn, and says what a run takes: real, user and
system time, peak memory, processors kept busy, page faults and context switches,
each with an interval over the runs. With --vs it says which of the two is faster,
and what that costs in CPU time.

No shell is between tare and a command unless --shell asks for one. A command
finds nothing to read, and its output is discarded: see --input and --stdout.
What starting a process costs is measured beside each run and printed; it is in
the figures.`

const timeExample = `  tare time -- ./sort-par 100000000
  tare time --runs 20 --vs './sort-seq 100000000' -- ./sort-par 100000000
  tare time --warmup 1 --input words.txt -- sort -u
  tare time --shell --prepare 'sync' -- 'grep -r TODO . | wc -l'
  tare time -o new.jsonl -- ./build.sh`

func newTime(s streams) *cobra.Command {
	f := &timeFlags{}
	cmd := &cobra.Command{
		Use:     "time [flags] -- COMMAND [ARG...]",
		Short:   "Measure whole commands: time, CPU, peak memory, and which of two is faster",
		Long:    timeLong,
		Example: timeExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *timeFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	fl.SetInterspersed(false) // what follows the command's name is the command's
	fl.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "forks" { // as advice calls them: a run is a fork
			name = "runs"
		}
		return pflag.NormalizedName(name)
	})
	fl.IntVar(&f.runs, "runs", 10, "runs of each command (--forks is the same); with --precision the most")
	fl.IntVar(&f.warmup, "warmup", 0, "runs of each command before those that count")
	fl.StringVar(&f.vs, "vs", "", "compare with this `command`, run in turn with the other; words are split as by a shell")
	fl.BoolVar(&f.shell, "shell", false, "run all commands by sh -c; what the shell costs is measured and printed")
	fl.StringVar(&f.prepare, "prepare", "", "run this `command` before each run, not measured")
	fl.StringVar(&f.stdout, "stdout", timerun.StdoutNull, "what becomes of the commands' output: null, inherit, or a `FILE` that keeps the last run's")
	fl.StringVar(&f.input, "input", "", "the commands' standard input, a `FILE` (default: nothing to read)")
	fl.BoolVar(&f.ignoreFailure, "ignore-failure", false, "count runs that end with another status than 0, or by a signal")
	fl.DurationVar(&f.timeout, "timeout", 0, "wall time after which a run is killed and has failed (default none)")
	fl.StringVar(&f.cwd, "cwd", "", "`directory` in which the commands run")
	fl.StringArrayVar(&f.setenv, "env", nil, "set a variable for the commands: `K=V`, repeatable")
	fl.StringVar(&f.seed, "seed", "", "`seed` of the order, hexadecimal (default: drawn and printed)")
	fl.StringVar(&f.precision, "precision", "", "stop when the interval of the real time, or of its ratio, is within ± this `share`; checked after 10, 20, 40, 80 runs")
	fl.StringVar(&f.threshold, "threshold", "3%", "difference between the two that does not matter, a `share`")
	confidenceFlag(fl, &f.confidence, "of the intervals")
	fl.BoolVar(&f.noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.BoolVar(&f.strict, "strict", false, "exit 4 if any result carries a warning")
	fl.StringVar(&f.progress, "progress", "auto", "auto, plain or none")
	f.show.register(fl, true)
	fl.Lookup("verbose").Usage = "every figure with its interval and range"
}

// run checks the flags, has the commands measured and shows the result.
func (f *timeFlags) run(cmd *cobra.Command, st streams, args []string) error {
	s := timerun.Session{Start: time.Now(), Stderr: st.err, NoWait: f.noWait, Estimate: render.Estimate}
	format, err := f.show.check()
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
	s.Redactor = session.NewRedactor(append(os.Environ(), f.setenv...)...).WithArgs(session.TypedArgs())
	if err := f.commands(&cfg, s.Redactor, args); err != nil {
		return err
	}
	m, err := timerun.New(cfg)
	if err != nil {
		return err
	}
	exporter, err := f.show.exporter()
	if err != nil {
		return err
	}
	s.Command = commandLine("time", s.Redactor, args)
	s.Signals = session.CatchSignals(func(sig os.Signal) {
		s.Progress.Note("%s: finishing the run in hand; once more stops at once", sig)
	})
	defer s.Signals.Stop()
	if s.Recorder, err = session.OpenRecorder(exporter.Records, cfg.Seed, s.Start); err != nil {
		return err
	}
	defer s.Recorder.Discard()
	err = m.Run(s)
	s.Progress.Clear()
	return f.conclude(st, format, exporter, s, err)
}

// conclude prints the result, partial or not, and then why it is partial. err is how measuring
// ended.
func (f *timeFlags) conclude(st streams, format render.Format, exporter *session.Exporter, s timerun.Session, err error) error {
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
	show := func(w io.Writer, format string) error {
		return f.show.show(w, render.Format(format), sum, s.Recorder.Path())
	}
	if e := exporter.Write(st.out, string(format), s.Recorder.Path(), show); e != nil {
		return e
	}
	switch {
	case err != nil && !s.Signals.Caught():
		return err
	case s.Signals.Caught():
		s.Progress.Note("partial result; its records are in %s", s.Recorder.Path())
		return s.Signals.ExitError()
	}
	return verdict(st.err, sum, 0, f.strict)
}

// commands adds what is run: the command, that of --vs and that of --prepare.
func (f *timeFlags) commands(cfg *timerun.Config, hide session.Redactor, args []string) error {
	if len(args) == 0 {
		return usageError(errors.New("time needs a command"), "tare time -- COMMAND [ARG...]")
	}
	cfg.Commands = [][]string{args}
	if f.vs != "" {
		words, err := f.words("vs", f.vs, hide)
		if err != nil {
			return err
		}
		cfg.Commands = append(cfg.Commands, words)
	}
	var err error
	if f.prepare != "" {
		cfg.Prepare, err = f.words("prepare", f.prepare, hide)
	}
	return err
}

// words are those of a flag's command; with --shell the line is one word.
func (f *timeFlags) words(flag, line string, hide session.Redactor) ([]string, error) {
	if f.shell {
		return []string{line}, nil
	}
	words, err := command.Split(line)
	if err != nil {
		return nil, usageError(fmt.Errorf("--%s: %s", flag, hide.Mask(err.Error())), "quote it, or let a shell run all commands: --shell")
	}
	if len(words) == 0 {
		return nil, usageError(fmt.Errorf("--%s names no command", flag), "")
	}
	return words, nil
}

// config checks the flags and returns what they ask for, without the commands. The error names
// all contradictions.
func (f *timeFlags) config(cmd *cobra.Command) (timerun.Config, error) {
	c, err := f.plan(cmd)
	return timerun.Config{
		Shell: f.shell, Input: f.input, Stdout: f.stdout, Dir: f.cwd, IgnoreFailure: f.ignoreFailure, Plan: c, Seed: drawSeed(f.seed),
	}, err
}

// plan is how often the commands run and what is done with the figures.
func (f *timeFlags) plan(cmd *cobra.Command) (record.Config, error) {
	var wrong []string
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	set := cmd.Flags().Changed
	c := record.Config{
		Packages: []string{}, Forks: f.runs, Warmup: f.warmup, Iterations: 1, Benchtime: "1x", Timeout: f.timeout, Setenv: f.setenv,
		Order: plan.Interleaved, Correction: result.NoCorrection, Confidence: f.confidence,
	}
	if f.runs < 1 {
		bad("--runs %d is less than 1", f.runs)
	}
	if f.warmup < 0 {
		bad("--warmup %d is less than 0", f.warmup)
	}
	if set("timeout") && f.timeout <= 0 {
		bad("--timeout %s is not above 0", f.timeout)
	}
	if !(f.confidence > 0 && f.confidence < 1) {
		bad("--confidence %v is not between 0 and 1", f.confidence)
	}
	var err error
	if c.Threshold, err = session.ParseShare(f.threshold); err != nil {
		bad("--threshold: %v", err)
	}
	if f.precision != "" {
		if c.Precision, err = session.ParseShare(f.precision); err != nil {
			bad("--precision: %v", err)
		}
		if !set("runs") {
			c.Forks = plan.MaxRounds
		}
	}
	if _, err := record.ParseSeed(f.seed); set("seed") && err != nil {
		bad("--seed: %v", err)
	}
	for _, x := range [...]struct{ flag, command string }{{"vs", f.vs}, {"prepare", f.prepare}} {
		if set(x.flag) && x.command == "" {
			bad("--%s names no command", x.flag)
		}
	}
	f.checkPlaces(set, bad)
	if len(wrong) > 0 {
		return c, usageError(errors.New(strings.Join(wrong, "; ")), "")
	}
	return c, nil
}

// checkPlaces checks what names files and variables.
func (f *timeFlags) checkPlaces(set func(string) bool, bad func(string, ...any)) {
	for _, kv := range f.setenv {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			bad("--env %q is not of the form K=V", session.MaskWord(kv))
		}
	}
	switch f.stdout {
	case "":
		bad("--stdout needs null, inherit or a file")
	case timerun.StdoutNull, timerun.StdoutInherit:
	case f.show.out:
		bad("--stdout %s is the file of -o", f.stdout)
	default:
		out, err := os.OpenFile(f.stdout, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			bad("--stdout: %v", err)
		} else {
			out.Close()
		}
	}
	if f.stdout == timerun.StdoutInherit && f.show.format != "" && f.show.format != string(render.Text) && !set("output") {
		bad("--stdout inherit would mix the commands' output with the result in --format %s; write that with -o FILE", f.show.format)
	}
	if f.show.out == timerun.StdoutNull || f.show.out == timerun.StdoutInherit { // as other tools have it
		bad("-o %s names the file of the result; --stdout %s says what becomes of the commands' output", f.show.out, f.show.out)
	}
	for _, x := range [...]struct{ flag, path string }{{"input", f.input}, {"cwd", f.cwd}} {
		if x.path == "" {
			if set(x.flag) {
				bad("--%s names nothing", x.flag)
			}
			continue
		}
		st, err := os.Stat(x.path)
		switch {
		case err != nil:
			bad("--%s: %v", x.flag, err)
		case x.flag == "input" && st.IsDir():
			bad("--input %s is a directory", x.path)
		case x.flag == "cwd" && !st.IsDir():
			bad("--cwd %s is not a directory", x.path)
		}
	}
}
