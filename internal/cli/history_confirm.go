package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/historyrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/subjects/trends"
	"github.com/tarebench/tare/record"
)

const historyConfirmLong = `tare history confirm measures the suspects of tare history show again, the largest first.
A measured commit some places before each suspect and one behind it are built and
measured in turn, until it is known whether they differ: after 20, 40, 80, 160 or 320
forks each. What it comes to is kept in the history, and tare history show prints it.

The suspects of one command share a chance of 5 % that any of them is confirmed although
nothing has changed. tare bisect then finds the commit.

It exits with code 3 if a change to the worse is confirmed.`

// confirmLayouts are the layouts of each commit.
const confirmLayouts = 4

// historyConfirmFlags are the flags of tare history confirm.
type historyConfirmFlags struct {
	show  historyShowFlags
	bench *benchFlags
	most  int
}

func newHistoryConfirm(s streams) *cobra.Command {
	f := &historyConfirmFlags{bench: newBenchFlags()}
	return f.show.store.verb(s, verb{
		use:   "confirm [flags] [BENCH...]",
		short: "Measure the suspects of the history again, interleaved",
		long:  historyConfirmLong,
		example: `  tare history confirm
  tare history confirm --suspects 1 --push 'Decode'`,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	})
}

func (f *historyConfirmFlags) register(fl *pflag.FlagSet) {
	fl.IntVar(&f.most, "suspects", 5, "measure so many suspects at most, the largest changes first")
	f.show.registerSelection(fl)
	j := &f.bench.job
	j.Threshold, j.Layouts, j.ShortIterations, j.Sides.Others = 0.02, confirmLayouts, false, true
	flags.Job(fl, j.Options(), job.OnConfirm)
	flags.Describe(fl, "threshold", "change that does not matter, a `share`: a suspect that is surely within it is refuted")
	flags.Describe(fl, "layouts", "random code layouts of each commit, measured in turn; 0: one, as go links it")
	f.bench.registerRun(fl)
	f.show.store.register(fl, true)
	flags.Daily(fl, "branch", "metric", "machine", "suspects", "store", "push")
}

func (f *historyConfirmFlags) run(cmd *cobra.Command, s streams, patterns []string) error {
	p := &problems{}
	p.AtLeast("suspects", f.most, 1)
	f.bench.take(cmd, nil)
	head, err := f.bench.job.Plan()
	if p.AddError(err); p.Err() != nil {
		return p.Err()
	}
	head.Command, head.Config.Threshold = typedLine("history"), f.bench.job.Threshold
	ctx := orBackground(cmd.Context())
	t, err := f.show.read(ctx, s, patterns)
	if err != nil {
		return err
	}
	asked := historyrun.ToConfirm(t, f.most)
	if len(asked) == 0 {
		fmt.Fprintln(s.out, "no suspect waits to be measured again")
		return nil
	}
	store, err := f.show.store.open(ctx)
	if err != nil {
		return err
	}
	return f.measure(s, head, asked, t, store)
}

func (f *historyConfirmFlags) measure(s streams, head record.Run, asked []historyrun.Asked, t *trend.Trends, store history.Store) error {
	c, err := f.bench.runFlags.config(s, head)
	if err != nil {
		return err
	}
	c.Signals = session.CatchBetweenForks(c.Progress)
	defer c.Signals.Stop()
	ctx, cancel := c.Signals.FirstContext()
	defer cancel()
	verdicts, err := historyrun.Confirm(ctx, c, asked, t, store)
	c.Progress.Clear()
	worse := printVerdicts(s.out, asked, verdicts)
	switch {
	case c.Signals.Caught():
		return c.Signals.ExitError()
	case err != nil:
		return err
	}
	if err := f.show.store.send(context.Background(), store); err != nil {
		return err
	}
	if worse > 0 {
		exit.Message(s.err, "error", units.Plural(worse, "change")+" to the worse confirmed")
		return exit.Silent(exit.Missed)
	}
	return nil
}

// printVerdicts prints what measuring again came to, and returns how many changes to the worse are confirmed.
func printVerdicts(w io.Writer, asked []historyrun.Asked, verdicts []*history.Verdict) (worse int) {
	for i, v := range verdicts {
		a := asked[i]
		if v == nil {
			continue
		}
		fmt.Fprintf(w, "%s %s: %s: %s (%s … %s), %d forks of %s and %s\n", v.Name, v.Unit, v.State, trends.Change(v.Ratio), trends.Change(v.Lo), trends.Change(v.Hi), v.Forks, a.Before.Short(), a.After.Short())
		s := a.Suspect
		if s.Ratio = v.Ratio; v.State == history.Confirmed && a.Row.Worse(s) {
			worse++
		}
	}
	return worse
}
