package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/trends"
)

const historyShowLong = `tare history show prints how each benchmark went, commit by commit along the first
parents of a branch, and where its level may have changed. BENCH are regular
expressions of names without Benchmark; without any, all are shown.

Suspects are found by ranks: settled ones by all commits, fresh ones among the last 8.
What all benchmarks share, such as a slower day of the machine, is subtracted first and
shown by itself. A suspect is no finding, because chance and drift make some: measure
both commits again, interleaved. Its state says whether that was done.

-o FILE.svg is the picture of one benchmark: the median of each commit with its interval,
and each suspect. -o FILE.html is a page with the pictures of all.`

// historyShowFlags are the flags of tare history show.
type historyShowFlags struct {
	store  storeFlags
	chosen trend.Selection
	branch string
	output outputFlags
}

func newHistoryShow(s streams) *cobra.Command {
	f := &historyShowFlags{}
	return f.store.verb(s, verb{
		use:   "show [flags] [BENCH...]",
		short: "Show how benchmarks went, and where their level changed",
		long:  historyShowLong,
		example: `  tare history show
  tare history show --branch release-1 'Decode'
  tare history show -o decode.svg '^Decode/large$'
  tare history show -o history.html
  tare history show --metric allocs/op --format csv`,
		register: func(fl *pflag.FlagSet) {
			f.registerSelection(fl)
			f.store.register(fl, false)
			f.output.showOnly, f.output.suffixes = true, historySuffixes()
			f.output.formats = []render.Format{render.Text, render.JSON, render.CSV, render.Markdown}
			f.output.register(fl, "all units of all benchmarks")
		},
		run: func(cmd *cobra.Command, args []string) error { return f.run(orBackground(cmd.Context()), s, args) },
	})
}

// registerSelection adds the flags that say which series are examined.
func (f *historyShowFlags) registerSelection(fl *pflag.FlagSet) {
	fl.StringVar(&f.branch, "branch", "HEAD", "the commits of this `revision`, or of a range A..B")
	fl.StringVar(&f.chosen.Unit, "metric", "", "only this `unit`, such as ns/op or allocs/op (default: the main unit of each benchmark, and others that changed)")
	fl.StringVar(&f.chosen.Machine, "machine", "", "what this `machine` measured, by its name or the first digits of its digest (default: that of the newest commit)")
	fl.StringVar(&f.chosen.Toolchain, "go", "", "what was built with this `version`, as go1.26.8 (default: that of the newest commit)")
}

func (f *historyShowFlags) run(ctx context.Context, s streams, patterns []string) error {
	format, err := f.output.check()
	if err != nil {
		return err
	}
	t, err := f.read(ctx, s, patterns)
	if err != nil {
		return err
	}
	return f.write(s, string(format), t)
}

// read returns the series of benchmarks whose names match.
func (f *historyShowFlags) read(ctx context.Context, s streams, patterns []string) (*trend.Trends, error) {
	keep, err := keepNames(patterns)
	if err != nil {
		return nil, err
	}
	store, err := f.store.open(ctx)
	if err != nil {
		return nil, err
	}
	line, err := firstParents(ctx, f.branch)
	if err != nil {
		return nil, err
	}
	c := trend.NewCollector(line)
	if err := readHistory(ctx, s, store, nil, c.Add); err != nil {
		return nil, err
	}
	f.chosen.Keep = keep
	t, ok := c.Trends(f.chosen)
	switch {
	case !ok && (len(patterns) == 0 || len(t.Others) > 0):
		return nil, f.nothing(t)
	case !ok || len(t.Rows) == 0:
		what := "no benchmark"
		if len(patterns) > 0 {
			what += " matches " + strings.Join(patterns, ", ")
		}
		if f.chosen.Unit != "" {
			what += " in " + f.chosen.Unit
		}
		return nil, failed(errors.New(what), "tare history show -v lists all, with their units")
	}
	return t, nil
}

// historySuffixes are the formats that a history has, by the suffixes of files.
func historySuffixes() map[string]string {
	out := maps.Clone(tableSuffixes)
	maps.DeleteFunc(out, func(_, format string) bool {
		return !slices.Contains([]render.Format{render.Text, render.JSON, render.CSV, render.Markdown, render.HTML, render.SVG}, render.Format(format))
	})
	return out
}

// keepNames returns what keeps benchmarks whose names match one of the patterns.
func keepNames(patterns []string) (func(history.Key) bool, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	re, err := regexp.Compile("(?:" + strings.Join(patterns, ")|(?:") + ")")
	if err != nil {
		return nil, usageError(err, "")
	}
	return func(k history.Key) bool { return re.MatchString(k.Name) }, nil
}

// nothing returns the error of a history without a series.
func (f *historyShowFlags) nothing(t *trend.Trends) error {
	if len(t.Others) > 0 {
		g := t.Others[0]
		return failed(fmt.Errorf("no entry is of machine %q and toolchain %q", f.chosen.Machine, f.chosen.Toolchain), fmt.Sprintf("there are %d commits of --machine %s --go %s", g.Commits, g.Machine, g.Toolchain))
	}
	hint := "--branch REV names another one"
	if t.Dirty > 0 {
		hint = "entries of working trees with changes are not shown"
	}
	return failed(fmt.Errorf("no entry is of a commit on %s: %d commits are elsewhere", f.branch, len(t.Elsewhere)), hint)
}

func (f *historyShowFlags) write(s streams, format string, t *trend.Trends) error {
	err := f.output.Show(s.out, format, "", func(w io.Writer, format string) error {
		return trends.Write(w, format, t, f.output.options(w), "tare "+session.Version())
	})
	if errors.Is(err, trends.ErrSeveral) {
		return usageError(fmt.Errorf("%w: %d series are selected", trends.ErrSeveral, len(t.Rows)), "name one: tare history show --metric ns/op '^NAME$'; a page has all: -o FILE.html")
	}
	return err
}
