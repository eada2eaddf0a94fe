package benchrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/record"
)

// MaxSelftested is how many benchmarks a self-test measures: more would leave
// too few windows for each.
const MaxSelftested = 3

// selftest measures the same binary against itself, in blocks of forks.
type selftest struct {
	*Calibrated
	pairs [][2]*record.Case // of each benchmark the cases of sides A and B
	began time.Time         // of the first block
}

// RunSelftest builds the packages of a configuration, finds their benchmarks and has [Selftest]
// measure them. ctx ends what comes before the forks that count. It returns the recorder, and
// how many packages could not be built, also with an error.
func RunSelftest(ctx context.Context, c Config, builtin bool) (*session.Recorder, int, error) {
	built, err := Build(ctx, c)
	if err != nil {
		return nil, 0, err
	}
	defer built.Close()
	found, err := Discover(ctx, built)
	if err != nil {
		return built.Recorder, len(built.Broken), err
	}
	defer found.Close()
	return built.Recorder, len(built.Broken), Selftest(ctx, found, builtin)
}

// Selftest measures benchmarks that were found against themselves, and writes
// the record: those of the built-in set, or with builtin false the first few.
func Selftest(ctx context.Context, f *Found, builtin bool) error {
	chooseSelftested(f, builtin)
	f.sharing.off = true // its steps are processes of one benchmark
	c, err := Calibrate(ctx, f)
	if err != nil {
		return err
	}
	if len(c.Plan.Cases) == 0 {
		l := f.Lost[0]
		return exit.Failed(fmt.Errorf("%s %s: %s", l.Case.Pkg, l.Case.Name, l.Fork.Why), "choose benchmarks that pass: --bench REGEXP, --skip REGEXP")
	}
	t := &selftest{Calibrated: c}
	t.split()
	return t.measure()
}

// chooseSelftested keeps the benchmarks of the built-in set, or the first few,
// those that fail included.
func chooseSelftested(f *Found, builtin bool) {
	var ids []int
	for _, c := range f.all() {
		if !builtin || slices.ContainsFunc(aatest.Builtin(), func(x aatest.Named) bool { return x.Pkg == c.Pkg && x.Name == c.Name }) {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	if n := len(ids); !builtin && n > MaxSelftested {
		ids = ids[:MaxSelftested]
		f.Progress.Note("measuring the first %d of %d benchmarks; choose others with --bench", MaxSelftested, n)
	}
	f.Cases = slices.DeleteFunc(f.Cases, func(c *record.Case) bool { return !slices.Contains(ids, c.ID) })
	f.Lost = slices.DeleteFunc(f.Lost, func(l plan.Failure) bool { return !slices.Contains(ids, l.Case.ID) })
}

// split makes two cases of each benchmark, its sides.
func (t *selftest) split() {
	last := 0
	for _, c := range t.all() {
		last = max(last, c.ID)
	}
	var all []*record.Case
	for i, c := range t.Plan.Cases {
		a, b := *c, *c
		a.Side, b.Side, b.ID = aatest.SideA, aatest.SideB, last+i+1
		t.pairs = append(t.pairs, [2]*record.Case{&a, &b})
		all = append(all, &a, &b)
	}
	t.Plan.Cases = all
	t.Run.Sides = []record.Side{{Name: aatest.SideA}, {Name: aatest.SideB}}
}

// measure runs the blocks and writes the record.
func (t *selftest) measure() error {
	if err := t.writePlan(); err != nil {
		return err
	}
	if err := t.write(diagnosis.Warn(diagnosis.Selftest, nil)); err != nil {
		return err
	}
	if err := t.warnNotAlone(); err != nil {
		return err
	}
	t.began = time.Now()
	t.lock.EndsAt(t.began.Add(t.Run.Config.Budget))
	var stop aatest.Stop
	overhead, err := t.measuring(func() (err error) {
		seq := aatest.Sequence{
			Seed: t.Run.Seed, Benchmarks: len(t.pairs), N: t.Run.Config.Forks, Budget: t.Run.Config.Budget, Run: t.step,
		}
		stop, err = seq.Measure(t.Signals.Context(), t.Signals.Quit())
		if errors.Is(err, aatest.ErrInterrupted) {
			err = plan.ErrInterrupted
		}
		return err
	})
	overhead.Planned = int64(t.Run.Config.Budget)
	return t.finish(overhead, stop.Why, fmt.Sprintf("interrupted in block %d", stop.Blocks), err)
}

// step runs one process.
func (t *selftest) step(ctx context.Context, s aatest.Step) (bool, error) {
	c := t.pairs[s.Benchmark][0]
	if s.Side == aatest.SideB {
		c = t.pairs[s.Benchmark][1]
	}
	t.showStep(s, c)
	r := plan.Request{
		Case: c, Round: s.Round, Purpose: s.Purpose, Benchtime: t.Plan.Benchtime(c),
		Count: t.Plan.Count(), Warmup: t.Plan.Config.Warmup, Timeout: t.Plan.Timeout(c),
	}
	if s.Purpose == aatest.PurposeUsual {
		r.Count, r.Warmup = t.Plan.Config.Forks, 0
	}
	out, err := t.run(ctx, r)
	if err != nil {
		return false, err
	}
	return out.Fork.State == record.StateOK, nil
}

// showStep draws the progress line.
func (t *selftest) showStep(s aatest.Step, c *record.Case) {
	t.Progress.Step(func() string {
		now := t.Recorder.SelftestTally()
		way := "usual way"
		if s.Purpose == aatest.PurposeFork {
			way = "forks"
		}
		left := max(0, t.Run.Config.Budget-time.Since(t.began)).Round(time.Second)
		return strings.Join([]string{
			fmt.Sprintf("block %d", s.Block), fmt.Sprintf("%s left", left), c.Name + " " + way,
			fmt.Sprintf("different: %d of %d this way, %d of %d the usual way", now.ForksDifferent, now.Forks, now.UsualDifferent, now.Usual),
		}, " · ")
	})
}

// BuiltinSelftest returns the packages of the built-in set of self-tests, and a
// pattern that matches its names.
func BuiltinSelftest() (packages []string, bench string) {
	var alternatives []string
	for _, x := range aatest.Builtin() {
		packages = append(packages, x.Pkg)
		alternatives = append(alternatives, fork.Pattern(x.Name))
	}
	return packages, strings.Join(alternatives, "|")
}
