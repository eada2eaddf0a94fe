package benchrun

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Measure runs the forks that count and writes the record. It returns
// [plan.ErrInterrupted] if a signal ended it: then the record is partial.
func Measure(c *Calibrated) error {
	if err := c.writePlan(); err != nil {
		return err
	}
	c.Plan.Before = c.showProgress
	c.Plan.Waiting = func(block int, due time.Time) {
		c.Progress.Phase("waiting until %s for block %d of %d", due.Format(time.TimeOnly), block, c.Run.Config.Blocks())
	}
	loops := c.startLoops()
	defer loops.close()
	c.Plan.BeforeRound = func(round int) {
		if c.OnRound != nil {
			c.OnRound()
		}
		loops.measure(round)
	}
	planned := c.Plan.Estimate()
	c.lock.EndsAt(time.Now().Add(planned))
	if err := c.warnNotAlone(); err != nil {
		return err
	}
	var stop plan.Stop
	t, err := c.measuring(func() (err error) {
		stop, err = c.Plan.Measure(c.Signals.Context(), c.Signals.Quit(), c.run, c.isPreciseEnough)
		return err
	})
	t.Planned = int64(planned)
	if err == nil {
		if e := c.writeEmptyLoops(); e != nil {
			return e
		}
		if e := c.write(c.another(t.Others)...); e != nil {
			return e
		}
	}
	return c.finish(t, stop.Reason, fmt.Sprintf("interrupted in round %d of %d", stop.Rounds, c.Run.Config.Forks), err)
}

// measuring runs forks, has their lines recorded, and returns the overhead.
func (f *Found) measuring(forks func() error) (*record.Overhead, error) {
	f.forks.ResetHarnessTime()
	var own []float64
	var cpu int64
	f.forks.Write = func(l record.Line) error {
		if x, ok := l.(*record.Fork); ok {
			cpu += x.User + x.Sys
			if x.HarnessTime > 0 {
				own = append(own, float64(x.HarnessTime))
			}
		}
		return f.Recorder.Write(l)
	}
	overhead := session.StartOverhead()
	err := forks()
	t := overhead.LineOf(time.Duration(cpu) + f.loops.cpu())
	t.Peak, t.Priority = f.forks.Launcher.Peak(), f.priority
	if len(own) > 0 {
		t.Launcher = int64(stat.Median(own))
	}
	return t, err
}

// finish writes the end of the record: the overhead, the warnings, and why the
// run is over. cut is where it was interrupted.
func (b *Built) finish(t *record.Overhead, why, cut string, err error) error {
	interrupted := errors.Is(err, plan.ErrInterrupted)
	if err != nil && !interrupted {
		return err
	}
	if e := b.warnNotAlone(); e != nil {
		return e
	}
	end := &record.End{State: record.EndCompleted, Why: why}
	if interrupted {
		end.State, end.Why = record.EndPartial, cut
	}
	lines := []record.Line{t}
	for _, w := range b.Recorder.WarningsAt(end) {
		lines = append(lines, &w)
	}
	if e := b.write(append(lines, end)...); e != nil {
		return e
	}
	if e := b.Recorder.Close(!interrupted); e != nil {
		return e
	}
	return err
}

// warnNotAlone records that another tare measured at the same time, if that is not recorded yet.
func (b *Built) warnNotAlone() error {
	if w := b.lock.Warning(); w != nil {
		return b.write(w)
	}
	return nil
}

func (b *Built) write(lines ...record.Line) error {
	for _, l := range lines {
		if err := b.Recorder.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// head returns the first line of the record.
func (b *Built) head() *record.Run {
	r := b.Run
	if b.repo != nil && slices.ContainsFunc(b.bins, func(x *binary) bool { return !b.repo.Has(x.Dir) }) {
		r.Revision, r.Dirty = "", false // it is not theirs
	}
	head := session.NewRun(b.Start, b.bins[0].built.Go)
	r.Version, r.Tare, r.Start, r.Mono, r.Env = head.Version, head.Tare, head.Start, head.Mono, head.Env
	r.Config.Setenv = redact.Pairs(r.Config.Setenv)
	r.Config.Args = redactedArgs(r.Config.Args)
	r.Sides = slices.Clone(r.Sides)
	for i := range r.Sides {
		r.Sides[i].Setenv = redact.Pairs(r.Sides[i].Setenv)
		r.Sides[i].Flags = redact.Args(r.Sides[i].Flags)
	}
	return &r
}

// writePlan writes what the record of an earlier run does not hold yet: the head,
// binaries, cases, and what failed before the forks that count. The overhead of
// the clock comes last: a record that has it holds the whole plan.
func (c *Calibrated) writePlan() error {
	if c.planned {
		return nil
	}
	var lines []record.Line
	if c.Earlier == nil {
		lines = append(lines, c.head())
	}
	for _, b := range c.bins {
		lines = append(lines, &b.Bin)
	}
	c.addCode(c.Plan.Cases)
	for _, x := range c.Plan.Cases {
		lines = append(lines, x)
		if w := c.parallelWarning(x); w != nil {
			lines = append(lines, w)
		}
		lines = append(lines, c.sharingWarnings(x)...)
	}
	for _, x := range c.notMeasured {
		lines = append(lines, x)
	}
	for _, l := range c.Lost {
		lines = append(lines, l.Case, &l.Fork)
	}
	for _, w := range c.warnings {
		lines = append(lines, w)
	}
	lines = append(lines, c.inspect(c.Signals.Context(), c.Plan.Cases)...)
	cost := clock.Measure()
	load, _ := env.Load() // zero where it is not known
	return c.write(append(lines, &record.Overhead{Clock: cost.Read, Loop: cost.Loop, Load: load})...)
}

// parallelWarning warns about a fixed N where testing should choose it.
func (b *Built) parallelWarning(c *record.Case) *record.Warn {
	if c.Mode != record.ModeN || !b.bins[c.Bin-1].parallel(c.Name) {
		return nil
	}
	return ofCase(c, diagnosis.Warn(diagnosis.ParallelFixedN, nil))
}

// ofCase returns a warning as one about a case.
func ofCase(c *record.Case, w *record.Warn) *record.Warn {
	w.ID = c.ID
	return w
}

// showProgress draws the progress line.
func (c *Calibrated) showProgress(x *record.Case, p plan.Progress) {
	if p.Round == 2 && p.Done == len(c.Plan.Cases) {
		c.Progress.ShowNext()
	}
	c.Progress.Step(func() string {
		text := fmt.Sprintf("round %d/%d · fork %d/%d · %s left · %s", p.Round, p.Rounds, p.Done+1, p.Total, p.Remaining.Round(time.Second), x.Name)
		if r, ok := c.Recorder.Case(x.ID); ok {
			text += " " + c.Estimate(r)
		}
		return text
	})
}

// isPreciseEnough reports whether the intervals are narrow enough to stop.
func (c *Calibrated) isPreciseEnough(l plan.Analysis) bool {
	out := c.Recorder.ResultAt(l.Confidence).CheckPrecision(l, c.Run.Config.Precision)
	return c.write(&out) == nil && out.Stop
}
