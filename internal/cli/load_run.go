package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/loadrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/latency"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load/kv"
)

// loadCommand is one call of tare load, tare load search or tare load sweep.
type loadCommand struct {
	streams
	flags    *loadFlags
	show     *showFlags
	format   render.Format
	plan     *loadrun.Plan
	exporter *session.Exporter
	run      *loadrun.Runner
	session  loadrun.Session
}

// run checks the flags, measures, and shows the result so far whatever happens. stepped
// makes the plan a search or a sweep; it may be nil.
func (f *loadFlags) run(cmd *cobra.Command, st streams, bindings []kv.Binding, stepped func(*loadrun.Plan)) error {
	c := &loadCommand{streams: st, flags: f, show: f.show(), session: loadrun.Session{Start: time.Now()}}
	var err error
	if c.format, err = f.checkShow(c.show); err != nil {
		return err
	}
	progress, err := session.NewProgress(st.err, f.progress)
	if err != nil {
		return err
	}
	c.session.Status = &loadrun.Status{W: st.err, Silent: progress.Silent()}
	f.Stepped = stepped != nil
	if c.plan, err = f.Plan(cmd.Flags().Changed, bindings); err != nil {
		return err
	}
	if stepped != nil {
		stepped(c.plan)
	}
	if f.dryRun {
		c.printPlan()
		return nil
	}
	return c.measure()
}

// measure opens the outputs, measures, and shows the result.
func (c *loadCommand) measure() (err error) {
	if err := c.open(); err != nil {
		return err
	}
	c.session.Signals = session.CatchSignals(func(sig os.Signal) {
		fmt.Fprintf(c.err, "tare: %s: ending the run; once more stops at once\n", sig)
	})
	signals := c.session.Signals
	defer signals.Stop()
	c.run = loadrun.New(c.plan, c.session)
	defer c.run.Discard()
	err = c.run.Run()
	switch {
	case errors.Is(err, loadrun.ErrStopped):
		return signals.ExitError()
	case c.session.Recorder.Begun():
		return c.conclude(err)
	case signals.Caught():
		fmt.Fprintln(c.err, "tare: interrupted before anything was measured")
		return signals.ExitError()
	}
	return err
}

// Formats of -o that only load runs have.
const (
	logFormat = "hlog"
	drawing   = "svg"
)

// open opens the files of -o.
func (c *loadCommand) open() (err error) {
	f := c.flags
	known := maps.Clone(forms)
	known[".hlog"] = logFormat
	if c.plan.Stepped() != "" {
		known[".svg"] = drawing
	} else if i := slices.IndexFunc(f.outputs, func(out string) bool { return strings.EqualFold(filepath.Ext(out), ".svg") }); i >= 0 {
		return usageError(fmt.Errorf("-o %s: a single run has no curve over its rates", f.outputs[i]), "tare load sweep draws one; tare hist plot draws the latencies of a run.hlog")
	}
	if c.exporter, err = session.NewExporter(f.outputs, known); err != nil {
		return err
	}
	log := c.exporter.Take(logFormat)
	if second := c.exporter.Path(logFormat); second != "" {
		return usageError(fmt.Errorf("-o %s: there is another .hlog", second), "")
	}
	if c.session.Recorder, err = session.OpenRecorder(c.exporter.Records, c.plan.Seed, c.session.Start); err != nil {
		return err
	}
	if log != "" {
		if c.session.Log, err = loadrun.OpenLog(log, c.format == render.YCSB || c.format == render.YCSBJSON); err != nil {
			c.session.Recorder.Discard()
		}
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
	sum := c.run.Result()
	if e := c.print(sum); e != nil {
		return errors.Join(err, e)
	}
	if e := c.export(sum); e != nil && err == nil {
		err = e
	}
	switch {
	case interrupted && c.run.WriteError() == nil:
		return c.session.Signals.ExitError()
	case err != nil:
		return loadrun.RunError(err)
	}
	return loadrun.Verdict(sum, c.plan.Strict)
}

// print writes the result to stdout.
func (c *loadCommand) print(sum *result.Result) error {
	path := c.session.Recorder.Path()
	if c.format == render.JSONL {
		return session.CopyFile(c.out, path)
	}
	needsRun := c.format != render.Text && c.format != render.Markdown && c.format != render.JSON
	if sum.Load == nil && len(sum.Steps) == 0 && needsRun {
		return nil // interrupted before the run
	}
	shown := *sum
	shown.Latencies = sum.SelectLatencies(c.plan.Latency)
	return c.show.show(c.out, c.format, &shown, path)
}

// export writes the files of -o that take the result.
func (c *loadCommand) export(sum *result.Result) error {
	return c.exporter.Export(c.session.Recorder.Path(), func(w io.Writer, format string) error {
		b := bufio.NewWriter(w)
		var err error
		if format == drawing {
			err = latency.WriteSweep(b, sum)
		} else {
			err = render.Write(b, render.Format(format), sum, c.show.options(w))
		}
		if err != nil {
			return err
		}
		return b.Flush()
	})
}

// printPlan prints what would be measured.
func (c *loadCommand) printPlan() {
	p := c.plan
	rows := [][]string{{"database", p.Binding.Name}}
	add := func(when bool, name, format string, args ...any) {
		if when {
			rows = append(rows, []string{name, fmt.Sprintf(format, args...)})
		}
	}
	add(p.WorkloadID != "", "workload", "%s", p.WorkloadID)
	add(p.Binding.OpenDB != nil, "records", "%d", p.Workload.RecordCount)
	shown := kv.Properties(p.ShownProperties())
	for _, name := range shown.Names() {
		add(true, "property", "%s=%s", name, shown[name])
	}
	add(true, "arrivals", "%s", p.Arrivals())
	if p.Run.AutoWorkers {
		add(true, "workers", "auto, up to %d", p.MaxWorkers())
	} else {
		add(true, "workers", "%d", p.Run.Workers)
	}
	add(p.Warmup > 0, "warm-up", "%s", p.Warmup)
	add(p.Run.Operations > 0, "operations", "%d", p.Run.Operations)
	add(p.Run.Duration > 0, "duration", "%s", p.Run.Duration)
	add(p.Stepped() == "" && p.Expected() > 0, "due", "about %d operations, warm-up included", p.Expected())
	add(true, "late ones", "%s", p.OnLate)
	for _, o := range p.Objectives {
		add(true, "slo", "%s", o)
	}
	add(true, "seed", "%s", p.Seed)
	printRows(c.out, rows)
}
