package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// loadSession is one run of tare load, or of its searches and sweeps.
type loadSession struct {
	streams
	flags   *loadFlags
	show    *showFlags
	format  render.Format
	plan    *loadPlan
	start   time.Time
	steps   string // of a search or a sweep: its schedule in words
	stepped string // summary.SteppedSearch or SteppedSweep
	signals *session.Signals
	sink    *loadSink
	status  *loadStatus
}

// runLoad is the verb: everything that can be found wrong before measuring is; then
// the phases, and the result so far whatever happens.
func runLoad(cmd *cobra.Command, st streams, f *loadFlags, bindings []kv.Binding) error {
	s, err := newLoadSession(cmd.Flags(), st, f, bindings)
	if err != nil {
		return err
	}
	if f.dryRun {
		return s.dry()
	}
	return s.measure(func(ctx context.Context, t *loaded) error {
		if err := s.insert(ctx, t); err != nil {
			return err
		}
		return s.step(ctx, t, s.plan.run, s.plan.warmup)
	})
}

func newLoadSession(fl *pflag.FlagSet, st streams, f *loadFlags, bindings []kv.Binding) (*loadSession, error) {
	s := &loadSession{streams: st, flags: f, show: f.show(), start: time.Now()}
	var err error
	if s.format, err = f.checkShow(s.show); err != nil {
		return nil, err
	}
	p, err := session.NewProgress(st.err, f.progress)
	if err != nil {
		return nil, err
	}
	s.status = &loadStatus{w: st.err, silent: p.Silent()}
	s.plan, err = f.plan(fl, bindings)
	return s, err
}

// measure opens the outputs and the system, has phases run, and shows what came of
// them.
func (s *loadSession) measure(phases func(context.Context, *loaded) error) (err error) {
	if s.sink, err = openLoadSink(s.flags, s.plan.seed, s.start, s.stepped != ""); err != nil {
		return err
	}
	defer s.sink.Discard()
	s.signals = session.CatchSignals(func(sig os.Signal) {
		fmt.Fprintf(s.err, "tare: %s: ending the run; once more stops at once\n", sig)
	})
	defer s.signals.Stop()
	ctx, cancel := s.signals.FirstContext()
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.drive(ctx, phases) }()
	select {
	case err = <-done:
	case <-s.signals.Context().Done(): // the second signal: nothing is waited for
		return s.signals.ExitError()
	}
	if !s.sink.Begun() {
		if s.signals.Caught() {
			fmt.Fprintln(s.err, "tare: interrupted before anything was measured")
			return s.signals.ExitError()
		}
		return err
	}
	return s.conclude(err)
}

// drive opens the system, writes the record's head, runs the phases and writes its
// end.
func (s *loadSession) drive(ctx context.Context, phases func(context.Context, *loaded) error) (err error) {
	t, err := s.plan.open(ctx)
	if err != nil {
		return s.plan.openFailed(err)
	}
	defer func() {
		if e := t.close(); e != nil && err == nil && ctx.Err() == nil {
			err = failed(s.plan.clean(fmt.Errorf("closing %s: %w", t.caps.Name, e)), "")
		}
	}()
	run := s.header(t)
	if err := s.sink.Write(run); err != nil {
		return err
	}
	if s.sink.log != nil {
		s.sink.log.begin(run)
	}
	if err := s.plans(); err != nil {
		return err
	}
	overhead := session.StartOverhead()
	loadAverage, _ := env.Load()
	err = phases(ctx, t)
	s.sink.phase, s.sink.about = "", ""
	line := overhead.Line()
	line.Load = loadAverage
	for _, e := range []error{s.sink.Write(line), s.doubts(t), s.end(ctx, err)} {
		if err == nil {
			err = e
		}
	}
	return err
}

// insert is the phase that fills the database.
func (s *loadSession) insert(ctx context.Context, t *loaded) error {
	if t.loader == nil {
		return nil
	}
	c := s.plan.workload.LoadPhase()
	c.Phase, c.Workers, c.Interval, c.Drain, c.Seed = record.LoadInsert, s.plan.loaders(), s.plan.run.Interval, s.plan.run.Drain, s.plan.run.Seed
	total, err := s.phase(ctx, t.loader, c)
	if err != nil && !errors.Is(err, load.ErrMaxErrors) {
		return err
	}
	if n := failedOf(total); n > 0 && !s.plan.workload.InsertionKeepGoing {
		return failed(fmt.Errorf("the records could not be inserted: %d of %d were, then %s", total.Completed-n, s.plan.workload.RecordCount, firstOf(total)), "-p core_workload_insertion_retry_limit=3 tries again")
	}
	return nil
}

