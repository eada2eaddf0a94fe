package benchrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/record"
)

// Built is what [Build] returns: the record file and the test binaries.
type Built struct {
	Config                      // its Run.Sides are resolved
	Recorder  *session.Recorder // nil in a dry run
	Profilers profiler.Set      // those that can be served
	Broken    []Broken          // packages that could not be built
	Without   map[string]string // of a [Series], why sides were left out, by their names

	lock     *session.MachineLock
	repo     *build.Repository // around the packages of a run without sides; or nil
	sides    []*builtSide
	resolved []*resolved // what the package patterns select, by side
	bins     []*binary
	builders []profiler.Builder
	warnings []*record.Warn // about profilers that cannot be served, and missing hooks
	noHooks  bool           // package testing cannot have hooks
	temp     buildTemp      // of go commands
}

// Broken is a package of a side that could not be built, or a pattern that selects none there.
type Broken struct {
	Side, Pkg string
	Err       error
}

// Build waits until no other tare measures on this machine: compilers would disturb it as
// forks do. It checks revisions out, opens the record, chooses profilers and builds the
// test binaries of each side. It fails if there is none. The caller closes what
// it returns.
func Build(ctx context.Context, c Config) (*Built, error) {
	b := &Built{Config: c}
	b.Run.Sides = slices.Clone(c.Run.Sides)
	var err error
	if b.lock, err = session.LockMachine(ctx, c.Progress, c.Lock, c.Run.Command); err != nil {
		return nil, err
	}
	if err := b.prepare(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

func (b *Built) prepare(ctx context.Context) (err error) {
	if _, err := benchtext.NewFilter(b.Run.Config.Filter); err != nil {
		return err
	}
	if b.temp, err = openBuildTemp(); err != nil {
		return err
	}
	if err := b.openSides(ctx); err != nil { // before the record: a new file makes a tree dirty
		return err
	}
	switch {
	case b.DryRun:
	case b.Earlier != nil:
		b.Recorder = b.Earlier.Recorder
	default:
		if b.Recorder, err = session.OpenRecorder(b.Output, b.Run.Seed, b.Start); err != nil {
			return err
		}
	}
	b.chooseProfilers()
	if b.Only != "" && !b.Profilers.Has(b.Only) {
		return exit.Failed(errors.New(b.warnings[0].Text), b.warnings[0].Advice)
	}
	todo, err := b.resolveAll(ctx)
	if err != nil {
		return err
	}
	return b.buildAll(ctx, todo)
}

// Close removes binaries, worktrees and an empty record, and lets other tares measure.
func (b *Built) Close() {
	b.Recorder.Discard()
	b.temp.close()
	for _, x := range b.bins {
		x.close()
	}
	for _, p := range b.builders {
		if err := p.Close(); err != nil {
			b.Progress.Note("%s: %v", p.Name(), err)
		}
	}
	for _, x := range b.sides {
		x.close()
	}
	b.lock.Unlock()
}

// packageFailed prints why a package is left out, and returns the first such error.
func (b *Built) packageFailed(x *builtSide, pkg string, err, first error) error {
	b.Broken = append(b.Broken, Broken{x.Name, pkg, err})
	if b.Series != nil {
		b.leaveOutFor(x, err)
		return cmp.Or(first, err)
	}
	err = b.ofSide(x, err)
	b.Progress.Error(err)
	if first == nil {
		first = err
	}
	return first
}

// ofSide returns an error that names the side it is about, if it has a name.
func (b *Built) ofSide(x *builtSide, err error) error {
	if x.Name == "" {
		return err
	}
	return fmt.Errorf("side %s: %w", x.Name, err)
}

// buildAll builds binaries, as many at a time as there are processors. If one
// cannot have hooks in package testing, all are built again without: what is
// compared must be measured alike.
func (b *Built) buildAll(ctx context.Context, todo []*binary) error {
	errs := make([]error, len(todo))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, x := range todo {
		slots <- struct{}{}
		b.Progress.Phase("building %s (%d of %d)", x.pkg.ImportPath, i+1, len(todo))
		wg.Go(func() {
			errs[i] = b.buildOne(ctx, x)
			<-slots
		})
	}
	wg.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return errors.Is(err, build.ErrDeep) }); i >= 0 {
		b.dropHooks(errs[i])
		todo = slices.DeleteFunc(todo, func(x *binary) bool { return x.Purpose != "" && !b.Profilers.Has(x.Purpose) })
		return b.buildAll(ctx, todo)
	}
	return b.keep(todo, errs)
}

// keep takes the binaries that were built.
func (b *Built) keep(todo []*binary, errs []error) error {
	var refused []*refusal
	for i, x := range todo {
		no := (*refusal)(nil)
		switch {
		case errors.As(errs[i], &no):
			refused = append(refused, no)
			x.close()
		case errs[i] == nil && !hasPlain(x, todo, errs):
			x.close() // the error of the other one is printed
		case errs[i] == nil:
			b.warnings = append(b.warnings, x.warnings...)
			x.ID = len(b.bins) + 1
			b.bins = append(b.bins, x)
		case errors.Is(errs[i], context.Canceled):
			return plan.ErrInterrupted
		case b.comparesSides() && ofMachine(errs[i]):
			return exit.Failed(b.ofSide(x.side, errs[i]), "")
		default:
			b.packageFailed(x.side, x.pkg.ImportPath, errs[i], nil)
			x.close()
		}
	}
	if !b.eachSideBuilt() {
		return exit.Silent(exit.Failure)
	}
	b.addFileDigests()
	return b.addRefusals(refused)
}

// hasPlain reports whether the binary that is timed was built, beside one for a profiler.
func hasPlain(x *binary, todo []*binary, errs []error) bool {
	for i, o := range todo {
		if o.Purpose == "" && o.pkg.ImportPath == x.pkg.ImportPath && o.side == x.side && errs[i] == nil {
			return true
		}
	}
	return false
}

// eachSideBuilt reports whether every side has a binary, or may have lost all of them. Without one there is
// nothing to compare the others with, and a record of them would look complete.
func (b *Built) eachSideBuilt() bool {
	if b.Series != nil {
		return true
	}
	for _, s := range b.sides {
		if !b.mayLoseAll(s) && !slices.ContainsFunc(b.bins, func(x *binary) bool { return x.side == s }) {
			return false
		}
	}
	return len(b.bins) > 0
}

// dropHooks goes on without hooks in package testing, and without the profilers
// that need them.
func (b *Built) dropHooks(err error) {
	asked := "--deep"
	if b.Run.Config.GCBefore {
		asked = "--gc-before"
	}
	b.Run.Config.Deep, b.Run.Config.GCBefore = false, false
	for _, x := range b.sides {
		x.Deep = false
	}
	b.Profilers = b.Profilers.WithoutHooks()
	b.noHooks = true
	why := termtext.OneLine(err.Error())
	b.Progress.Note("%s; measuring without hooks", why)
	b.warnings = append(b.warnings, diagnosis.Warn(diagnosis.NoHooks, diagnosis.Facts{"option": asked, "why": redact.Text(why)}))
}
