package cli

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/record"
)

// binary is a test binary with what its sources say.
type binary struct {
	record.Bin
	side    *side
	built   build.Binary
	sources build.Sources
	pkg     build.Package
	doubts  []*record.Warn // of the profiler that it is for
}

func (b *binary) close() {
	b.built.Close()
	b.pkg.Close()
}

// build resolves the packages of each side and builds their test binaries, as
// many at a time as there are processors.
func (s *benchSession) build(ctx context.Context) error {
	var todo []*binary
	for _, x := range s.sides {
		s.progress.Phase("resolving %s%s", of(x.Name), strings.Join(s.run.Config.Packages, " "))
		pkgs, err := build.Resolve(ctx, x.options(s.run.Config.Tags), s.run.Config.Packages)
		if err != nil {
			return s.builtBadly(err)
		}
		bins, err := s.buildable(x, pkgs)
		if err != nil {
			return err
		}
		for _, b := range bins {
			todo = append(todo, s.layoutsOf(b)...)
			todo = append(todo, s.profiled(b)...)
		}
	}
	return s.buildAll(ctx, todo)
}

func (s *benchSession) buildAll(ctx context.Context, todo []*binary) error {
	errs := make([]error, len(todo))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, b := range todo {
		slots <- struct{}{}
		s.progress.Phase("building %s (%d of %d)", b.pkg.ImportPath, i+1, len(todo))
		wg.Go(func() {
			errs[i] = s.make(ctx, b)
			<-slots
		})
	}
	wg.Wait()
	if err := unfit(errs); err != nil {
		s.shallow(err)
		todo = slices.DeleteFunc(todo, func(b *binary) bool { return b.Purpose != "" && !s.has(b.Purpose) })
		return s.buildAll(ctx, todo)
	}
	return s.built(todo, errs)
}

// buildable are the packages that have benchmarks. Those that cannot even be
// listed are told of and left out.
func (s *benchSession) buildable(x *side, pkgs []build.Package) ([]*binary, error) {
	var todo []*binary
	var first error
	for _, p := range pkgs {
		switch {
		case p.Error != nil:
			first = s.breakdown(x, p.Error, first)
			p.Close()
		case p.Skip != "":
			p.Close()
		default:
			todo = append(todo, &binary{pkg: p, side: x})
		}
	}
	if len(todo) > 0 {
		return todo, nil
	}
	if first != nil {
		return nil, exit.Silent(exit.Failure)
	}
	if len(pkgs) == 1 {
		return nil, failed(fmt.Errorf("%s: %s", pkgs[0].ImportPath, pkgs[0].Skip), "name a package whose _test.go files have func BenchmarkX(b *testing.B)")
	}
	return nil, failed(fmt.Errorf("%s: none of %d packages has benchmarks", strings.Join(s.run.Config.Packages, " "), len(pkgs)), "")
}

// breakdown tells of a package that is lost; the others go on.
func (s *benchSession) breakdown(x *side, err, first error) error {
	s.progress.Clear()
	s.broken++
	if x.Name != "" {
		err = fmt.Errorf("side %s: %w", x.Name, err)
	}
	printError(s.err, nil, err)
	if first == nil {
		first = err
	}
	return first
}

func (s *benchSession) builtBadly(err error) error {
	if errors.Is(err, context.Canceled) {
		return plan.ErrInterrupted
	}
	return usageOf(err)
}

// usageOf makes an error that was caused by what was typed one of usage.
func usageOf(err error) error {
	return &exit.Error{Err: err, Code: exit.Misuse}
}

// buildOptions are those of one binary.
func (s *benchSession) buildOptions(b *binary) build.Options {
	opt := b.side.options(s.run.Config.Tags)
	opt.Parts, opt.Deep = s.parts(b)
	opt.Flags = withLayout(slices.Clone(opt.Flags), b.Layout)
	return opt
}

