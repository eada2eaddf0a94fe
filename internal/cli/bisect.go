package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/bisectrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/show/render"
)

const bisectLong = `tare bisect searches for the commit between GOOD and BAD from which on one benchmark
has another level: slower or faster, more allocations or fewer. Unlike a script for
git bisect it needs no verdict on a single commit, which noise makes wrong: it
measures several commits in turn, takes each value for what it tells, and goes where
most is to be learnt. The commit that is named was compared with the one before it.

It follows first parents. If it finds a merge, it searches among the merged commits
next. If GOOD is no ancestor of BAD, their merge base takes its place. Commits that
change nothing in the test binary are not measured; commits that do not build, or
lack the benchmark, are skipped.

Each commit is linked in --layouts random code layouts, because the layout of a
binary alone can change its speed by some percent.

For a script of git bisect there is tare bench --bisect-exit.

Exit codes: 0 found, or nothing to find · 1 something failed · 2 wrong usage ·
4 not decided`

const bisectExample = `  tare bisect v1.4.0 HEAD --bench '^BenchmarkEncode$' ./codec
  tare bisect v1.4.0 HEAD --bench '^BenchmarkEncode$/large' --metric allocs/op ./codec
  tare bisect HEAD~64 HEAD --bench '^BenchmarkEncode$' --budget 10m -o bisect.jsonl ./codec
  tare bisect --resume bisect.jsonl`

func newBisect(s streams) *cobra.Command {
	f := &bisectFlags{}
	return verb{
		use:      "bisect [flags] GOOD BAD [packages]",
		short:    "Find the commit that changed a benchmark",
		long:     bisectLong,
		example:  bisectExample,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.search(cmd, s, args) },
	}.command()
}

// search searches and shows what was found.
func (f *bisectFlags) search(cmd *cobra.Command, s streams, args []string) error {
	c, err := f.config(cmd, s, args)
	if err != nil {
		return err
	}
	c.Signals = session.CatchBetweenForks(c.Progress)
	defer c.Signals.Stop()
	ctx, cancel := c.Signals.FirstContext()
	defer cancel()
	var out *bisectrun.Outcome
	if f.resume != "" {
		out, err = bisectrun.Resume(ctx, *c, f.resume, checkBisect)
	} else {
		out, err = bisectrun.Run(ctx, *c)
	}
	c.Progress.Clear()
	if out == nil {
		if c.Signals.Caught() {
			c.Progress.Note("interrupted before anything was measured")
			return c.Signals.ExitError()
		}
		return err
	}
	return f.conclude(s, c, out, err)
}

// conclude shows what was found, and decides the exit code. err is what ended the search.
func (f *bisectFlags) conclude(s streams, c *bisectrun.Config, out *bisectrun.Outcome, err error) error {
	interrupted := errors.Is(err, plan.ErrInterrupted)
	if err != nil && !interrupted {
		return err
	}
	last := out
	for o := out; o != nil; o = o.Entered {
		if err := f.output.Write(s.out, string(f.format()), o.Recorder.Path(), f.output.result(o.Recorder.Result())); err != nil {
			return err
		}
		last = o
	}
	if interrupted {
		c.Progress.Note("not decided yet; go on with: tare bisect --resume %s", last.Recorder.Path())
		return c.Signals.ExitError()
	}
	switch last.State {
	case "found", "nothing":
		return session.PrintMoved(s.err, last.Recorder.Moved(), nil)
	case "unusable":
		return exit.Silent(exit.Failure)
	}
	c.Progress.Note("not decided; go on with: tare bisect --resume %s", last.Recorder.Path())
	return exit.Silent(exit.Untrusted)
}

func (f *bisectFlags) format() render.Format {
	if f.output.format != "" {
		return render.Format(f.output.format)
	}
	return f.output.formats[0]
}
