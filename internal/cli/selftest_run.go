package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/aatest"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// selftesting is one run of tare selftest: a session whose forks come in blocks.
type selftesting struct {
	*benchSession
	builtin bool
	pairs   [][2]*record.Case // of each benchmark the cases of sides A and B
	live    aatest.Builder    // what was measured so far, for the progress line
	began   time.Time         // of the first block
}

// run is the verb.
func (f *selftestFlags) run(cmd *cobra.Command, st streams, args []string) error {
	c, builtin, err := f.config(cmd, args)
	if err != nil {
		return err
	}
	t, err := f.session(st, "selftest", c, builtin)
	if err != nil {
		return err
	}
	defer t.signals.Stop()
	defer t.tidy()
	r, err := t.result()
	if err != nil {
		return err
	}
	return f.conclude(t, r)
}

// session makes a session of the flags; verb is what was typed.
func (f *selftestFlags) session(st streams, verb string, c record.Config, builtin bool) (*selftesting, error) {
	p, err := session.NewProgress(st.err, f.progress)
	if err != nil {
		return nil, err
	}
	s := &benchSession{streams: st, progress: p, start: time.Now(), hints: map[int]float64{}}
	s.flags = &benchFlags{noWait: f.noWait, strict: f.strict, show: showFlags{out: f.out}}
	s.command = append([]string{"tare", verb}, session.MaskArgs(session.TypedArgs())...)
	s.run.Kind, s.run.Config, s.run.Seed = record.KindSelftest, c, drawSeed(f.seed)
	if s.run.Dir, err = os.Getwd(); err != nil {
		return nil, failed(err, "")
	}
	s.signals = session.CatchSignals(func(sig os.Signal) {
		s.progress.Note("%s: finishing the process in hand; once more stops at once", sig)
	})
	return &selftesting{benchSession: s, builtin: builtin}, nil
}

// result measures and says what the record says, a partial one too. The caller
// tidies up.
func (t *selftesting) result() (*aatest.Result, error) {
	err := t.prepareBlocks()
	if err == nil {
		err = t.runBlocks()
	}
	t.progress.Clear()
	switch {
	case err != nil && t.signals.Caught() && !t.sink.Begun():
		t.progress.Note("interrupted before anything was measured")
		return nil, t.signals.ExitError()
	case err == nil || errors.Is(err, plan.ErrInterrupted):
		return readSelftest(t.sink.Path())
	case t.signals.Caught():
		return nil, t.signals.ExitError()
	}
	return nil, err
}

// prepareBlocks builds, finds the benchmarks and lets the pilot tune them.
func (t *selftesting) prepareBlocks() error {
	ctx, cancel := t.signals.FirstContext()
	defer cancel()
	if err := t.benchSession.ready(ctx); err != nil {
		return err
	}
	if err := t.discover(ctx); err != nil {
		return err
	}
	t.choose()
	if err := t.pilot(ctx); err != nil {
		return err
	}
	if len(t.plan.Cases) == 0 {
		l := t.lost[0]
		return failed(fmt.Errorf("%s %s: %s", l.Case.Pkg, l.Case.Name, l.Fork.Why), "choose benchmarks that pass: --bench REGEXP, --skip REGEXP")
	}
	t.split()
	return nil
}

// choose keeps the benchmarks of the built-in set, or the first few of what was
// asked for, those that fail included.
func (t *selftesting) choose() {
	ids := t.matching()
	if n := len(ids); !t.builtin && n > maxSelftested {
		ids = ids[:maxSelftested]
		t.progress.Note("measuring the first %d of %d benchmarks; choose others with --bench", maxSelftested, n)
	}
	t.plan.Cases = slices.DeleteFunc(t.plan.Cases, func(c *record.Case) bool { return !slices.Contains(ids, c.ID) })
	t.lost = slices.DeleteFunc(t.lost, func(f plan.Failure) bool { return !slices.Contains(ids, f.Case.ID) })
}

