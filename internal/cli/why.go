package cli

import (
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/whyrun"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
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

const leastBudget = 10 * time.Second

// whyFlags are the flags of tare why.
type whyFlags struct {
	job    job.Bench // its budget is that of each benchmark that is examined
	choice whyrun.Choice
	runFlags
	record string // -o FILE.jsonl
	output outputFlags
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
		run:      func(cmd *cobra.Command, args []string) error { return f.answer(s, args) },
	}.command()
}

func (f *whyFlags) register(fl *pflag.FlagSet) {
	f.job = job.DefaultBench()
	f.job.Budget = 2 * time.Minute
	flags.Job(fl, f.job.Options(), job.OnWhy)
	flags.Describe(fl, "forks", "forks per benchmark and side that are timed")
	flags.Describe(fl, "budget", "the most that measuring may take for each benchmark that is explained; what did not fit is said")
	flags.Describe(fl, "against", "compare the working tree with this `revision`")
	flags.Describe(fl, "side", "compare `NAME=X`, a directory or a revision; twice, the first is the base")
	fl.IntVar(&f.choice.Most, "top", 3, "explain so many benchmarks, those that changed most")
	fl.BoolVar(&f.choice.All, "all", false, "explain benchmarks that did not change, too")
	f.runFlags.register(fl)
	f.output.formats = []render.Format{render.Text, render.Markdown, render.JSON, render.HTML}
	f.output.suffixes = withSuffixes(textSuffixes)
	f.output.suffixes[".md"] = string(render.Markdown)
	f.output.register(fl, "causes that explain less than 3 %, too")
}

func (f *whyFlags) answer(s streams, args []string) error {
	format, err := f.output.check()
	if err != nil {
		return err
	}
	p := &problems{}
	p.AtLeast("forks", f.job.Forks, 2)
	p.AtLeast("top", f.choice.Most, 1)
	if f.job.Budget < leastBudget {
		p.Add("--budget %s is too short: choosing benchmarks and looking at one takes half a minute, and less than %s is never enough", f.job.Budget, leastBudget)
	}
	p.pattern(f.job.Bench)
	sides, err := f.job.Sides.List()
	p.AddError(err)
	isRecord := len(args) == 1 && (args[0] == "-" || strings.HasSuffix(args[0], ".jsonl") || isFile(args[0]))
	switch {
	case isRecord && len(sides) != 0:
		p.Add("%s is a record, and has its sides: leave out --against and --side", args[0])
	case !isRecord && err == nil && len(sides) != 2:
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
	if len(args) > 0 {
		f.job.Packages = args
	}
	found, err := whyrun.Run(whyrun.Config{
		Job: f.job, Choice: f.choice, Record: f.record, Dir: place.Path,
		Measure: func(j *job.Bench, path string) (*result.Result, error) { return f.measure(s, j, path) },
	})
	if err != nil {
		return err
	}
	return f.print(s, format, found.Path, found.Result, found.Layouts)
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
