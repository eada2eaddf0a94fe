package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// Sitting measures one benchmark on sides that are chosen while it measures: those of Config.Run.Sides, each a
// revision. A side is checked out and built when its first fork is asked for. Its layouts are linked one by one, as
// its forks need them. The number of operations is the same on all sides: that of side 0.
type Sitting struct {
	*Calibrated
	base   *record.Case         // the benchmark on side 0
	cases  map[int]*record.Case // by side
	forks  map[int]int          // of each side, those of an earlier run included
	nextID int                  // of the next binary

	overhead *session.Overhead
	cpu      time.Duration // of the forks
}

// OpenSitting waits until no other tare measures, opens the record, builds side 0, finds the benchmark on it and
// calibrates it. It fails if not exactly one benchmark is selected. The caller closes what it returns.
//
// With Config.Earlier it goes on with the record of a sitting.
func OpenSitting(ctx context.Context, c Config) (*Sitting, error) {
	b := &Built{Config: c, redactor: c.redactor()}
	b.Run.Sides = slices.Clone(c.Run.Sides)
	s := &Sitting{cases: map[int]*record.Case{}, forks: map[int]int{}, nextID: 1}
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

func (s *Sitting) open(ctx context.Context) (err error) {
	b := s.Built
	b.temp = openBuildTemp()
	for i := range b.Run.Sides {
		b.sides = append(b.sides, &side{Side: &b.Run.Sides[i]})
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
func (s *Sitting) Close() {
	if s.Found.forks != nil {
		s.Found.Close()
	}
	s.Built.Close()
}

// takeEarlier takes over the cases and the numbers of an earlier run.
func (s *Sitting) takeEarlier() {
	for _, x := range s.Earlier.Bins {
		s.nextID = max(s.nextID, x.ID+1)
	}
	for _, c := range s.Earlier.Cases {
		i := slices.IndexFunc(s.Run.Sides, func(x record.Side) bool { return x.Name == c.Side })
		if i >= 0 {
			s.cases[i] = c
		}
	}
	s.base = s.cases[0]
}

// buildFirst builds side 0 in its first layout, of all packages that were named.
func (s *Sitting) buildFirst(ctx context.Context) error {
	if err := s.checkOutSide(ctx, 0); err != nil {
		return err
	}
	x := s.sides[0]
	pkgs, err := build.Resolve(ctx, x.options(s.Run.Config.Tags, s.temp.path()), s.Run.Config.Packages)
	if err != nil {
		return buildError(err)
	}
	for _, p := range pkgs {
		if p.Error != nil {
			return exit.Failed(fmt.Errorf("%s: %w", x.Name, p.Error), "")
		}
		if p.Skip == "" && (s.base == nil || p.ImportPath == s.base.Pkg) {
			if _, err := s.link(ctx, 0, p, s.layout(0)); err != nil {
				return exit.Failed(fmt.Errorf("%s: %w", x.Name, err), "")
			}
		}
	}
	if len(s.bins) == 0 {
		return exit.Failed(fmt.Errorf("%s: no benchmarks in %s", x.Name, strings.Join(s.Run.Config.Packages, " ")), "")
	}
	return nil
}

// layout returns the seed of the layout of the nth fork of a side, from 0; "" if there are no random layouts.
func (s *Sitting) layout(n int) string {
	if s.Run.Config.Layouts == 0 {
		return ""
	}
	return fmt.Sprint(n%s.Run.Config.Layouts + 1)
}

func (s *Sitting) checkOutSide(ctx context.Context, i int) error {
	if s.sides[i].tree != nil {
		return nil
	}
	repo, err := build.FindRepository(ctx, s.Run.Dir)
	return s.checkOut(ctx, s.sides[i], repo, err)
}

// link builds a binary and numbers it. One that an earlier run measured has the number of that.
func (s *Sitting) link(ctx context.Context, i int, p build.Package, layout string) (*binary, error) {
	x := &binary{pkg: p, side: s.sides[i]}
	x.Layout = layout
	s.Progress.Phase("building %s%s", sideLabel(x.side.Name), p.ImportPath)
	if err := s.buildOne(ctx, x); err != nil {
		return nil, err
	}
	x.ID = s.nextID
	known := false
	if s.Earlier != nil {
		for _, old := range s.Earlier.Bins {
			if old.Side != x.Side || old.Layout != x.Layout || old.Pkg != x.Pkg {
				continue
			}
			if old.SHA256 != x.SHA256 {
				return nil, fmt.Errorf("the test binary of %s is not the one that was measured before: go back to the toolchain of the record, or start a new run", x.Side)
			}
			x.ID, known = old.ID, true
		}
	}
	if !known {
		s.nextID++
	}
	s.bins = append(s.bins, x)
	if s.planned && !known {
		return x, s.write(&x.Bin)
	}
	return x, nil
}

// calibrate finds the benchmark on side 0, unless an earlier run did, and writes the plan.
func (s *Sitting) calibrate(ctx context.Context) error {
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

func (s *Sitting) findAndCalibrate(ctx context.Context) error {
	f := s.Found
	if err := f.discover(ctx); err != nil {
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
func (s *Sitting) Benchmark() (pkg, name string) { return s.base.Pkg, s.base.Name }

// prepare gets the next fork of a side a binary, and the side a case.
func (s *Sitting) prepare(ctx context.Context, i int) (*record.Case, *binary, error) {
	if err := s.checkOutSide(ctx, i); err != nil {
		return nil, nil, err
	}
	name, layout := s.sides[i].Name, s.layout(s.forks[i])
	j := slices.IndexFunc(s.bins, func(x *binary) bool { return x.Side == name && x.Layout == layout })
	if j < 0 {
		p, err := s.packageOf(ctx, i)
		if err != nil {
			return nil, nil, err
		}
		x, err := s.link(ctx, i, p, layout)
		if err != nil {
			return nil, nil, err
		}
		j = slices.Index(s.bins, x)
	}
	b := s.bins[j]
	if s.cases[i] == nil {
		c := *s.base
		c.ID, c.Side, c.Bin, c.Code = s.lastCase()+1, name, b.ID, ""
		s.cases[i] = &c
		return &c, b, s.write(&c)
	}
	return s.cases[i], b, nil
}

func (s *Sitting) lastCase() int {
	last := 0
	for _, c := range s.cases {
		last = max(last, c.ID)
	}
	return last
}

func (s *Sitting) packageOf(ctx context.Context, i int) (build.Package, error) {
	pkgs, err := build.Resolve(ctx, s.sides[i].options(s.Run.Config.Tags, s.temp.path()), []string{s.base.Pkg})
	switch {
	case err != nil:
		return build.Package{}, err
	case len(pkgs) != 1:
		return build.Package{}, fmt.Errorf("%s names %d packages", s.base.Pkg, len(pkgs))
	case pkgs[0].Error != nil:
		return build.Package{}, pkgs[0].Error
	case pkgs[0].Skip != "":
		return build.Package{}, fmt.Errorf("%s has %s", s.base.Pkg, pkgs[0].Skip)
	}
	return pkgs[0], nil
}

// Digest returns the SHA-256 of the side's test binary, linked as usual. Equal ones are the same code.
func (s *Sitting) Digest(ctx context.Context, i int) (string, error) {
	if err := s.checkOutSide(ctx, i); err != nil {
		return "", err
	}
	p, err := s.packageOf(ctx, i)
	if err != nil {
		return "", err
	}
	x, err := build.Build(ctx, s.sides[i].options(s.Run.Config.Tags, s.temp.path()), p)
	if err != nil {
		return "", err
	}
	defer x.Close()
	return x.SHA256, nil
}

// Leave removes the worktree of a side until its next fork.
func (s *Sitting) Leave(i int) {
	if s.forks[i] == 0 && i > 0 {
		s.sides[i].close()
		s.sides[i].tree = nil
	}
}

// Count tells that an earlier run measured a fork of a side.
func (s *Sitting) Count(i int) { s.forks[i]++ }

// Fork runs the next fork of a side and records it. The error why is that of a side which cannot be measured; err
// means that no more forks can be run, or that a signal came: [plan.ErrInterrupted].
func (s *Sitting) Fork(ctx context.Context, i int) (out *plan.Outcome, why, err error) {
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
func (s *Sitting) request(c *record.Case, i int) plan.Request {
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
func (s *Sitting) Finish(err error, why string, lines ...record.Line) error {
	if e := s.write(lines...); e != nil {
		return e
	}
	return s.finish(s.overhead.LineOf(s.cpu), why, why, err)
}

// Dependencies returns the directories whose packages the side's test binary contains.
func (s *Sitting) Dependencies(ctx context.Context, i int) (*build.Dependencies, error) {
	if err := s.checkOutSide(ctx, i); err != nil {
		return nil, err
	}
	p, err := s.packageOf(ctx, i)
	if err != nil {
		return nil, err
	}
	return build.DependenciesOf(ctx, s.sides[i].options(s.Run.Config.Tags, s.temp.path()), p, s.sides[i].tree)
}

// Better returns whether less or more of a metric of the benchmark is better: record.Lower, record.Higher, or "" if it is not
// known.
func (s *Sitting) Better(metric string) string {
	if own, ok := s.base.Units[metric]; ok {
		return own.Better
	}
	return record.UnitOf(metric).Better
}
