package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/measure/historyrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/record"
)

const historyRunLong = `tare history run measures commits and adds them to the history. Packages are named as
for tare bench.

Commits are measured in sequences of up to --sequence commits. The commits of a sequence
are built, and measured in turn, round by round, as the sides of tare bench --against.
With several sequences, one commit is the anchor: it is measured in all of them, which
makes them comparable. A commit whose test binary equals that of another commit is not
measured again. A commit that does not build, or lacks a benchmark, is a gap; the history
keeps the reason.

What was measured is added after each sequence. Commits that the history already has, of
the same machine, toolchain and benchmarks, are skipped. The same command therefore
continues an interrupted run, and later measures new commits.`

// historyRunFlags are the flags of tare history run.
type historyRunFlags struct {
	bench   *benchFlags
	store   storeFlags
	machine string
	since   string
	commits string
	every   int
	anchor  string
	size    int
	budget  time.Duration
	again   bool
}

// historyForks are the forks of each commit: many commits make up for few forks.
const historyForks = 10

func newHistoryRun(s streams) *cobra.Command {
	f := &historyRunFlags{bench: newBenchFlags()}
	return f.store.verb(s, verb{
		use:   "run [flags] [packages] [-- FLAGS OF THE TEST BINARY]",
		short: "Measure commits and add them to the history",
		long:  historyRunLong,
		example: `  tare history run --since v1.2.0 ./...
  tare history run --commits v1.2.0..main --every 10 --bench Decode ./codec
  tare history run --since v1.2.0 --budget 1h --push ./...`,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	})
}

func (f *historyRunFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.since, "since", "", "measure this `revision` and all commits after it up to HEAD")
	fl.StringVar(&f.commits, "commits", "", "measure the commits of a range `A..B`, as git log --first-parent lists them")
	fl.IntVar(&f.every, "every", 1, "measure one of `N` commits, and the last one")
	fl.StringVar(&f.anchor, "anchor", "", "the `revision` that each sequence measures (default: the oldest commit, if there are several sequences)")
	fl.IntVar(&f.size, "sequence", 8, "most commits measured in one sequence, beside the anchor")
	fl.BoolVar(&f.again, "again", false, "measure commits that the history has, too")
	fl.DurationVar(&f.budget, "budget", 0, "start no sequence that would end later than this")
	f.bench.job.Forks, f.bench.job.Sides.Others = historyForks, true
	flags.Job(fl, f.bench.job.Options(), job.OnHistory)
	flags.Describe(fl, "forks", "forks per benchmark and commit")
	f.bench.registerRun(fl)
	flags.Describe(fl, "dry-run", "list the commits of each sequence, and measure nothing")
	registerMachineName(fl, &f.machine)
	flags.Daily(fl, "since", "commits", "every", "budget", "again", "machine", "store", "push")
	f.store.register(fl, true)
}

func (f *historyRunFlags) run(cmd *cobra.Command, s streams, args []string) error {
	p := &problems{}
	p.AtLeast("every", f.every, 1)
	p.AtLeast("sequence", f.size, 1)
	p.positive(cmd, "budget", f.budget)
	if (f.since == "") == (f.commits == "") {
		p.Add("history run needs either --since or --commits")
		p.Hint = "tare history run --since HEAD~10"
	}
	f.bench.team = f.store.team
	f.bench.take(cmd, args)
	delete(f.bench.job.Given, "budget") // of a run of benchmarks: this one is of all sequences
	head, err := f.bench.job.Plan()
	if p.AddError(err); p.Err() != nil {
		return p.Err()
	}
	plan, err := f.plan(orBackground(cmd.Context()), s, head)
	if err != nil {
		return err
	}
	switch {
	case len(plan.Commits) == 0:
		fmt.Fprintln(s.out, "nothing to measure: the history has every commit")
		return f.store.send(context.Background(), plan.Store)
	case f.bench.dryRun:
		return f.printPlan(s.out, plan)
	}
	return f.measure(s, plan)
}

// plan finds out which commits are to be measured.
func (f *historyRunFlags) plan(ctx context.Context, s streams, head record.Run) (*historyrun.Plan, error) {
	c, err := f.bench.runFlags.config(s, head)
	if err != nil {
		return nil, err
	}
	c.Run.Command = typedLine("history")
	store, err := f.store.open(ctx)
	if err != nil {
		return nil, err
	}
	commits, err := f.choose(ctx)
	if err != nil {
		return nil, err
	}
	p := &historyrun.Plan{Config: c, Size: f.size, Budget: f.budget, Store: store, Options: historyrun.Options{Dir: ".", Machine: f.machine}}
	if p.Done, err = f.done(ctx, s, store, head.Config); err != nil {
		return nil, err
	}
	oldest := commits[0]
	all := len(commits)
	if !f.again {
		commits = slices.DeleteFunc(commits, func(c trend.Commit) bool { return p.Done.Commits[c.Hash] })
		if known := all - len(commits); known > 0 {
			c.Progress.Note("%s of %d are in %s", units.Plural(known, "commit"), all, nameOfStore(store))
		}
	} else {
		p.Done.Forget()
	}
	return p, f.addAnchor(ctx, p, commits, oldest, all > f.size)
}

