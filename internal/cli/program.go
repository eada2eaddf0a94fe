package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// programFlags are those of every verb that runs a program under a profiler: trace, sample,
// contrast.
type programFlags struct {
	job  job.Program
	verb job.Verbs
	runFlags
	output outputFlags
	shown  render.Format // on stdout, once the flags were checked
}

// register adds the flags. suffixes are those of -o that the verb has besides text and JSON.
func (f *programFlags) register(fl *pflag.FlagSet, suffixes ...string) {
	flags.Job(fl, f.job.Options(), f.verb)
	f.runFlags.register(fl)
	f.output.formats, f.output.suffixes = textFormats, withSuffixes(textSuffixes, suffixes...)
	f.output.register(fl, "more columns and longer lists")
}

// check finds mistakes in the flags of the output.
func (f *programFlags) check() (err error) {
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
	check    func() error                                    // of flags that say what is shown
	views    func(*programRecord) ([]*render.View, error)    // of a record
	warnings func(*record.Trace) ([]*record.Warn, error)     // about calls that were counted
	view     func(*programrun.Outcome) (*render.View, error) // of a run
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
		if err := refuseFlags(cmd, "a record is shown as it is", measuringFlags(f.job.Options(), f.verb)...); err != nil {
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
	if err := f.take(cmd, args); err != nil {
		return err
	}
	return f.measure(st, v)
}

// measuringFlags are the flags that say what is measured, and how.
func measuringFlags(options []job.Option, verb job.Verbs) []string {
	names := []string{"no-wait", "no-lock"}
	for _, o := range job.Of(options, verb) {
		names = append(names, o.Name)
	}
	return names
}

// take takes the program, and which options were given.
func (f *programFlags) take(cmd *cobra.Command, args []string) error {
	f.job.Given = flags.GivenTo(cmd.Flags())
	switch n := cmd.ArgsLenAtDash(); {
	case n == 0 && len(args) == 0:
		return usageError(fmt.Errorf("%s: no command behind --", cmd.Name()), "-- go run PACKAGE, or -- go test PACKAGE")
	case n == 0:
		f.job.Command = args
	case n > 0:
		f.job.Packages, f.job.Args = args[:n], args[n:]
	default:
		f.job.Packages = args
	}
	return nil
}

// measure has a program run, shows the result, and says how the program ended.
func (f *programFlags) measure(st streams, v programVerb) error {
	o := programrun.Options{
		Job: &f.job, Records: f.output.Records, Command: typedLine(f.job.Kind), Display: f.progress, Lock: f.lock, Stderr: st.err,
		OnSignal: "ending the program; what there is until now is shown", Warnings: v.warnings,
	}
	if f.job.URL != "" {
		o.OnSignal = "leaving the process alone; what there is until now is shown"
	}
	r, err := programrun.Open(o)
	if err != nil {
		return err
	}
	defer r.Close()
	seen, err := r.Run()
	if err != nil {
		return err
	}
	shown, err := v.view(seen)
	if err != nil {
		return failed(err, "")
	}
	r.Progress.Clear()
	if err := f.output.Write(st.out, string(f.shown), r.Recorder.Path(), f.output.views([]*render.View{shown})); err != nil {
		if r.Signals.Caught() {
			return r.Signals.ExitError()
		}
		return err
	}
	return r.Err(seen.Ended)
}
