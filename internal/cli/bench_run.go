package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/plantext"
	"github.com/tarebench/tare/record"
)

// benchRun measures benchmarks and shows the result, for tare bench and for
// verbs that show it in another way.
type benchRun struct {
	streams
	flags    *benchFlags
	config   benchrun.Config
	format   render.Format
	recorder *session.Recorder
	broken   []benchrun.Broken
	kind     string // of the record
	page     *live.Page

	show  func(*result.Result) session.Render // writes the result
	after func(*result.Result)                // prints what else is to be said; or nil
}

func newBenchRun(st streams, f *benchFlags) *benchRun {
	r := &benchRun{streams: st, flags: f, show: f.output.result}
	r.kind = record.KindBench
	r.config = benchrun.Config{Start: time.Now(), Lock: f.lock, Estimate: render.Estimate, RunLog: runlog.DefaultPath()}
	return r
}

// run checks the flags, measures and shows the result.
func (r *benchRun) run(cmd *cobra.Command, args []string) error {
	c := &r.config
	if err := r.checkList(cmd); err != nil {
		return err
	}
	c.List = r.flags.list
	if c.DryRun = r.flags.dryRun || c.List; c.DryRun {
		c.Lock = session.LockMode{NoLock: true} // a plan measures nothing, so it needs no machine lock
	}
	if err := r.check(cmd, args); err != nil {
		return err
	}
	c.Signals = session.CatchBetweenForks(c.Progress)
	defer c.Signals.Stop()
	if c.Earlier != nil && c.Earlier.Complete { // even if its sources have changed
		return r.showComplete()
	}
	err := r.measure()
	return session.PrintMoved(r.err, r.recorder.Moved(), err)
}

// check turns flags into the configuration of the run.
func (r *benchRun) check(cmd *cobra.Command, args []string) (err error) {
	c := &r.config
	if r.format, err = r.flags.output.check(); err != nil {
		return err
	}
	if err := checkLive(&r.flags.live, r.flags.dryRun || r.flags.list); err != nil {
		return err
	}
	if r.flags.dryRun {
		if err := checkPlanFormat(r.format); err != nil {
			return err
		}
	}
	if c.Progress, err = session.NewProgress(r.err, r.flags.progress); err != nil {
		return err
	}
	if r.flags.resume != "" {
		return r.checkResume(cmd, args)
	}
	if c.Run, err = r.flags.plan(cmd, args); err != nil {
		return err
	}
	c.Output, c.Outputs = r.flags.output.Records, append(c.Outputs, r.flags.output.files...)
	c.Threshold = r.flags.team.thresholds()
	c.Run.Kind, c.Run.Command = r.kind, typedLine(cmd.Name())
	return nil
}

// withResume are the flags, besides options of the job, that a run that is resumed may have.
var withResume = []string{"resume", "output", "format", "color", "verbose", "no-wait", "no-lock", "strict", "bisect-exit", "progress", "save", "live", "live-token", "live-cert", "live-key", "live-linger"}

// checkResume reads the record that is resumed and takes its configuration.
func (r *benchRun) checkResume(cmd *cobra.Command, args []string) (err error) {
	path := r.flags.resume
	if n := cmd.ArgsLenAtDash(); n >= 0 && len(args) > n {
		return usageError(fmt.Errorf("--resume %s goes on with the flags of the test binary that it began with; leave out -- %s", path, strings.Join(redact.Args(args[n:]), " ")), "")
	}
	if len(args) > 0 {
		return usageError(fmt.Errorf("--resume %s goes on with the packages it began with; leave out %s", path, strings.Join(args, " ")), "")
	}
	others := flags.Given(cmd.Flags(), append(job.Resumed(r.flags.job.Options()), withResume...)...)
	if len(others) > 0 {
		return usageError(fmt.Errorf("--resume %s goes on with the plan it began with; leave out %s", path, strings.Join(others, ", ")), "")
	}
	e, err := benchrun.ReadEarlier(path, r.config.Progress, checkRecord)
	if err != nil {
		return err
	}
	if err := e.RestoreSecrets(path, r.flags.job.Setenv); err != nil {
		return err
	}
	r.config.Earlier, r.config.Run = e, *e.Run
	if out := r.flags.output.Records; out != "" {
		return usageError(fmt.Errorf("-o %s: with --resume the records go on in %s", out, e.Recorder.Path()), "leave out -o, or name a .txt, .json, .md or .csv file")
	}
	return nil
}