// failedOf is how many operations failed.
func failedOf(i *load.Interval) int64 {
	var n int64
	for class, x := range i.Errors {
		if class != load.Class(kv.ErrNotFound) {
			n += x
		}
	}
	return n
}

// firstOf is one of the first errors, in its own words.
func firstOf(i *load.Interval) string {
	for _, class := range slices.Sorted(maps.Keys(i.First)) {
		return class + ": " + i.First[class]
	}
	return "an error"
}

// Operations of one phase are numbered from a place far from those of others, so
// that what the run sends does not depend on how long its warm-up was.
const phaseNumbers = 1 << 40

// step is a warm-up and a run.
func (s *loadSession) step(ctx context.Context, t *loaded, c load.Config, warmup time.Duration) error {
	if warmup > 0 {
		w := c
		w.Phase, w.Schedule, w.Duration, w.Operations, w.First = record.LoadWarmup, warmupSchedule(c.Schedule), warmup, 0, c.First+phaseNumbers/2
		if _, err := s.phase(ctx, t.target, w); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.Phase = record.LoadRun
	_, err := s.phase(ctx, t.target, c)
	return err
}

// phase has the engine run a phase. An end that the flags asked for, such as too
// many errors, is remembered and no error of the command's doing.
func (s *loadSession) phase(ctx context.Context, t load.Target, c load.Config) (*load.Interval, error) {
	s.status.begin(c.Phase)
	s.sink.phase = c.Phase
	c.Status = s.status.show
	ctx, s.sink.stop = context.WithCancel(ctx)
	defer s.sink.stop()
	total, err := load.Run(ctx, t, c, s.sink.Write)
	if total == nil {
		return &load.Interval{}, s.plan.clean(err)
	}
	for _, class := range slices.Sorted(maps.Keys(total.First)) {
		text := class + ": " + s.plan.mask(total.First[class])
		if e := s.sink.Write(&record.Warn{About: record.AboutRun, Code: result.CodeFirst, Text: text}); e != nil {
			return total, e
		}
	}
	if s.sink.failed != nil {
		return total, s.sink.failed
	}
	return total, s.plan.clean(err)
}

// Codes of doubts about load runs that only the command knows of.
const (
	codeWeakSetting = "weak-setting"
	codeIntegrity   = "integrity"
	codeAllFailed   = "all-failed"
)

// doubts writes those that neither the engine nor the summary has.
func (s *loadSession) doubts(t *loaded) error {
	var ws []record.Warn
	if s.flags.strict {
		for _, weak := range t.caps.Weak {
			ws = append(ws, record.Warn{Code: codeWeakSetting, Text: weak})
		}
	}
	sum := s.sink.Result()
	loads := sum.Steps
	if sum.Load != nil && len(loads) == 0 {
		loads = []result.Load{*sum.Load}
	}
	var integrity, errs, done int64
	for i := range loads {
		integrity += loads[i].Classes[load.Class(load.ErrIntegrity)]
		errs += loads[i].Errors
		done += loads[i].Operations
	}
	if integrity > 0 {
		ws = append(ws, record.Warn{Code: codeIntegrity, Text: fmt.Sprintf("%d reads did not return what had been written", integrity), Advice: "the database, or what is between, damages or loses data; or the records were inserted without -p dataintegrity=true"})
	}
	if errs > 0 && errs == done {
		ws = append(ws, record.Warn{Code: codeAllFailed, Text: "every operation failed"})
	}
	for i := range ws {
		ws[i].About = record.AboutRun
		if err := s.sink.Write(&ws[i]); err != nil {
			return err
		}
	}
	return nil
}

// end writes how the run ended.
func (s *loadSession) end(ctx context.Context, err error) error {
	e := &record.End{State: record.EndCompleted}
	switch {
	case s.sink.failed != nil: // the record has no room for it
		s.sink.Add(&record.End{State: record.EndPartial, Why: s.sink.failed.Error()})
		return s.sink.failed
	case ctx.Err() != nil && s.signals.Caught():
		e.State, e.Why = record.EndPartial, "interrupted by a signal"
	case err != nil:
		e.State, e.Why = record.EndPartial, termtext.OneLine(s.plan.mask(err.Error()))
	}
	return s.sink.Write(e)
}
