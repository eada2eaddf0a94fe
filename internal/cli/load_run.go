package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/plantext"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
)

// loadCommand is one call of tare load.
type loadCommand struct {
	streams
	flags   *loadFlags
	format  render.Format
	gates   []*gate.Gate
	plan    *loadrun.Plan
	run     *loadrun.Runner
	page    *live.Page // nil if none is asked for
	session loadrun.Session
}

// run checks the flags, measures, and shows the result so far whatever happens.
func (f *loadFlags) run(cmd *cobra.Command, st streams, bindings []kv.Binding) error {
	switch {
	case f.schema:
		_, err := st.out.Write(scenario.Schema())
		return err
	case f.print && f.job.Scenario == "":
		return usageError(errors.New("--print-scenario needs a --scenario FILE"), "")
	case f.print && f.job.Stepped():
		return usageError(errors.New("--print-scenario prints one run: leave out --search and --rates"), "")
	}
	c := &loadCommand{streams: st, flags: f, session: loadrun.Session{Start: time.Now(), Command: typedLine("load")}}
	if err := c.check(); err != nil {
		return err
	}
	var err error
	if c.plan, err = f.plan(cmd, bindings); err != nil {
		return err
	}
	switch {
	case f.print:
		text, err := c.plan.PrintScenario(&f.job)
		if err == nil {
			_, err = io.WriteString(c.out, text)
		}
		return err
	case !f.dryRun:
		return c.measure(orBackground(cmd.Context()))
	}
	if err := checkPlanFormat(c.format); err != nil {
		return err
	}
	if c.format == render.JSON {
		return plantext.WriteRowsJSON(c.out, c.plan.Rows())
	}
	return writeRows(c.out, c.plan.Rows())
}

// check checks the flags about output.
func (c *loadCommand) check() (err error) {
	f := c.flags
	if f.output.format != "" { // which explains why a format of benchmarks is none of load runs
		if _, err := render.ParseLoadFormat(f.output.format); err != nil {
			return usageError(fmt.Errorf("--format: %w", err), "")
		}
	}
	if c.format, err = c.flags.output.check(); err != nil {
		return err
	}
	progress, err := session.NewProgress(c.err, f.progress)
	if err != nil {
		return err
	}
	c.session.Status = loadrun.NewStatus(c.err, progress)
	if err := checkLive(&f.live, f.dryRun); err != nil {
		return err
	}
	redact.Add(f.live.Token)
	if c.gates, err = gate.Parse(f.gates); err != nil {
		return usageError(err, "")
	}
	if len(c.gates) > 0 && !f.job.Compares() {
		return usageError(errors.New("--gate needs sides to compare"), "--side NAME=URL twice, or --serve with --against; --slo is for one side")
	}
	c.session.Output, c.session.LogFile = c.flags.output.Records, c.flags.output.Take(logSuffix)
	if second := c.flags.output.Path(logSuffix); second != "" {
		return usageError(fmt.Errorf("-o %s: there is another .hlog", second), "")
	}
	if c.session.Printed = c.session.Status; c.format == render.YCSB {
		c.session.Printed = c.out
	}
	return nil
}

// measure measures, and shows the result.
func (c *loadCommand) measure(ctx context.Context) (err error) {
	if c.page, err = startLive(c.err, c.flags.live, live.Follow); err != nil {
		return err
	}
	c.session.Signals = session.CatchSignals(func(sig os.Signal) {
		fmt.Fprintf(c.session.Status, "tare: %s: ending the run; once more stops at once\n", sig)
	})
	signals := c.session.Signals
	defer signals.Stop()
	defer func() { closeLive(c.err, c.page, signals) }()
	c.session.Opened = func(r *session.Recorder) {
		c.page.Record(r.Path())
		r.OnMove = c.page.Record
	}
	if c.run, err = measure.RunLoad(ctx, c.plan, c.session); c.run == nil {
		return err
	}
	defer c.run.Discard()
	c.session.Status.Clear()
	begun := c.run.Recorder.Begun()
	switch {
	case errors.Is(err, loadrun.ErrStopped):
		if begun {
			c.printFiles()
		}
		return signals.ExitError()
	case begun:
		return session.PrintMoved(c.err, c.run.Moved(), c.conclude(err))
	case signals.Caught():
		fmt.Fprintln(c.err, "tare: interrupted before anything was measured")
		return signals.ExitError()
	}
	return err
}

// conclude shows the result, whole or so far, and returns the error with which the
// command ends.
func (c *loadCommand) conclude(err error) error {
	interrupted := c.session.Signals.Caught()
	if e := c.run.Close(err == nil && !interrupted); e != nil && err == nil {
		err = e
	}
	c.page.End(c.run.Recorder.Path())
	res := c.run.Result()
	if e := gate.Check(c.gates, res, gate.LostNotDecided); e != nil && err == nil { // formats have what gates say
		err = e
	}
	if e := c.print(res); e != nil {
		return errors.Join(err, e)
	}
	if e := c.flags.output.Export(c.run.Recorder.Path(), c.write(res)); e != nil && err == nil {
		err = e
	}
	switch {
	case interrupted && c.run.WriteError() == nil:
		c.printFiles()
		return c.session.Signals.ExitError()
	case err != nil:
		return loadrun.RunError(err, res)
	}
	if res.LoadPairs != nil {
		return judgeComparisons(c.err, c.gates, res, c.plan.Strict)
	}
	return loadrun.Verdict(res, c.plan.Strict)
}

// printFiles says where the records of an interrupted run are.
func (c *loadCommand) printFiles() {
	fmt.Fprintf(c.err, "tare: partial result; its records are in %s\n", exit.Shown(strings.Join(c.run.Files(), " and ")))
}

// print writes the result to stdout.
func (c *loadCommand) print(res *result.Result) error {
	path := c.run.Recorder.Path()
	switch c.format {
	case render.JSONL:
		return session.CopyFile(c.out, path)
	case render.HTML:
		return writePage(c.out, path)
	}
	if res.LoadPairs != nil {
		return c.flags.output.result(res)(c.out, string(c.format))
	}
	needsRun := c.format != render.Text && c.format != render.Markdown && c.format != render.JSON
	if res.Load == nil && len(res.Steps) == 0 && needsRun {
		return nil // interrupted before the run
	}
	if c.format == render.YCSB {
		if err := c.run.YCSB.WriteRaw(c.out); err != nil {
			return err
		}
	}
	shown := *res
	shown.Latencies = res.SelectLatencies(c.plan.Job.Latency)
	return c.write(&shown)(c.out, string(c.format))
}

// write returns what writes a result in a format other than the record.
func (c *loadCommand) write(res *result.Result) session.Render {
	return func(w io.Writer, format string) error {
		if format == string(render.SVG) {
			return writeRecordPicture(w, c.run.Recorder.Path())
		}
		return c.flags.output.result(res)(w, format)
	}
}
