// Package measure runs jobs. A [job.Bench], [job.Load], [job.Command] or [job.Program] says what to measure, and a record
// keeps what was seen. Nothing here needs a command line.
//
// A package of its own has what is a sequence of runs: bisectrun, historyrun, whyrun.
package measure

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
)

// Config returns the configuration of a run that begins now, in the current directory, and is silent. The end of ctx
// ends it. It fails with all contradictions of the job.
func Config(ctx context.Context, j *job.Bench) (benchrun.Config, error) {
	c := benchrun.Config{
		Start: time.Now(), Signals: session.SignalsOf(ctx), Progress: session.NoProgress(), Estimate: func(result.Benchmark) string { return "" },
	}
	var err error
	c.Run, err = j.Plan()
	return c, err
}

// Outcome is what a run leaves.
type Outcome struct {
	Recorder *session.Recorder // of what was measured; nil in a dry run, and if the record could not be opened
	Broken   []benchrun.Broken // packages that could not be built
	Reached  Stage
	Plan     *benchrun.Calibrated // of a dry run; nil if it ended before
	Lost     []plan.Failure       // benchmarks that fail, of a dry run
}

// Stage is how far a run came.
type Stage int

// The stages.
const (
	Building Stage = iota
	Calibrating
	Measuring
)

// Run builds test binaries, finds benchmarks, calibrates and measures them. It returns [plan.ErrInterrupted], of
// package numbers/plan, if a signal or a context has ended it: then the record is partial. With DryRun it ends before
// it measures.
func Run(c benchrun.Config) (*Outcome, error) {
	out := &Outcome{}
	ctx, cancel := c.Signals.FirstContext() // until the forks that count there is nothing to finish
	defer cancel()
	built, err := benchrun.Build(ctx, c)
	if err != nil {
		return out, err
	}
	defer built.Close()
	out.Recorder, out.Broken = built.Recorder, built.Broken
	if c.OnBuilt != nil {
		c.OnBuilt(built)
	}
	return out, out.Measure(ctx, built)
}

// Measure measures what was built.
func (out *Outcome) Measure(ctx context.Context, built *benchrun.Built) error {
	if e := built.Earlier; e != nil && e.Planned {
		p, err := benchrun.Resume(ctx, built)
		if err != nil {
			return err
		}
		defer p.Close()
		return out.measure(p)
	}
	found, err := benchrun.Discover(ctx, built)
	if err != nil {
		return err
	}
	defer found.Close()
	if out.Lost = found.Lost; built.List {
		return nil
	}
	out.Reached = Calibrating
	p, err := benchrun.Calibrate(ctx, found)
	if err != nil {
		return err
	}
	return out.measure(p)
}

func (out *Outcome) measure(p *benchrun.Calibrated) error {
	if p.DryRun {
		out.Plan, out.Lost = p, p.Lost
		return nil
	}
	out.Reached = Measuring
	return benchrun.Measure(p)
}

// RunLoad opens the files of a run of load, and measures. What s does not have is that of a silent run that begins now,
// which the end of ctx ends. The runner has the result, also if there is an error, and is to be closed; it is nil if
// the files could not be opened.
func RunLoad(ctx context.Context, p *loadrun.Plan, s loadrun.Session) (*loadrun.Runner, error) {
	if s.Signals == nil {
		s.Signals = session.SignalsOf(ctx)
		defer s.Signals.Stop()
	}
	s.Status = cmp.Or(s.Status, loadrun.NewStatus(io.Discard, session.NoProgress()))
	if s.Start.IsZero() {
		s.Start = time.Now()
	}
	r, err := loadrun.Open(p, s)
	if err != nil {
		return nil, err
	}
	return r, r.Run()
}