// checkRecord refuses a file that cannot be resumed, by its first line.
func checkRecord(path string, line record.Line, err error) error {
	if err != nil {
		return recordError(err)
	}
	run, ok := line.(*record.Run)
	if !ok {
		return usageError(fmt.Errorf("%s: does not begin with a run", path), "")
	}
	switch record.KindOf(run) {
	case record.KindSelftest:
		return usageError(fmt.Errorf("--resume %s: is the record of a self-test, which has no plan to go on with", path), "tare selftest --show "+path)
	case record.KindBisect:
		return usageError(fmt.Errorf("--resume %s: is a record of tare bisect", path), "tare bisect --resume "+path)
	case record.KindTime:
		return usageError(fmt.Errorf("--resume %s: is a record of tare time, which has no plan to go on with", path), "tare report "+path+" prints the command that repeats it")
	}
	return nil
}

// showComplete shows the record of a run that has nothing left to do.
func (r *benchRun) showComplete() error {
	r.recorder = r.config.Earlier.Recorder
	if err := r.recorder.Close(true); err != nil {
		return err
	}
	if partial := r.recorder.PartialBeside(); partial != "" {
		r.config.Progress.Note("%s is complete; the run that was to replace it was cut off, and goes on with: tare bench --resume %s", r.recorder.Path(), partial)
	}
	return r.conclude()
}

// measure measures, and shows what was measured. The first signal ends it until the forks that count.
func (r *benchRun) measure() (err error) {
	if r.page, err = startLive(r.err, r.flags.live, live.OnRequest); err != nil {
		return err
	}
	defer func() { closeLive(r.err, r.page, r.config.Signals) }()
	c := &r.config
	c.OnRound = r.page.Between
	if r.page != nil {
		c.OnBuilt = func(b *benchrun.Built) {
			r.page.Record(b.Recorder.Path())
			b.Recorder.OnMove = r.page.Record
		}
	}
	var names *plantext.Lister
	if c.List {
		names = plantext.NewLister(r.out)
		c.OnFound = func(x *record.Case) { c.Progress.Clear(); names.Add(x) }
	}
	out, err := measure.Run(*c)
	r.recorder, r.broken = out.Recorder, out.Broken
	switch {
	case err != nil || !c.DryRun:
		return r.end(err, out.Reached)
	case c.List:
		c.Progress.Clear()
		return r.planned(out.Lost, names.Close(failing(out.Lost)))
	}
	c.Progress.Clear()
	return r.planned(out.Lost, r.printPlan(out.Plan))
}

// planned ends a dry run, in which benchmarks may have failed.
func (r *benchRun) planned(lost []plan.Failure, err error) error {
	if err == nil && len(lost) > 0 {
		return exit.Silent(exit.Failure)
	}
	return err
}

// printPlan prints what would be measured, and how long it takes.
func (r *benchRun) printPlan(c *benchrun.Calibrated) error {
	p := &plantext.Plan{Run: &c.Run, Cases: c.Plan.Cases, Preparing: time.Since(c.Start), Measuring: c.Plan.Estimate()}
	p.Lost = failing(c.Lost)
	write := func() error { return plantext.Write(r.out, p, r.flags.output.options(r.out)) }
	if r.format == render.JSON {
		write = func() error { return plantext.WriteJSON(r.out, p) }
	}
	return write()
}

// checkPlanFormat refuses formats of results for what --dry-run prints.
func checkPlanFormat(f render.Format) error {
	if f == render.Text || f == render.JSON {
		return nil
	}
	return usageError(fmt.Errorf("--format %s: a plan is written as text or json", f), "leave out --dry-run, or use --format json")
}

// end shows what was measured, whatever ended it.
func (r *benchRun) end(err error, reached measure.Stage) error {
	c := &r.config
	c.Progress.Clear()
	if e := c.Earlier; e != nil {
		r.recorder = e.Recorder
	}
	if r.recorder.Begun() {
		r.page.End(r.recorder.Path())
	}
	switch {
	case err != nil && c.Signals.Caught() && !r.recorder.Begun():
		if reached == measure.Calibrating {
			c.Progress.Note("interrupted in the calibration, before anything that counts was measured: there is no record")
		} else {
			c.Progress.Note("interrupted before anything was measured")
		}
		return c.Signals.ExitError()
	case err == nil || errors.Is(err, plan.ErrInterrupted):
		return r.conclude()
	case c.Signals.Caught():
		return c.Signals.ExitError()
	case reached == measure.Measuring && r.recorder.Begun(): // such as a disk that is full
		return errors.Join(err, r.write(r.recorder.Result()))
	}
	return err
}

