package benchrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// Sequence is a session that measures one benchmark on many revisions, which are Config.Run.Sides. The caller chooses
// which side runs the next fork. A side is checked out and built before its first fork, and each of its layouts is
// linked before the first fork that needs it. The number of operations is the same on all sides: that of side 0.
type Sequence struct {
	*Calibrated
	base   *record.Case         // the benchmark on side 0
	cases  map[int]*record.Case // by side
	forks  map[int]int          // of each side, those of an earlier run included
	nextID int                  // of the next binary

	overhead *session.Overhead
	cpu      time.Duration // of the forks
}

// OpenSequence waits until no other tare measures, opens the record, builds side 0, finds the benchmark on it and
// calibrates it. It fails if not exactly one benchmark is selected. The caller closes what it returns.
//
// With Config.Earlier it continues the record of an earlier sequence.
func OpenSequence(ctx context.Context, c Config) (*Sequence, error) {
	b := &Built{Config: c}
	b.Run.Sides = slices.Clone(c.Run.Sides)
	s := &Sequence{cases: map[int]*record.Case{}, forks: map[int]int{}, nextID: 1}
	s.Calibrated = &Calibrated{Found: &Found{Built: b}}
	var err error
	if b.lock, err = session.LockMachine(ctx, c.Progress, c.Lock, c.Run.Command); err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Sequence) open(ctx context.Context) (err error) {
	b := s.Built
	if b.temp, err = openBuildTemp(); err != nil {
		return err
	}
	for i := range b.Run.Sides {
		b.sides = append(b.sides, &builtSide{Side: &b.Run.Sides[i]})
	}
	if b.Earlier != nil {
		b.Recorder = b.Earlier.Recorder
		s.takeEarlier()
	} else if b.Recorder, err = session.OpenRecorder(b.Output, b.Run.Seed, b.Start); err != nil {
		return err
	}
	if err := s.buildFirst(ctx); err != nil {
		return err
	}
	f, err := startForks(ctx, b)
	if err != nil {
		return err
	}
	s.Found = f
	f.sharing.off = true
	f.forks.SetNextID(1)
	if b.Earlier != nil {
		f.forks.SetNextID(b.Earlier.LastFork + 1)
	}
	if err := s.calibrate(ctx); err != nil {
		return err
	}
	s.overhead = session.StartOverhead()
	f.forks.Write = func(l record.Line) error {
		if x, ok := l.(*record.Fork); ok {
			s.cpu += time.Duration(x.User + x.Sys)
		}
		return f.Recorder.Write(l)
	}
	return nil
}

// Close removes worktrees and ends the launcher.
func (s *Sequence) Close() {
	if s.Found.forks != nil {
		s.Found.Close()
	}
	s.Built.Close()
}

// calibrate finds the benchmark on side 0, unless an earlier run did, and writes the plan.
func (s *Sequence) calibrate(ctx context.Context) error {
	f := s.Found
	s.Plan = newCalibrated(f).Plan
	if s.base != nil {
		s.planned = true
		s.Plan.Cases = []*record.Case{s.base}
		return nil
	}
	all := s.sides
	defer func() { s.sides = all }()
	s.sides = all[:1] // the others are not there yet, and a benchmark without them would be none
	return s.findAndCalibrate(ctx)
}

func (s *Sequence) findAndCalibrate(ctx context.Context) error {
	f := s.Found
	err := f.discover(ctx)
	if none := (*NoneError)(nil); errors.As(err, &none) {
		return exit.Failed(fmt.Errorf("%s: %w", s.sides[0].Name, err), "--with FILE_test.go gives each commit a file of the working tree")
	}
	if err != nil {
		return err
	}
	all := f.all()
	if len(all) != 1 {
		var names []string
		for _, c := range all {
			names = append(names, c.Name)
		}
		return exit.Usage(fmt.Errorf("--bench %s selects %d benchmarks: %s", f.Run.Config.Bench, len(all), firstNames(names)), "a search measures one: --bench '^BenchmarkNAME$'")
	}
	if len(f.Lost) > 0 {
		return exit.Failed(fmt.Errorf("%s: %s fails: %s", f.sides[0].Name, all[0].Name, f.Lost[0].Fork.Why), "")
	}
	c, err := Calibrate(ctx, f)
	if err != nil {
		return err
	}
	if len(c.Plan.Cases) == 0 {
		return exit.Failed(fmt.Errorf("%s: %s fails: %s", f.sides[0].Name, all[0].Name, f.Lost[0].Fork.Why), "")
	}
	s.Calibrated, s.base = c, c.Plan.Cases[0]
	s.cases[0] = s.base
	if err := c.writePlan(); err != nil {
		return err
	}
	s.planned = true
	return nil
}

// firstNames joins the first few of many names.
func firstNames(names []string) string {
	const most = 6
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// Benchmark returns the package and the name of the benchmark.
func (s *Sequence) Benchmark() (pkg, name string) { return s.base.Pkg, s.base.Name }

// Count tells that an earlier run measured a fork of a side.
func (s *Sequence) Count(i int) { s.forks[i]++ }

// Fork runs the next fork of a side and records it. The error why is that of a side which cannot be measured; err
// means that no more forks can be run, or that a signal came: [plan.ErrInterrupted].
func (s *Sequence) Fork(ctx context.Context, i int) (out *plan.Outcome, why, err error) {
	select {
	case <-s.Signals.Quit():
		return nil, nil, plan.ErrInterrupted
	default:
	}
	c, b, e := s.prepare(ctx, i)
	if s.Signals.Caught() || ctx.Err() != nil {
		return nil, nil, plan.ErrInterrupted
	}
	if e != nil {
		if exit.As(e) != nil && s.Recorder.Moved() != nil {
			return nil, nil, e
		}
		return nil, fmt.Errorf("%s", termtext.OneLine(e.Error())), nil
	}
	s.forks[i]++
	out, err = s.forkOf(s.Signals.Context(), s.request(c, i), b)
	if err != nil {
		return nil, nil, s.interrupted(err)
	}
	if out.Fork.State != record.StateOK {
		return nil, fmt.Errorf("%s", out.Fork.Why), nil
	}
	return out, nil, nil
}

// request returns the fork. Rounds count the forks of a side, so that its layouts take turns.
func (s *Sequence) request(c *record.Case, i int) plan.Request {
	r := plan.Request{
		Case: c, Round: s.forks[i], Purpose: record.PurposeTiming, Benchtime: s.Plan.Benchtime(c),
		Count: s.Plan.Count(), Warmup: s.Plan.Config.Warmup, Timeout: s.Plan.Timeout(c),
	}
	if c.SingleShot {
		r.Count, r.Warmup, r.Benchtime = 1, 0, "1x"
	}
	return r
}

// Finish writes the end of the record, after lines. why says why it is over; an interrupted one is partial.
func (s *Sequence) Finish(err error, why string, lines ...record.Line) error {
	if e := s.write(lines...); e != nil {
		return e
	}
	return s.finish(s.overhead.LineOf(s.cpu), why, why, err)
}

// Better returns whether less or more of a metric of the benchmark is better: record.Lower, record.Higher, or "" if
// it is not known.
func (s *Sequence) Better(metric string) string {
	if own, ok := s.base.Units[metric]; ok {
		return own.Better
	}
	return record.UnitOf(metric).Better
}
