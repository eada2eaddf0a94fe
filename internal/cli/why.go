package cli

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/whytext"
)

const whyLong = `tare why says what made a benchmark slower or faster. It times both sides, and looks at the
benchmarks that changed most with profilers that count: notes of the compiler, allocations
by site, instructions by line, samples of machine code, and waits by cause. Then it divides
the difference among the causes that they found, and shows the part of the change that
touches each. What no cause explains is the rest.

Shares are of the time if the difference is at least 10 %, else of the added instructions.
Where the machine is at fault, only counts name causes: times count for nothing.

A RECORD of tare bench with two sides and --prof compiler,alloc,instructions,asm,sched is
read instead of measuring.`

// whyProfilers are asked, those that cost least first.
const whyProfilers = "compiler,alloc,instructions,asm,sched"

// whyFlags are the flags of tare why.
type whyFlags struct {
	against string
	side    []string
	build   []string // --side-flags
	env     []string // --side-env
	bench   string
	tags    string
	with    []string
	forks   int
	time    time.Duration
	budget  time.Duration
	top     int
	all     bool
	noWait  bool
	noLock  bool
	show    string // --progress
	record  string // -o FILE.jsonl
	output  outputFlags
}

func newWhy(s streams) *cobra.Command {
	f := &whyFlags{}
	return verb{
		use:   "why [flags] [packages | RECORD]",
		short: "Say what made a benchmark slower or faster",
		long:  whyLong,
		example: `  tare why --against main --bench 'Decode$/large' ./codec
  tare why --against v1.4.0 -o why.jsonl ./...
  tare why why.jsonl`,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.run(s, args) },
	}.command()
}

func (f *whyFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.against, "against", "", "compare the working tree with this `revision`")
	fl.StringArrayVar(&f.side, "side", nil, "compare `NAME=X`, a directory or a revision; twice, the first is the base")
	fl.StringArrayVar(&f.build, "side-flags", nil, "build flags of the side NAME: `NAME='-gcflags=-l -pgo=x.prof'`")
	fl.StringArrayVar(&f.env, "side-env", nil, "set a variable for building and running the side NAME: `NAME=K=V`")
	fl.StringVar(&f.bench, "bench", ".", "run benchmarks that match this `regexp`, as go test -bench")
	flags.Tags(fl, &f.tags)
	flags.With(fl, &f.with)
	fl.IntVar(&f.forks, "forks", 20, "forks per benchmark and side that are timed")
	fl.DurationVar(&f.time, "time", 50*time.Millisecond, "wall time of an iteration, set-up included")
	fl.DurationVar(&f.budget, "budget", 2*time.Minute, "the most that measuring may take for each benchmark that is looked at; what did not fit is said")
	fl.IntVar(&f.top, "top", 3, "look at so many benchmarks, those that changed most")
	fl.BoolVar(&f.all, "all", false, "look at benchmarks that did not change, too")
	flags.Lock(fl, &f.noWait, &f.noLock)
	flags.Progress(fl, &f.show)
	f.output.formats = []render.Format{render.Text, render.Markdown, render.JSON, render.HTML}
	f.output.suffixes = withSuffixes(textSuffixes)
	f.output.suffixes[".md"] = string(render.Markdown)
	f.output.register(fl, "causes that explain less than 3 %, too")
}

func (f *whyFlags) run(s streams, args []string) error {
	format, err := f.output.check()
	if err != nil {
		return err
	}
	p := &problems{}
	p.atLeast("forks", f.forks, 2)
	p.atLeast("top", f.top, 1)
	if f.budget < leastBudget {
		p.Add("--budget %s is too short: choosing benchmarks and looking at one takes half a minute, and less than %s is never enough", f.budget, leastBudget)
	}
	p.patterns(f.bench, "")
	isRecord := len(args) == 1 && (args[0] == "-" || strings.HasSuffix(args[0], ".jsonl") || isFile(args[0]))
	switch {
	case isRecord && f.sides() != 0:
		p.Add("%s is a record, and has its sides: leave out --against and --side", args[0])
	case !isRecord && f.sides() != 2:
		p.Add("why needs two sides: --against REV, --side twice, or a record of tare bench --against")
	}
	if err := p.Err(); err != nil {
		return err
	}
	if isRecord {
		if err := f.checkRead(format, args[0]); err != nil {
			return err
		}
		res, err := readSides(s, args[0])
		if err != nil {
			return err
		}
		return f.print(s, format, args[0], res, nil)
	}
	f.record, f.output.Records = f.output.Records, "" // tare bench writes it
	place, err := tempdir.Dir("why")
	if err != nil {
		return failed(err, "")
	}
	defer place.Remove()
	m := &whyRun{whyFlags: f, s: s, packages: args, dir: place.Path, began: time.Now()}
	path, res, err := m.measure()
	if err != nil {
		return err
	}
	layouts, err := m.layouts(res)
	if err != nil {
		return err
	}
	return f.print(s, format, path, res, layouts)
}

// print writes what explains the differences of a result, whose record is at path.
func (f *whyFlags) print(s streams, format render.Format, path string, res, layouts *result.Result) error {
	rows := f.explain(res, layouts)
	return f.output.Show(s.out, string(format), path, func(w io.Writer, format string) error { return f.write(w, format, rows) })
}

// isFile reports whether a path is that of a file, and not of a directory.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// sides returns how many sides the flags name.
func (f *whyFlags) sides() int {
	names := map[string]bool{}
	for _, list := range [][]string{f.side, f.build, f.env} {
		for _, v := range list {
			name, _, _ := strings.Cut(v, "=")
			names[name] = true
		}
	}
	if f.against != "" {
		names[benchrun.SideOld], names[benchrun.SideNew] = true, true
	}
	return len(names)
}

// rows returns the comparisons that are examined: those that changed, the largest change first, then large differences that are not
// decided.
func (f *whyFlags) rows(res *result.Result) []*result.Comparison { return f.worth(res, leastShown) }

// worth is rows with another least difference of those that are not decided.
func (f *whyFlags) worth(res *result.Result, least float64) []*result.Comparison {
	rows := whytext.Changed(res, f.all, f.top)
	if f.all {
		return rows
	}
	return append(rows, whytext.Undecided(res, least, f.top-len(rows))...)
}

// patternOf returns the pattern of --bench for the benchmarks of rows: the parts of their names, each with alternatives. It chooses others,
// too, that have a part of one and a part of another, and all below a name that has fewer parts.
func patternOf(rows []*result.Comparison) string {
	if len(rows) == 1 {
		return fork.Pattern(rows[0].Name)
	}
	var levels [][]string
	for i, c := range rows {
		parts := strings.Split(fork.Pattern(c.Name), "/")
		if i == 0 {
			levels = make([][]string, len(parts))
		}
		levels = levels[:min(len(levels), len(parts))]
		for k := range levels {
			if !slices.Contains(levels[k], parts[k]) {
				levels[k] = append(levels[k], parts[k])
			}
		}
	}
	var out []string
	for _, alternatives := range levels {
		out = append(out, strings.Join(alternatives, "|"))
	}
	return strings.Join(out, "/")
}