// matching are the IDs of the cases that may be chosen, in order of discovery.
func (t *selftesting) matching() []int {
	var ids []int
	add := func(c *record.Case) {
		if !t.builtin || slices.ContainsFunc(aatest.Builtin(), func(x aatest.Named) bool { return x.Pkg == c.Pkg && x.Name == c.Name }) {
			ids = append(ids, c.ID)
		}
	}
	for _, c := range t.plan.Cases {
		add(c)
	}
	for _, l := range t.lost {
		add(l.Case)
	}
	slices.Sort(ids)
	return ids
}

// split makes two cases of each benchmark, its sides.
func (t *selftesting) split() {
	last := 0
	for _, c := range t.plan.Cases {
		last = max(last, c.ID)
	}
	for _, l := range t.lost {
		last = max(last, l.Case.ID)
	}
	var all []*record.Case
	for i, c := range t.plan.Cases {
		a, b := *c, *c
		a.Side, b.Side, b.ID = aatest.SideA, aatest.SideB, last+i+1
		t.pairs = append(t.pairs, [2]*record.Case{&a, &b})
		all = append(all, &a, &b)
	}
	t.plan.Cases = all
	t.run.Sides = []record.Side{{Name: aatest.SideA}, {Name: aatest.SideB}}
}

// runBlocks measures and writes the record.
func (t *selftesting) runBlocks() error {
	head := t.header()
	if err := t.write(head); err != nil {
		return err
	}
	if err := t.writePlan(); err != nil {
		return err
	}
	if err := t.write(&record.Warn{
		About: record.AboutRun, Code: aatest.CodeSelftest,
		Text:   "the same binary on both sides, in short forks: none of this is a score",
		Advice: "tare selftest --from FILE prints it",
	}); err != nil {
		return err
	}
	t.live.Add(head)
	for _, c := range t.plan.Cases {
		t.live.Add(c)
	}
	t.began = time.Now()
	var stop aatest.Stop
	weight, err := t.weighed(func() (err error) {
		seq := aatest.Sequence{
			Seed: t.run.Seed, Benchmarks: len(t.pairs), N: t.run.Config.Forks, Budget: t.run.Config.Budget, Run: t.step,
		}
		stop, err = seq.Measure(t.signals.Context(), t.signals.Quit())
		if errors.Is(err, aatest.ErrInterrupted) {
			err = plan.ErrInterrupted
		}
		return err
	})
	weight.Planned = int64(t.run.Config.Budget)
	return t.finish(weight, stop.Why, fmt.Sprintf("interrupted in block %d", stop.Blocks), err)
}

// step runs one process.
func (t *selftesting) step(ctx context.Context, s aatest.Step) (bool, error) {
	c := t.pairs[s.Benchmark][0]
	if s.Side == aatest.SideB {
		c = t.pairs[s.Benchmark][1]
	}
	t.tellStep(s, c)
	r := plan.Request{
		Case: c, Round: s.Round, Purpose: s.Purpose, Benchtime: t.plan.Benchtime(c),
		Count: t.plan.Count(), Warmup: t.plan.Config.Warmup, Timeout: t.plan.Timeout(c),
	}
	if s.Purpose == aatest.PurposeUsual {
		r.Count, r.Warmup = t.plan.Config.Forks, 0
	}
	out, err := t.fork(ctx, r)
	if err != nil {
		return false, err
	}
	for _, x := range out.Samples {
		t.live.Add(x)
	}
	t.live.Add(&out.Fork)
	return out.Fork.State == record.StateOK, nil
}

// tellStep draws the progress line.
func (t *selftesting) tellStep(s aatest.Step, c *record.Case) {
	t.progress.Step(func() string {
		now := t.live.Tally()
		way := "usual way"
		if s.Purpose == aatest.PurposeFork {
			way = "forks"
		}
		left := max(0, t.run.Config.Budget-time.Since(t.began)).Round(time.Second)
		words := []string{
			fmt.Sprintf("block %d", s.Block), fmt.Sprintf("%s left", left), c.Name + " " + way,
			fmt.Sprintf("different: %d of %d this way, %d of %d the usual way", now.ForksDifferent, now.Forks, now.UsualDifferent, now.Usual),
		}
		return strings.Join(words, " · ")
	})
}
