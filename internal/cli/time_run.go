package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// timing is one run of tare time: a session whose forks are commands.
type timing struct {
	*session
	f        *timeFlags
	starter  *starter
	programs []*program  // by case
	before   *spawn.Spec // of --prepare
	errors   *stderrFile

	last   int       // ID of the last fork
	starts []float64 // what starting a process of nothing took, ns
}

// run is the verb.
func (f *timeFlags) run(cmd *cobra.Command, st streams, args []string) error {
	t, err := f.session(cmd, st, args)
	if err != nil {
		return err
	}
	defer t.signals.stop()
	defer t.errors.close()
	defer t.tidy()
	if err = t.prepareRuns(); err == nil {
		err = t.measureRuns()
	}
	t.progress.clear()
	switch {
	case err != nil && t.signals.quitting() && !t.sink.holds():
		t.progress.note("interrupted before anything was measured")
		return told(t.signals.code)
	case err == nil || errors.Is(err, plan.ErrInterrupted):
		return t.concludeRuns(nil)
	case t.signals.quitting():
		return told(t.signals.code)
	case t.sink.holds(): // what was measured is shown nevertheless
		return t.concludeRuns(err)
	}
	return err
}

// prepareRuns opens the record, starts the launcher and takes the machine.
func (t *timing) prepareRuns() error {
	ctx, cancel := t.signals.early()
	defer cancel()
	if err := t.openOutput(); err != nil {
		return err
	}
	t.progress.phase("starting the launcher")
	l, err := spawn.Start(ctx, spawn.Config{})
	if err != nil && ctx.Err() == nil {
		l = spawn.Plain(err) // commands need no Go to be timed; PeakBy says what is lost
	} else if err != nil {
		return err
	}
	t.runner = &fork.Runner{Launcher: l} // which only lends its launcher and writer
	if t.machine, err = t.lock(ctx); err != nil {
		return err
	}
	t.planRuns()
	return nil
}

// commandName is that of every case, so that commands can be compared whatever they
// are called: their names are those of the sides.
const commandName = "Command"

// planRuns makes a case of each command. The base of the comparison is --vs.
func (t *timing) planRuns() {
	t.plan = &plan.Plan{Config: t.run.Config, Seed: t.run.Seed, Before: t.tellRun}
	for i, p := range t.programs {
		t.bins = append(t.bins, p.binary(i+1, t.run.Dir))
		t.plan.Cases = append(t.plan.Cases, &record.Case{
			ID: i + 1, Name: commandName, Side: p.name, Bin: i + 1, Mode: record.ModeN, N: 1, Shot: true, Units: result.TimeUnits(),
		})
		s := record.Side{Name: p.name, Ref: t.secrets.mask(p.line)}
		t.run.Sides = append([]record.Side{s}, t.run.Sides...)
	}
}

// measureRuns writes the record. A run that fails ends it, unless failures count.
func (t *timing) measureRuns() error {
	if err := t.write(t.header()); err != nil {
		return err
	}
	if err := t.writePlan(); err != nil {
		return err
	}
	var stop plan.Stop
	weight, err := t.weighed(func() (err error) {
		if err = t.warmUp(); err == nil {
			stop, err = t.plan.Measure(t.signals.ctx, t.signals.quit, t.once, t.look)
		}
		return err
	})
	if len(t.starts) > 0 {
		weight.Probe = stat.Median(t.starts)
	}
	cut := "interrupted in the warm-up"
	if stop.Rounds > 0 {
		cut = fmt.Sprintf("interrupted in round %d of %d", stop.Rounds, t.run.Config.Forks)
	}
	failure := err
	if err != nil && !errors.Is(err, plan.ErrInterrupted) {
		cut, err = "stopped by a run that failed", plan.ErrInterrupted
	}
	if e := t.writeDoubts(weight); e != nil {
		return errors.Join(failure, e)
	}
	if e := t.finish(weight, stop.Why, cut, err); !errors.Is(e, plan.ErrInterrupted) {
		return e
	}
	return failure
}

// warmUp runs each command a few times. What is measured is recorded and does not
// count.
func (t *timing) warmUp() error {
	for round := 1; round <= t.f.warmup; round++ {
		for _, c := range t.plan.Cases {
			if t.signals.quitting() {
				return plan.ErrInterrupted
			}
			t.progress.phase("warm-up %d/%d · %s", round, t.f.warmup, c.Side)
			_, err := t.once(t.signals.ctx, plan.Request{Case: c, Round: round, Purpose: purposeWarmup})
			if t.signals.ctx.Err() != nil {
				return plan.ErrInterrupted
			}
			if err != nil {
				return err
			}
		}
	}
	for i, c := range t.plan.Cases {
		if warm := t.programs[i].warm; len(warm) > 0 {
			c.Wall = int64(stat.Median(warm)) // for the progress line
		}
	}
	return nil
}

// tellRun draws the progress line.
func (t *timing) tellRun(c *record.Case, p plan.Progress) {
	if p.Round == 2 && p.Forks == len(t.plan.Cases) {
		t.progress.urge()
	}
	t.progress.step(func() string {
		text := fmt.Sprintf("run %d/%d · %s left · %s", p.Round, p.Rounds, p.Left.Round(time.Second), c.Side)
		if r, ok := t.sink.Case(c.ID); ok {
			r.Unit = "ns"
			text += " " + render.Estimate(r)
		}
		return text
	})
}

// concludeRuns prints the result, partial or not, and then why it is partial.
func (t *timing) concludeRuns(why error) error {
	sum := t.sink.Result()
	if !slices.ContainsFunc(sum.Results, func(r result.Benchmark) bool { return r.Forks > 0 }) {
		if why != nil {
			return why // it says it all
		}
		t.progress.note("interrupted before anything was measured")
		return told(t.signals.code)
	}
	if t.sink.export != "" {
		err := replaceFile(t.sink.export, func(w *os.File) error { return t.f.show.show(w, t.sink.format, sum, t.sink.path) })
		if err != nil {
			return failed(fmt.Errorf("-o: %w", err), "the records are in "+t.sink.path)
		}
	}
	if err := t.f.show.show(t.out, t.format, sum, t.sink.path); err != nil {
		return failed(err, "the records are in "+t.sink.path)
	}
	switch {
	case why != nil:
		return why
	case t.signals.quitting():
		t.progress.note("partial result; its records are in %s", t.sink.path)
		return told(t.signals.code)
	}
	return verdict(sum, 0, t.f.strict, t.session)
}

// quote repeats on stderr what a command said last.
func (t *timing) quote(tail string) {
	if tail == "" {
		return
	}
	t.progress.clear()
	for _, l := range strings.Split(tail, "\n") {
		fmt.Fprintf(t.err, "    %s\n", l)
	}
}