func (b *binary) build(ctx context.Context, opt build.Options) error {
	x, err := build.Build(ctx, opt, b.pkg)
	if err != nil {
		return err
	}
	b.built = x
	b.Bin = record.Bin{Side: b.side.Name, Layout: b.Layout, Purpose: b.Purpose, Pkg: x.Pkg, SHA256: x.SHA256, BuildID: x.BuildID, Size: x.Size, Dir: x.Dir, Version: x.Version}
	b.sources, err = build.Scan(b.pkg)
	return err
}

// built keeps the binaries that were built.
func (s *benchSession) built(todo []*binary, errs []error) error {
	var first error
	var refused []*refusal
	for i, b := range todo {
		no := (*refusal)(nil)
		switch {
		case errors.As(errs[i], &no):
			refused = append(refused, no)
			b.close()
		case errs[i] == nil:
			s.unserved = append(s.unserved, b.doubts...)
			b.ID = len(s.bins) + 1
			s.bins = append(s.bins, b)
		case errors.Is(errs[i], context.Canceled):
			return plan.ErrInterrupted
		default:
			first = s.breakdown(b.side, errs[i], first)
			b.close()
		}
	}
	if len(s.bins) == 0 {
		return exit.Silent(exit.Failure)
	}
	return s.refusals(refused)
}

// discover finds the cases: the benchmarks of each binary at each GOMAXPROCS.
func (s *benchSession) discover(ctx context.Context) error {
	cfg := s.run.Config
	keep, err := newFilter(cfg.Filter)
	if err != nil {
		return err
	}
	quiet := cfg.Timeout
	if quiet == 0 {
		quiet = plan.MinTimeout
	}
	for _, b := range s.firstLayouts() {
		for _, procs := range cfg.CPU {
			s.progress.Phase("looking for benchmarks in %s%s", of(b.Side), b.Pkg)
			found, err := s.runner.Discover(ctx, &b.Bin, b.built.Path, fork.Wanted{
				Bench: cfg.Bench, Skip: cfg.Skip, Procs: procs, Quiet: quiet, Environ: s.sideEnviron(b.side),
			})
			if err != nil {
				return s.interrupted(err)
			}
			for _, x := range found {
				if err := s.addCase(b, procs, x, keep); err != nil {
					return err
				}
			}
		}
	}
	if len(s.plan.Cases)+len(s.lost) == 0 {
		return s.noBenchmarks()
	}
	all := slices.Clone(s.plan.Cases)
	for _, l := range s.lost {
		all = append(all, l.Case)
	}
	s.pairUp(all)
	return nil
}

func (s *benchSession) interrupted(err error) error {
	if s.signals.Caught() {
		return plan.ErrInterrupted
	}
	return err
}

func (s *benchSession) addCase(b *binary, procs int, x fork.Found, keep *filter) error {
	if x.Failed == nil && !b.declares(x.Name) {
		return nil // some benchmark printed what looks like another's result
	}
	c := &record.Case{
		ID: len(s.plan.Cases) + len(s.lost) + 1, Pkg: b.Pkg, Name: x.Name, Params: record.ParseName(x.Name),
		Side: b.Side, Bin: b.ID, Procs: procs, Mode: s.mode(b, x),
	}
	heed(c, x.Announced)
	if ok, err := keep.match(c, x.V); err != nil {
		return usageError(fmt.Errorf("--filter %q: %w", s.run.Config.Filter, err), "")
	} else if !ok {
		return nil
	}
	if x.Failed != nil {
		f := *x.Failed
		f.Case = c.ID
		s.lost = append(s.lost, plan.Failure{Case: c, Fork: f})
		return nil
	}
	if c.Mode == record.ModeN && s.run.Config.Benchtime != "" && !c.Shot {
		fmt.Sscanf(s.run.Config.Benchtime, "%dx", &c.N)
	}
	if ns, ok := x.V.Get("ns/op"); ok {
		s.hints[c.ID] = ns
	}
	if s.plan.FirstWall == nil {
		s.plan.FirstWall = map[int]time.Duration{}
	}
	s.plan.FirstWall[c.ID] = x.Wall
	s.plan.Cases = append(s.plan.Cases, c)
	return nil
}

// declares reports whether the sources have the function of a benchmark.
func (b *binary) declares(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return slices.Contains(b.sources.Benchmarks(), "Benchmark"+top)
}

