package benchrun

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/record"
)

// Found is what [Discover] returns: the benchmarks of the binaries, and the
// launcher that runs them.
type Found struct {
	*Built
	Cases []*record.Case // that can be measured
	Lost  []plan.Failure // that failed

	notMeasured []*record.Case                // that are recorded, and not measured
	renamed     map[*record.Case]*record.Case // benchmarks of other sides, and those of the base that they are compared with
	began       time.Time                     // when benchmarks were searched for, from which the budget counts
	firstWall   map[int]time.Duration         // wall time of the first operation, by case ID
	sharing     sharing                       // which sub-benchmarks share a process
	forks       *fork.Runner
	run         plan.Runner // runs one fork; tests have another
	reference   starter     // of the reference loops; nil: none
	empty       loopMeter   // of empty loops; nil: none
	loops       *loops      // reference loops, nil until forks are measured
	priority    string      // of the forks, for the record
}

// Discover runs each binary once for one operation, at each GOMAXPROCS, to find
// its benchmarks: that is the only way to learn the names of sub-benchmarks. It
// fails if there is none. The caller closes what it returns, before what Build
// returned.
func Discover(ctx context.Context, b *Built) (*Found, error) {
	f, err := startForks(ctx, b)
	if err != nil {
		return nil, err
	}
	f.began = time.Now()
	if budget := f.Run.Config.Budget; budget > 0 {
		f.lock.EndsAt(f.began.Add(budget))
	}
	if err := f.discover(ctx); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func (f *Found) discover(ctx context.Context) error {
	cfg := f.Run.Config
	keep, err := benchtext.NewFilter(cfg.Filter)
	if err != nil {
		return err
	}
	for _, b := range f.firstLayouts() {
		for _, procs := range cfg.CPU {
			found, err := f.discoverIn(ctx, b, procs)
			if err != nil {
				return err
			}
			for _, x := range found {
				if err := f.add(b, procs, x, keep); err != nil {
					return err
				}
			}
		}
	}
	all := f.all()
	if len(all) == 0 {
		return f.noBenchmarks()
	}
	if by := cfg.SideBy; by != "" && !differIn(all, by) {
		return exit.Failed(&NoneError{fmt.Sprintf("no two benchmarks differ in /%s=VALUE alone, for --side-by", by)}, f.advice())
	}
	if w := f.skipped(all); w != nil {
		f.warnings = append(f.warnings, w)
		f.Progress.Note("%s; %s", w.Text, w.Advice)
	}
	f.pairUp(all)
	return nil
}

// differIn reports whether the names of any two benchmarks differ only in the value of a key.
func differIn(cases []*record.Case, key string) bool {
	type rest struct {
		pkg, name string
		procs     int
	}
	first := map[rest]string{}
	for _, c := range cases {
		name, value, _ := record.CutParam(c.Name, key)
		at := rest{c.Pkg, name, c.Procs}
		if other, ok := first[at]; ok && other != value {
			return true
		}
		first[at] = value
	}
	return false
}

// discoverIn runs a binary once for one operation.
func (f *Found) discoverIn(ctx context.Context, b *binary, procs int) ([]fork.Discovered, error) {
	cfg := f.Run.Config
	f.Progress.Phase("looking for benchmarks in %s%s", sideLabel(b.Side), b.Pkg)
	quiet := cfg.Timeout
	if quiet == 0 {
		quiet = plan.MinTimeout
	}
	found, err := f.forks.Discover(ctx, &b.Bin, b.built.Path, fork.Selection{
		Bench: cfg.Bench, Skip: cfg.Skip, Procs: procs, OperationTimeout: quiet, Args: cfg.Args, Environ: f.sideEnviron(b.side),
	})
	if err != nil {
		return nil, f.interrupted(err)
	}
	return found, nil
}

// all returns the cases of all sides, those that failed included.
func (f *Found) all() []*record.Case {
	all := slices.Clone(f.Cases)
	for _, l := range f.Lost {
		all = append(all, l.Case)
	}
	return all
}

// add makes a case of a benchmark that was found, if the filter keeps it.
func (f *Found) add(b *binary, procs int, x fork.Discovered, keep *benchtext.Filter) error {
	if x.Failed == nil && !b.declares(x.Name) {
		return nil // some benchmark printed what looks like another's result
	}
	c := &record.Case{
		ID: len(f.Cases) + len(f.Lost) + 1, Pkg: b.Pkg, Name: x.Name, Params: record.ParseName(x.Name),
		Side: b.Side, Bin: b.ID, Procs: procs, Mode: f.mode(b, x),
	}
	if by := f.Run.Config.SideBy; by != "" {
		if _, _, ok := record.CutParam(c.Name, by); !ok {
			return nil
		}
	}
	c.Forms, c.Resets = b.forms(x.Name)
	applyAnnouncement(c, x.Announcement)
	if ok, err := keep.Match(c, x.V); err != nil {
		return exit.Usage(fmt.Errorf("--filter %q: %w", f.Run.Config.Filter, err), "")
	} else if !ok {
		return nil
	}
	if x.Failed != nil {
		failed := *x.Failed
		failed.Case = c.ID
		f.Lost = append(f.Lost, plan.Failure{Case: c, Fork: failed})
		return nil
	}
	if f.Threshold != nil && (len(f.Run.Sides) > 0 || f.Run.Config.SideBy != "") {
		c.Threshold = f.Threshold(c)
	}
	if c.Mode == record.ModeN && f.Run.Config.Benchtime != "" && !c.SingleShot {
		fmt.Sscanf(f.Run.Config.Benchtime, "%dx", &c.N)
	}
	f.firstWall[c.ID] = x.Wall
	f.sharing.see(c, x)
	f.Cases = append(f.Cases, c)
	if f.OnFound != nil {
		f.OnFound(c)
	}
	return nil
}

// applyAnnouncement takes what a benchmark of package bench says of itself.
func applyAnnouncement(c *record.Case, a *fork.Announcement) {
	if a == nil {
		return
	}
	c.SingleShot, c.Roles, c.Units = a.SingleShot, a.Roles, a.Units
	if c.SingleShot {
		c.N = 1
	}
}

// mode returns how the N of a benchmark is chosen. A fixed N spoils RunParallel,
// whose workers choose the size of their shares by what the last N took. A
// benchmark of package bench knows what it needs.
func (f *Found) mode(b *binary, x fork.Discovered) string {
	cfg := f.Run.Config
	switch {
	case x.Announcement != nil && x.Announcement.SingleShot:
		return record.ModeN
	case cfg.Mode != "":
		return cfg.Mode
	case cfg.Benchtime != "":
		return record.ModeN
	case x.Announcement != nil:
		return x.Announcement.Mode
	case b.parallel(x.Name):
		return record.ModeTime
	}
	return record.ModeN
}
