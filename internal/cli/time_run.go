package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// timing is one run of tare time: a session whose forks are commands.
type timing struct {
	*benchSession
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
	defer t.signals.Stop()
	defer t.errors.close()
	defer t.tidy()
	if err = t.prepareRuns(); err == nil {
		err = t.measureRuns()
	}
	t.progress.Clear()
	switch {
	case err != nil && t.signals.Caught() && !t.sink.Begun():
		t.progress.Note("interrupted before anything was measured")
		return t.signals.ExitError()
	case err == nil || errors.Is(err, plan.ErrInterrupted):
		return t.concludeRuns(nil)
	case t.signals.Caught():
		return t.signals.ExitError()
	case t.sink.Begun(): // what was measured is shown nevertheless
		return t.concludeRuns(err)
	}
	return err
}

// prepareRuns opens the record, starts the launcher and takes the machine.
func (t *timing) prepareRuns() error {
	ctx, cancel := t.signals.FirstContext()
	defer cancel()
	if err := t.openOutput(); err != nil {
		return err
	}
	t.progress.Phase("starting the launcher")
	l, err := spawn.Start(ctx, spawn.Config{})
	if err != nil && ctx.Err() == nil {
		l = spawn.Plain(err) // commands need no Go to be timed; PeakBy says what is lost
	} else if err != nil {
		return err
	}
	t.runner = &fork.Runner{Launcher: l} // which only lends its launcher and writer
	if t.machine, err = session.LockMachine(ctx, t.progress, t.f.noWait); err != nil {
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
		s := record.Side{Name: p.name, Ref: t.secrets.Mask(p.line)}
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
			stop, err = t.plan.Measure(t.signals.Context(), t.signals.Quit(), t.once, t.look)
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
			if t.signals.Caught() {
				return plan.ErrInterrupted
			}
			t.progress.Phase("warm-up %d/%d · %s", round, t.f.warmup, c.Side)
			_, err := t.once(t.signals.Context(), plan.Request{Case: c, Round: round, Purpose: purposeWarmup})
			if t.signals.Context().Err() != nil {
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
		t.progress.ShowNext()
	}
	t.progress.Step(func() string {
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
		t.progress.Note("interrupted before anything was measured")
		return t.signals.ExitError()
	}
	if err := t.export(sum); err != nil {
		return err
	}
	switch {
	case why != nil:
		return why
	case t.signals.Caught():
		t.progress.Note("partial result; its records are in %s", t.sink.Path())
		return t.signals.ExitError()
	}
	return verdict(sum, 0, t.f.strict, t.benchSession)
}

// quote repeats on stderr what a command said last.
func (t *timing) quote(tail string) {
	if tail == "" {
		return
	}
	t.progress.Clear()
	for _, l := range strings.Split(tail, "\n") {
		fmt.Fprintf(t.err, "    %s\n", l)
	}
}