// choose returns the commits that were asked for, the oldest first.
func (f *historyRunFlags) choose(ctx context.Context) ([]trend.Commit, error) {
	revisions, first := f.commits, []trend.Commit(nil)
	if f.since != "" {
		commit, err := resolveCommit(ctx, f.since)
		if err != nil {
			return nil, err
		}
		line, err := firstParents(ctx, commit)
		if err != nil {
			return nil, err
		}
		revisions, first = commit+"..HEAD", line[len(line)-1:]
	}
	line, err := firstParents(ctx, revisions)
	if err != nil {
		return nil, err
	}
	if line = append(slices.Clone(first), line...); len(line) == 0 {
		return nil, usageError(fmt.Errorf("--commits %s: holds no commit", f.commits), "A..B are the commits of B that A does not have")
	}
	return historyrun.Every(line, f.every), nil
}

// done returns what the history has of the same benchmarks on this machine.
func (f *historyRunFlags) done(ctx context.Context, s streams, store history.Store, config record.Config) (*historyrun.Done, error) {
	e := session.NewRun(time.Now(), runtime.Version()).Env
	machine := f.machine
	if machine == "" {
		machine = historyrun.MachineID(e)
	}
	tools, err := toolchain.Find(ctx, toolchain.Command{Dir: "."})
	if err != nil {
		return nil, failed(err, "")
	}
	d := &historyrun.Done{Machine: machine, Toolchain: tools.Version, Plan: historyrun.PlanOf(&config)}
	files, damage, err := store.List(ctx)
	if err != nil {
		return nil, failed(err, "")
	}
	more, err := store.Read(ctx, files, nil, d.Add)
	warnDamage(s, store, append(damage, more...))
	return d, err
}

// addAnchor sets the commits and the anchor of a plan: a commit that is the anchor is measured as such.
func (f *historyRunFlags) addAnchor(ctx context.Context, p *historyrun.Plan, commits []trend.Commit, oldest trend.Commit, several bool) error {
	switch {
	case f.anchor != "":
		hash, err := resolveCommit(ctx, f.anchor)
		if err != nil {
			return err
		}
		line, err := firstParents(ctx, hash)
		if err != nil {
			return err
		}
		p.Anchor = &line[len(line)-1]
	case several:
		p.Anchor = &oldest
	}
	if p.Anchor != nil {
		commits = slices.DeleteFunc(commits, func(c trend.Commit) bool { return c.Hash == p.Anchor.Hash })
		p.Options.Anchor = p.Anchor.Hash
	}
	p.Commits = commits
	return nil
}

func (f *historyRunFlags) printPlan(w io.Writer, p *historyrun.Plan) error {
	var rows [][]string
	for i, commits := range historyrun.Sequences(p.Commits, p.Size) {
		if p.Anchor != nil {
			rows = append(rows, []string{fmt.Sprintf("sequence %d", i+1), p.Anchor.Short(), "anchor: " + p.Anchor.Subject})
		}
		for _, c := range commits {
			rows = append(rows, []string{fmt.Sprintf("sequence %d", i+1), c.Short(), c.Subject})
		}
	}
	return writeRows(w, rows)
}

// measure measures, and says what is in the history now.
func (f *historyRunFlags) measure(s streams, p *historyrun.Plan) error {
	p.Config.Signals = session.CatchBetweenForks(p.Config.Progress)
	defer p.Config.Signals.Stop()
	ctx, cancel := p.Config.Signals.FirstContext()
	defer cancel()
	sum, err := historyrun.Measure(ctx, p)
	p.Config.Progress.Clear()
	f.printSummary(s, p, sum)
	if p.Config.Signals.Caught() {
		if sum.Left > 0 {
			p.Config.Progress.Note("the same command goes on")
		}
		return p.Config.Signals.ExitError()
	}
	if err != nil {
		return err
	}
	return f.store.send(context.Background(), p.Store)
}

func (f *historyRunFlags) printSummary(s streams, p *historyrun.Plan, sum historyrun.Summary) {
	fmt.Fprintf(s.out, "%s measured in %s, %d with the binary of another, %s added to %s\n", units.Plural(sum.Measured, "commit"), sum.Took.Round(time.Second), sum.Same, entriesOf(sum.Added), nameOfStore(p.Store))
	for _, g := range sum.Gaps {
		fmt.Fprintf(s.out, "  %s has no figures: %s\n", g.Commit.Short(), g.Why)
	}
	if sum.Left > 0 {
		fmt.Fprintf(s.out, "%s left; the same command goes on\n", units.Plural(sum.Left, "commit"))
	}
}
