package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/show/render"
)

// programFlags are those of every verb that runs a program under a profiler: trace, sample,
// contrast.
type programFlags struct {
	env      []string
	tags     string
	duration time.Duration
	runFlags
	output outputFlags
	shown  render.Format // on stdout, once the flags were checked
	remote bool          // the program runs already: it is neither started nor ended
}

// register adds the flags. suffixes are those of -o that the verb has besides text and JSON.
func (f *programFlags) register(fl *pflag.FlagSet, suffixes ...string) {
	flags.Tags(fl, &f.tags)
	flags.Env(fl, &f.env, "the program")
	fl.DurationVar(&f.duration, "duration", 0, "end the program after this wall time, as Ctrl-C does (default: it ends by itself)")
	f.runFlags.register(fl)
	f.output.formats, f.output.suffixes = textFormats, withSuffixes(textSuffixes, suffixes...)
	f.output.register(fl, "more columns and longer lists")
}

// runFlagNames are the programFlags that a record shown again has no use for.
var runFlagNames = []string{"tags", "env", "duration", "no-wait", "no-lock"}

// check finds mistakes in the flags, before anything is built.
func (f *programFlags) check() (err error) {
	p := problems{}
	p.settings("env", f.env)
	if f.duration < 0 {
		p.Add("--duration %s is less than 0", f.duration)
	}
	if err := p.Err(); err != nil {
		return err
	}
	for _, path := range f.output.files {
		if strings.HasSuffix(path, render.TraceEventsSuffix) && f.output.suffixes[render.TraceEventsSuffix] == "" {
			return usageError(fmt.Errorf("-o %s: there is no execution path in it", path), "tare trace keeps it; the result is .json")
		}
	}
	f.shown, err = f.output.check()
	return err
}

// programVerb is what trace, sample and contrast have of their own.
type programVerb struct {
	check    func() error                                  // of flags that say what is shown
	measures []string                                      // flags that a record has no use for
	views    func(*programRecord) ([]*render.View, error)  // of a record
	measure  func(*cobra.Command, streams, []string) error // runs a program
}

// run shows a record again, or measures what the arguments say.
func (f *programFlags) run(cmd *cobra.Command, st streams, args []string, v programVerb) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := v.check(); err != nil {
		return err
	}
	if cmd.ArgsLenAtDash() < 0 && !cmd.Flags().Changed("url") && len(args) > 0 && input.IsRecordFile(args[0]) {
		if err := refuseFlags(cmd, "a record is shown as it is", append(v.measures, runFlagNames...)...); err != nil {
			return err
		}
		return f.showRecord(st, args, v.views)
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if err := refuseFlags(cmd, "it chooses from a record of benchmarks", "bench"); err != nil {
		return err
	}
	return v.measure(cmd, st, args)
}

// target returns what the arguments say is to be built; nil for any other command.
func (f *programFlags) target(cmd *cobra.Command, args []string) (*target.Target, error) {
	n := cmd.ArgsLenAtDash()
	switch {
	case n == 0 && len(args) == 0:
		return nil, usageError(fmt.Errorf("%s: no command behind --", cmd.Name()), "-- go run PACKAGE, or -- go test PACKAGE")
	case n == 0:
		if f.tags != "" {
			return nil, usageError(errors.New("--tags cannot be used with a command after --"), "give -tags to that command: -- go test -tags LIST")
		}
		if !target.IsGo(args) {
			return nil, nil
		}
		return target.FromCommand(args)
	case n < 0:
		n = len(args)
	}
	for _, a := range args[:n] {
		if !strings.HasSuffix(a, ".go") && n > 1 {
			return nil, usageError(fmt.Errorf("%s: %s: one package at a time", cmd.Name(), strings.Join(redact.Args(args[:n]), " ")), "arguments of the program come behind --")
		}
	}
	return target.FromPackage(args[:n], args[n:], f.tags), nil
}

// needTarget returns the target of verbs that add probes; hint is what else to type.
func (f *programFlags) needTarget(cmd *cobra.Command, args []string, hint string) (*target.Target, error) {
	t, err := f.target(cmd, args)
	if err == nil && t == nil {
		err = usageError(fmt.Errorf("%s: -- %s: tare adds probes when it builds a program", cmd.Name(), shellwords.Join(redact.Args(args))), "name the package, or -- go run PACKAGE"+hint)
	}
	return t, err
}

// start opens the record and starts the launcher.
func (f *programFlags) start(st streams, verb string) (*programrun.Runner, error) {
	o := programrun.Options{
		Config:  programrun.Config{Verb: verb, Env: f.env, Tags: f.tags, Duration: f.duration, Remote: f.remote},
		Records: f.output.Records, Command: typedLine(verb), Seed: job.SeedOf(""), Display: f.progress, Lock: f.lock, Stderr: st.err,
		OnSignal: "ending the program; what there is until now is shown",
	}
	if f.remote {
		o.OnSignal = "leaving the process alone; what there is until now is shown"
	}
	return programrun.Open(o)
}

// printRun shows the result, and says how the program ended.
func (f *programFlags) printRun(st streams, r *programrun.Runner, ended error, shown ...*render.View) error {
	r.Progress.Clear()
	if err := f.output.Write(st.out, string(f.shown), r.Recorder.Path(), f.output.views(shown)); err != nil {
		if r.Signals.Caught() {
			return r.Signals.ExitError()
		}
		return err
	}
	return r.Err(ended)
}
