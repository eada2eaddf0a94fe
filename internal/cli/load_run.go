package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/latency"
	"github.com/tarebench/tare/internal/show/subjects/plantext"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/scenario"
)

// loadCommand is one call of tare load, tare load search or tare load sweep.
type loadCommand struct {
	streams
	flags   *loadFlags
	output  *outputFlags
	format  render.Format
	gates   []*gate.Gate
	plan    *loadrun.Plan
	run     *loadrun.Runner
	page    *live.Page // nil if none is asked for
	session loadrun.Session
	gather  *gathered // nil: a run is measured
}

// run checks the flags, measures, and shows the result so far whatever happens. stepped
// makes the plan a search or a sweep; it may be nil.
func (f *loadFlags) run(cmd *cobra.Command, st streams, bindings []kv.Binding, stepped func(*loadrun.Plan)) error {
	if f.schema {
		_, err := st.out.Write(scenario.Schema())
		return err
	}
	if f.print && f.Scenario == "" {
		return usageError(errors.New("--print-scenario needs a --scenario FILE"), "")
	}
	c := &loadCommand{streams: st, flags: f, output: &f.output, session: loadrun.Session{Start: time.Now()}}
	var err error
	if f.output.format != "" { // which explains why a format of benchmarks is none of load runs
		if _, err := render.ParseLoadFormat(f.output.format); err != nil {
			return usageError(fmt.Errorf("--format: %w", err), "")
		}
	}
	if c.format, err = c.output.check(); err != nil {
		return err
	}
	progress, err := session.NewProgress(st.err, f.progress)
	if err != nil {
		return err
	}
	c.session.Status = loadrun.NewStatus(st.err, progress)
	if err := checkLive(&f.live, f.dryRun); err != nil {
		return err
	}
	if f.live.Token != "" {
		f.Hidden = append(f.Hidden, f.live.Token)
	}
	f.Stepped, f.YCSBText = stepped != nil, c.format == render.YCSB
	gates, err := gate.Parse(f.gates)
	if err != nil {
		return usageError(err, "")
	}
	c.gates = gates
	if c.gather, err = f.planAgents(cmd.Flags().Changed); err != nil {
		return err
	}
	if c.gather != nil {
		c.plan = f.GatherPlan()
		return c.measure()
	}
	if c.plan, err = f.Plan(cmd.Flags().Changed, bindings); err != nil {
		return err
	}
	if f.judged && !c.plan.HasObjectives() {
		return usageError(errors.New(needsObjective), "or an slo in the scenario")
	}
	if stepped != nil {
		stepped(c.plan)
	}
	if f.print {
		text, err := c.plan.PrintScenario(&f.Options)
		if err == nil {
			_, err = io.WriteString(c.out, text)
		}
		return err
	}
	if f.dryRun {
		if err := checkPlanFormat(c.format); err != nil {
			return err
		}
		if c.format == render.JSON {
			return plantext.WriteRowsJSON(c.out, c.plan.Rows())
		}
		return writeRows(c.out, c.plan.Rows())
	}
	return c.measure()
}

// measure opens the outputs, measures, and shows the result.
func (c *loadCommand) measure() (err error) {
	if c.page, err = startLive(c.err, c.flags.live, live.Follow); err != nil {
		return err
	}
	c.session.Signals = session.CatchSignals(func(sig os.Signal) {
		fmt.Fprintf(c.session.Status, "tare: %s: ending the run; once more stops at once\n", sig)
	})
	signals := c.session.Signals
	defer signals.Stop()
	defer func() { closeLive(c.err, c.page, signals) }()
	if err := c.open(); err != nil {
		return err
	}
	defer c.session.YCSB.Remove()
	if c.session.Printed = c.session.Status; c.flags.YCSBText {
		c.session.Printed = c.out
	}
	c.run = loadrun.New(c.plan, c.session)
	defer c.run.Discard()
	if c.gather != nil {
		err = c.run.Gather(c.gather.run, c.gather.head)
	} else {
		err = c.run.Run()
	}
	c.session.Status.Clear()
	switch {
	case errors.Is(err, loadrun.ErrStopped):
		if c.session.Recorder.Begun() {
			c.printFiles()
		}
		return signals.ExitError()
	case c.session.Recorder.Begun():
		return session.PrintMoved(c.err, c.run.Moved(), c.conclude(err))
	case signals.Caught():
		fmt.Fprintln(c.err, "tare: interrupted before anything was measured")
		return signals.ExitError()
	}
	return err
}

// open opens the record and the log of intervals.
func (c *loadCommand) open() (err error) {
	log := c.output.Take(logSuffix)
	if second := c.output.Path(logSuffix); second != "" {
		return usageError(fmt.Errorf("-o %s: there is another .hlog", second), "")
	}
	if c.session.Recorder, err = session.OpenRecorder(c.output.Records, c.plan.Seed, c.session.Start); err != nil {
		return err
	}
	if log != "" {
		if c.session.Log, err = loadrun.OpenLog(log); err != nil {
			c.session.Recorder.Discard()
		}
	}
	if err == nil {
		if c.session.YCSB, err = loadrun.OpenYCSBFiles(c.plan); err != nil {
			c.session.Recorder.Discard()
		}
	}
	c.page.Record(c.session.Recorder.Path())
	c.session.Recorder.OnMove = c.page.Record
	return err
}

// conclude shows the result, whole or so far, and returns the error with which the
// command ends.
func (c *loadCommand) conclude(err error) error {
	interrupted := c.session.Signals.Caught()
	if e := c.run.Close(err == nil && !interrupted); e != nil && err == nil {
		err = e
	}
	c.page.End(c.session.Recorder.Path())
	res := c.run.Result()
	if e := gate.Check(c.gates, res, gate.LostNotDecided); e != nil && err == nil { // formats have what gates say
		err = e
	}
	if e := c.print(res); e != nil {
		return errors.Join(err, e)
	}
	if e := c.export(res); e != nil && err == nil {
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
	path := c.session.Recorder.Path()
	switch c.format {
	case render.JSONL:
		return session.CopyFile(c.out, path)
	case render.HTML:
		return writePage(c.out, path)
	}
	if res.LoadPairs != nil {
		return c.output.result(res)(c.out, string(c.format))
	}
	needsRun := c.format != render.Text && c.format != render.Markdown && c.format != render.JSON
	if res.Load == nil && len(res.Steps) == 0 && needsRun {
		return nil // interrupted before the run
	}
	if c.format == render.SVG {
		return writeRecordPicture(c.out, path)
	}
	if c.format == render.YCSB {
		if err := c.session.YCSB.WriteRaw(c.out); err != nil {
			return err
		}
	}
	shown := *res
	shown.Latencies = res.SelectLatencies(c.plan.Latency)
	return c.output.result(&shown)(c.out, string(c.format))
}

// export writes the files of -o that take the result.
func (c *loadCommand) export(res *result.Result) error {
	return c.output.Export(c.session.Recorder.Path(), func(w io.Writer, format string) error {
		if format == string(render.SVG) {
			return writeRecordPicture(w, c.session.Recorder.Path())
		}
		if format != curveSuffix {
			return c.output.result(res)(w, format)
		}
		b := bufio.NewWriter(w)
		if err := latency.WriteSweep(b, res); err != nil {
			return err
		}
		return b.Flush()
	})
}
