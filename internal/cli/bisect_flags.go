package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/bisectrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/record"
)

// bisectFlags are the flags of tare bisect as they are typed.
type bisectFlags struct {
	runFlags
	job    job.Bench
	metric string
	resume string
	output outputFlags
}

func (f *bisectFlags) register(fl *pflag.FlagSet) {
	j := &f.job
	*j = job.DefaultBench()
	j.Bench, j.Layouts, j.Threshold, j.ShortIterations, j.Test, j.Sides.Others = "", 4, 0.02, false, record.TestU, true
	flags.Job(fl, j.Options(), job.OnBisect)
	flags.Describe(fl, "bench", "the benchmark: a `regexp` that matches one, as go test -bench")
	flags.Describe(fl, "gomaxprocs", "GOMAXPROCS of the forks, a `number` (default: all processors)")
	flags.Describe(fl, "iterations", "measured iterations per fork")
	flags.Describe(fl, "layouts", "random code layouts of each commit, measured in turn; 0: one, as go links it")
	flags.Describe(fl, "threshold", "change from GOOD to BAD that does not matter, a `share`")
	flags.Describe(fl, "budget", "the most that building and measuring may take; what is known then is shown")
	fl.StringVar(&f.metric, "metric", "ns/op", "what changed: ns/op, B/op, allocs/op, or a `unit` that the benchmark reports")
	fl.StringVar(&f.resume, "resume", "", "go on with the search of this record `file`")
	f.runFlags.register(fl)
	f.output.formats, f.output.suffixes = textFormats, textSuffixes
	f.output.register(fl, "all commits that were measured")
}

// withBisectResume are the flags, besides options of the job, that a search that is resumed may have.
var withBisectResume = []string{"resume", "budget", "output", "format", "color", "verbose", "no-wait", "no-lock", "progress"}

// config checks the flags. The error names all contradictions.
func (f *bisectFlags) config(cmd *cobra.Command, s streams, args []string) (*bisectrun.Config, error) {
	c := &bisectrun.Config{Metric: f.metric}
	p := &problems{exit.Problems{Hint: "tare bisect v1.4.0 HEAD --bench '^BenchmarkEncode$' ./codec"}}
	_, err := f.output.check()
	p.AddError(err)
	c.Config, err = f.runFlags.config(s, record.Run{})
	p.AddError(err)
	if f.resume != "" {
		p.positive(cmd, "budget", f.job.Budget)
		c.Run.Config.Budget, c.Run.Config.Setenv = f.job.Budget, f.job.Setenv
		return c, f.checkResume(cmd, args, p)
	}
	if len(args) < 2 {
		p.Add("tare bisect needs two revisions, GOOD and BAD")
	} else if c.Good, c.Bad = args[0], args[1]; len(args) > 2 {
		f.job.Packages = args[2:]
	}
	if f.job.Bench == "" {
		p.Add("--bench REGEXP is missing: a search measures one benchmark")
	}
	if len(f.job.Procs) > 1 {
		p.Add("--gomaxprocs %v: a search measures with one value", f.job.Procs)
	}
	f.job.Given = flags.GivenTo(cmd.Flags())
	c.Run, err = f.job.Plan()
	p.AddError(err)
	c.Run.Command, c.Output = typedLine("bisect"), f.output.Records
	c.Run.Config.Threshold, c.Run.Config.Forks = f.job.Threshold, 0 // as many as it takes
	return c, p.Err()
}

func (f *bisectFlags) checkResume(cmd *cobra.Command, args []string, p *problems) error {
	if len(args) > 0 {
		p.Add("--resume %s goes on with the commits and packages it began with; leave out %s", f.resume, strings.Join(args, " "))
	}
	if others := flags.Given(cmd.Flags(), append(job.Resumed(f.job.Options()), withBisectResume...)...); len(others) > 0 {
		p.Add("--resume %s goes on with the search it began with; leave out %s", f.resume, strings.Join(others, ", "))
	}
	if f.output.Exporter != nil && f.output.Records != "" {
		p.Add("-o %s: with --resume the records go on in %s", f.output.Records, f.resume)
	}
	return p.Err()
}

// checkBisect refuses a file that is no record of a search, by its first line.
func checkBisect(path string, line record.Line, err error) error {
	if err != nil {
		return recordError(err)
	}
	if run, ok := line.(*record.Run); !ok || record.KindOf(run) != record.KindBisect {
		return usageError(fmt.Errorf("--resume %s: is no record of tare bisect", path), "tare bench --resume goes on with records of tare bench")
	}
	return nil
}