// heed takes over what a benchmark of package bench says of itself.
func heed(c *record.Case, a *fork.Announcement) {
	if a == nil {
		return
	}
	c.Shot, c.Roles, c.Units = a.Shot, a.Roles, a.Units
	if c.Shot {
		c.N = 1
	}
}

// mode is how the N of a benchmark comes about: a fixed N spoils RunParallel,
// whose workers take their shares by what the last N took. A benchmark of
// package bench knows what it needs.
func (s *benchSession) mode(b *binary, x fork.Found) string {
	cfg := s.run.Config
	switch {
	case x.Announced != nil && x.Announced.Shot:
		return record.ModeN
	case cfg.Mode != "":
		return cfg.Mode
	case cfg.Benchtime != "":
		return record.ModeN
	case x.Announced != nil:
		return x.Announced.Mode
	case s.parallel(b, x.Name):
		return record.ModeTime
	}
	return record.ModeN
}

func (s *benchSession) parallel(b *binary, name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return b.sources.Parallel("Benchmark" + top)
}

// pilot tunes the cases: those of the base find their N, and others take it
// over. Those that fail are lost.
func (s *benchSession) pilot(ctx context.Context) error {
	var kept []*record.Case
	for i, c := range s.plan.Cases {
		s.progress.Phase("pilot: %s%s (%d of %d)", of(c.Side), c.Name, i+1, len(s.plan.Cases))
		f, err := s.tune(ctx, c, kept)
		if err != nil {
			return s.interrupted(err)
		}
		if f != nil {
			f.Fork.Case = c.ID
			s.lost = append(s.lost, *f)
			continue
		}
		kept = append(kept, c)
	}
	s.plan.Cases = kept
	return nil
}

// tune prepares one case. Its N is that of the same benchmark on the side that
// was tuned first, if one was.
func (s *benchSession) tune(ctx context.Context, c *record.Case, tuned []*record.Case) (*plan.Failure, error) {
	for _, t := range tuned {
		if sameBenchmark(c, t) {
			return s.plan.Follow(ctx, s.fork, c, t)
		}
	}
	return s.plan.Tune(ctx, s.fork, c, s.hints[c.ID])
}

func sameBenchmark(a, b *record.Case) bool {
	return a.Pkg == b.Pkg && a.Name == b.Name && a.Procs == b.Procs
}

// of names a side before what is done to it.
func of(side string) string {
	if side == "" {
		return ""
	}
	return side + ": "
}

// fork runs one fork for the plan.
func (s *benchSession) fork(ctx context.Context, r plan.Request) (*plan.Outcome, error) {
	b := s.binary(r.Case, r.Round, r.Purpose)
	out, err := s.runner.Run(ctx, fork.Spec{
		Case: r.Case, Bin: &b.Bin, Environ: s.forkEnviron(b.side, r.Purpose, r.Round), Path: b.built.Path, Round: r.Round, Purpose: r.Purpose,
		Benchtime: s.benchtime(r), Count: r.Count, Warmup: r.Warmup, Timeout: r.Timeout * s.patience(r.Purpose), Attach: s.attachers(r.Purpose), Interpret: s.interpreters(r.Purpose),
		Prepare: s.preparers(r.Purpose), Wrap: s.wrapper(r.Purpose),
	})
	if err != nil {
		return nil, err
	}
	return &plan.Outcome{Fork: out.Fork, Samples: out.Samples}, nil
}

// forkEnviron is the environment of a side's forks, with what profilers ask for,
// and a seed for what package bench draws at random: another in each round, so
// that forks are samples of it, but the same for all sides.
func (s *benchSession) forkEnviron(x *side, purpose string, round int) []string {
	env := append(slices.Clone(s.sideEnviron(x)), s.environOf(purpose)...)
	if slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, seedVar+"=") }) {
		return env // somebody knows better
	}
	seed := rand.New(rand.NewPCG(uint64(s.run.Seed), 1<<62|uint64(round))).Uint64()
	return append(env, fmt.Sprintf("%s=%016x", seedVar, seed))
}

// seedVar is where package bench finds its seed.
const seedVar = "TARE_SEED"