// conclude shows the result and decides the exit code.
func (r *benchRun) conclude() error {
	res := r.recorder.Result()
	if r.flags.saved.against != "" {
		var err error
		if res, err = r.withSaved(); err != nil {
			return err
		}
		r.show, r.flags.output.Page = r.showSaved, nil
	}
	gates, err := gate.Parse(r.flags.gates)
	if err != nil {
		return err
	}
	if err := gate.Check(gates, res, r.flags.lost); err != nil { // formats have what gates say
		return err
	}
	if err := r.write(res); err != nil {
		return err
	}
	if r.config.Signals.Caught() {
		r.config.Progress.Note("partial result; go on with: tare bench --resume %s", r.recorder.Path())
		return r.config.Signals.ExitError()
	}
	judged := gate.Report(r.err, gates, res)
	failed := r.verdict(res)
	if failed == nil {
		failed = r.saveRecord()
		if x := exit.As(judged); failed != nil && (judged == nil || x != nil && x.Code != exit.Missed) {
			return failed
		}
	}
	return cmp.Or(judged, failed)
}

// verdict returns the exit code of what failed, or is not trustworthy under --strict. It counts if all gates pass:
// that of a benchmark that fails under its gate is the gate's. judged is what gates were checked on.
func (r *benchRun) verdict(judged *result.Result) error {
	own := r.recorder.Result()
	failed := printFailures(r.err, own, r.broken)
	if failed != nil && !r.onlyLost(own, judged) {
		return failed
	}
	return strictly(r.err, own, r.flags.strict)
}

// onlyLost reports whether all that failed is lost, and under a gate.
func (r *benchRun) onlyLost(own, judged *result.Result) bool {
	under := func(is func(*result.Lost) bool) bool {
		return slices.ContainsFunc(judged.Lost, func(l result.Lost) bool { return judged.GateOfLost(&l) != "" && is(&l) })
	}
	for _, x := range r.broken {
		if !under(func(l *result.Lost) bool { return l.Side == x.Side && l.Pkg == x.Pkg }) {
			return false
		}
	}
	return !slices.ContainsFunc(own.Results, func(b result.Benchmark) bool {
		return hasFailed(&b) && !(b.Forks == 0 && under(func(l *result.Lost) bool { return l.Takes(&b) }))
	})
}

// write writes the result where -o and --format say.
func (r *benchRun) write(res *result.Result) error {
	err := r.flags.output.Write(r.out, string(r.format), r.recorder.Path(), r.show(res))
	if r.after != nil {
		r.after(res)
	}
	return err
}

func hasFailed(b *result.Benchmark) bool { return b.Failed != "" || b.ForksFailed > 0 }

// printFailures prints which benchmarks failed, and returns the exit code for them and for packages that could not be
// built.
func printFailures(w io.Writer, res *result.Result, broken []benchrun.Broken) error {
	var failures []string
	for _, b := range res.Results {
		if hasFailed(&b) {
			failures = append(failures, res.NameOf(b.Pkg, b.Name, b.Procs))
		}
	}
	return reportFailures(w, failures, len(res.Results), len(broken))
}

// strictly returns the exit code of a result that carries a warning under --strict.
func strictly(w io.Writer, res *result.Result, strict bool) error {
	var untrusted []string
	for _, b := range res.Results {
		if len(b.Warnings) > 0 {
			untrusted = append(untrusted, res.NameOf(b.Pkg, b.Name, b.Procs))
		}
	}
	if strict && len(untrusted)+len(res.Warnings) > 0 {
		what := "the whole run"
		if len(untrusted) > 0 {
			what = strings.Join(untrusted, ", ")
		}
		exit.Message(w, "error", fmt.Sprintf("--strict: not trustworthy, see the notes: %s", what))
		return exit.Silent(exit.Untrusted)
	}
	return nil
}

// reportFailures prints which benchmarks failed, and returns the exit code of a run in which
// some did, or in which packages could not be built.
func reportFailures(w io.Writer, failures []string, benchmarks, broken int) error {
	if len(failures) > 0 {
		exit.Message(w, "error", fmt.Sprintf("%d of %d benchmarks failed in some fork: %s", len(failures), benchmarks, strings.Join(failures, ", ")))
	}
	if len(failures) > 0 || broken > 0 {
		return exit.Silent(exit.Failure)
	}
	return nil
}
