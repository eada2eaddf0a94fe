package cli

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// benchSession is one run of tare bench.
type benchSession struct {
	streams
	flags    *benchFlags
	format   render.Format
	progress *session.Progress
	signals  *session.Signals
	command  []string
	start    time.Time

	run      record.Run
	secrets  session.Redactor
	sides    []*side
	bins     []*binary
	apart    []*record.Case // cases that are recorded, but not measured
	plan     *plan.Plan
	hints    map[int]float64    // ns/op of the first operation by case ID
	lost     []plan.Failure     // cases that failed before their forks
	broken   int                // packages that could not be built
	noHooks  error              // why there are no hooks in testing, although asked for
	profs    []knownProfiler    // that were asked for and can be served
	sampler  asm.Config         // of the profiler of that name
	builders []profiler.Builder // among profs, and those that were given up
	sole     string             // the profiler that all is done for; "": figures are worth something by themselves

	unserved []*record.Warn // about those that cannot
	runner   *fork.Runner
	sink     *session.Recorder
	exporter *session.Exporter
	machine  *session.MachineLock
	prior    *earlier // the record that is being resumed, or nil

	show func(io.Writer, render.Format, *result.Result) error // prints the result; nil: as a report
}

// runBench is the verb: check everything that can be checked, prepare, measure,
// report.
func runBench(cmd *cobra.Command, st streams, f *benchFlags, args []string) error {
	return newSession(st, f).bench(cmd, args)
}

func newSession(st streams, f *benchFlags) *benchSession {
	return &benchSession{streams: st, flags: f, start: time.Now(), hints: map[int]float64{}}
}

// bench runs benchmarks, for whatever verb.
func (s *benchSession) bench(cmd *cobra.Command, args []string) error {
	s.command = append([]string{"tare", cmd.Name()}, session.MaskArgs(session.TypedArgs())...)
	if err := s.check(cmd, args); err != nil {
		return err
	}
	s.signals = session.CatchSignals(func(sig os.Signal) {
		s.progress.Note("%s: finishing the fork in hand; once more stops at once", sig)
	})
	defer s.signals.Stop()
	if s.prior.complete() { // whatever has become of its sources
		return s.again()
	}
	err := s.prepare()
	defer s.tidy()
	if err == nil && s.flags.dryRun {
		s.progress.Clear()
		return s.dryRun()
	}
	prepared := err == nil
	if prepared {
		err = s.measure()
	}
	s.progress.Clear()
	switch {
	case err != nil && s.signals.Caught() && !s.sink.Begun():
		s.progress.Note("interrupted before anything was measured")
		return s.signals.ExitError()
	case err == nil || errors.Is(err, plan.ErrInterrupted):
		return s.conclude()
	case s.signals.Caught():
		return s.signals.ExitError()
	case prepared && s.sink.Begun(): // a disk that is full, say: what was measured is shown nevertheless
		if e := s.print(s.out, s.format, s.sink.Result()); e != nil {
			return errors.Join(err, e)
		}
	}
	return err
}

// print shows the result.
func (s *benchSession) print(w io.Writer, format render.Format, sum *result.Result) error {
	if s.show != nil {
		return s.show(w, format, sum)
	}
	return s.flags.show.show(w, format, sum, s.sink.Path())
}

// export writes the result to standard output and to the files of -o.
func (s *benchSession) export(sum *result.Result) error {
	return s.exporter.Write(s.out, string(s.format), s.sink.Path(), func(w io.Writer, format string) error {
		return s.print(w, render.Format(format), sum)
	})
}

// again reports on a run that is complete.
func (s *benchSession) again() error {
	s.sink = s.prior.sink
	if err := s.sink.Close(true); err != nil {
		return err
	}
	if partial := s.sink.PartialBeside(); partial != "" {
		s.progress.Note("%s is complete; the run that was to replace it was cut off, and goes on with: tare bench --resume %s", s.sink.Path(), partial)
	}
	return s.conclude()
}

// check turns flags into the run's configuration.
func (s *benchSession) check(cmd *cobra.Command, args []string) (err error) {
	if s.format, err = s.flags.show.check(); err != nil {
		return err
	}
	if s.progress, err = session.NewProgress(s.err, s.flags.progress); err != nil {
		return err
	}
	if s.flags.resume != "" {
		return s.checkResume(cmd, args)
	}
	cfg, err := s.flags.config(cmd, args)
	if err != nil {
		return err
	}
	if s.run.Kind == "" { // else a verb that is built on this one has named it
		s.run.Kind = record.KindBench
	}
	s.run.Config = cfg
	s.run.Sides, _ = s.flags.sides.specs() // checked with the others
	s.run.Seed = record.Seed(rand.Uint32())
	if s.flags.seed != "" {
		s.run.Seed, _ = record.ParseSeed(s.flags.seed) // checked with the others
	}
	s.run.Dir, err = os.Getwd()
	return err
}

// prepare builds, finds the cases and lets the pilot tune them. Until the forks
// that count there is nothing to finish: the first signal ends it.
func (s *benchSession) prepare() error {
	ctx, cancel := s.signals.FirstContext()
	defer cancel()
	if err := s.ready(ctx); err != nil {
		return err
	}
	if s.prior.planned() {
		return s.adopt()
	}
	if err := s.discover(ctx); err != nil {
		return err
	}
	return s.pilot(ctx)
}

// ready opens the record, builds, starts the launcher and takes the machine.
func (s *benchSession) ready(ctx context.Context) error {
	cfg := &s.run.Config
	if _, err := newFilter(cfg.Filter); err != nil {
		return err
	}
	s.secrets = session.NewRedactor(append(os.Environ(), cfg.Setenv...)...)
	for _, x := range s.run.Sides {
		s.secrets = append(s.secrets, session.NewRedactor(x.Setenv...)...)
	}
	if err := s.openSides(ctx); err != nil { // first: our own output makes a tree dirty
		return err
	}
	if !s.flags.dryRun {
		if err := s.openOutput(); err != nil {
			return err
		}
	}
	s.choose()
	if s.sole != "" && !s.has(s.sole) {
		return failed(errors.New(s.unserved[0].Text), s.unserved[0].Advice)
	}
	if err := s.build(ctx); err != nil {
		return err
	}
	l, err := spawn.Start(ctx, spawn.Config{})
	if err != nil {
		return s.interrupted(failed(err, "tare doctor says what is wrong with this machine"))
	}
	s.runner = &fork.Runner{Launcher: l, Environ: s.environ(), Mask: s.secrets.Mask}
	s.runner.CPU, _ = env.OpenCPU() // without it no steal is told
	if s.machine, err = session.LockMachine(ctx, s.progress, s.flags.noWait); err != nil {
		return err
	}
	s.plan = &plan.Plan{Config: *cfg, Seed: s.run.Seed, Profiles: s.profiles(), ProfileDone: s.unprofiled}
	return nil
}

func (s *benchSession) openOutput() (err error) {
	if s.prior != nil {
		s.sink = s.prior.sink
		return nil
	}
	if s.exporter, err = s.flags.show.exporter(); err != nil {
		return err
	}
	s.sink, err = session.OpenRecorder(s.exporter.Records, s.run.Seed, s.start)
	return err
}

// tidy releases what prepare took.
func (s *benchSession) tidy() {
	if s.runner != nil {
		s.runner.Launcher.Close()
	}
	s.machine.Unlock()
	s.sink.Discard()
	for _, b := range s.bins {
		b.close()
	}
	for _, b := range s.builders {
		if err := b.Close(); err != nil {
			s.progress.Note("%s: %v", b.Name(), err)
		}
	}
	for _, x := range s.sides {
		x.close()
	}
}
