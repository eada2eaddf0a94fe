package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/bisectrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// bisectFlags are the flags of tare bisect as they are typed.
type bisectFlags struct {
	cfg       record.Config
	metric    string
	procs     string
	threshold string
	with      []string
	seed      string
	resume    string
	lock      session.LockMode
	progress  string
	output    outputFlags
}

func (f *bisectFlags) register(fl *pflag.FlagSet) {
	c := &f.cfg
	fl.StringVar(&c.Bench, "bench", "", "the benchmark: a `regexp` that matches one, as go test -bench")
	fl.StringVar(&f.metric, "metric", "ns/op", "what changed: ns/op, B/op, allocs/op, or a `unit` that the benchmark reports")
	fl.StringVar(&f.procs, "gomaxprocs", "", "GOMAXPROCS of the forks, a `number` (default: all processors)")
	fl.IntVar(&c.Layouts, "layouts", 4, "random code layouts of each commit, measured in turn; 0: one, as go links it")
	fl.IntVar(&c.Warmup, "warmup", 1, "iterations of a fork that are recorded but do not count")
	fl.IntVar(&c.Iterations, "iterations", 2, "measured iterations per fork")
	fl.DurationVar(&c.Time, "time", 50*time.Millisecond, "wall time of an iteration, set-up included")
	flags.Benchtime(fl, &c.Benchtime)
	flags.ForkTimeout(fl, &c.Timeout)
	flags.Env(fl, &c.Setenv, "the forks")
	flags.Tags(fl, &c.Tags)
	flags.With(fl, &f.with)
	flags.Threshold(fl, &f.threshold, "2%", "change from GOOD to BAD")
	fl.DurationVar(&c.Budget, "budget", 0, "the most that building and measuring may take; what is known then is shown")
	flags.Seed(fl, &f.seed, "the order")
	fl.StringVar(&f.resume, "resume", "", "go on with the search of this record `file`")
	flags.Lock(fl, &f.lock.NoWait, &f.lock.NoLock)
	flags.Priority(fl, &c.NoPriority, "forks")
	flags.Progress(fl, &f.progress)
	f.output.formats, f.output.suffixes = textFormats, textSuffixes
	f.output.register(fl, "all commits that were measured")
}

// withBisectResume are the flags that do not change what is measured.
var withBisectResume = []string{"resume", "budget", "output", "format", "color", "verbose", "no-wait", "no-lock", "progress", "env"}

// config checks the flags. The error names all contradictions.
func (f *bisectFlags) config(cmd *cobra.Command, s streams, args []string) (*bisectrun.Config, error) {
	c := &bisectrun.Config{Metric: f.metric}
	c.Config = benchrun.Config{Start: time.Now(), Lock: f.lock}
	p := &problems{}
	_, err := f.output.check()
	p.AddError(err)
	if c.Progress, err = session.NewProgress(s.err, f.progress); err != nil {
		p.AddError(err)
	}
	if f.resume != "" {
		p.positive(cmd, "budget", f.cfg.Budget)
		c.Run.Config.Budget, c.Run.Config.Setenv = f.cfg.Budget, f.cfg.Setenv
		return c, f.checkResume(cmd, args, p)
	}
	p.atLeast("layouts", f.cfg.Layouts, 0)
	p.atLeast("warmup", f.cfg.Warmup, 0)
	p.atLeast("iterations", f.cfg.Iterations, 1)
	p.positive(cmd, "time", f.cfg.Time)
	p.positive(cmd, "budget", f.cfg.Budget)
	p.settings("env", f.cfg.Setenv)
	p.seed(cmd, f.seed)
	procs := benchrun.DefaultProcs(f.cfg.Setenv)
	if f.procs != "" {
		if procs, err = strconv.Atoi(f.procs); err != nil || procs < 1 {
			p.Add("--gomaxprocs %q is not a number above 0", f.procs)
		}
	}
	if len(args) < 2 {
		p.Add("tare bisect needs two revisions, GOOD and BAD")
	}
	if f.cfg.Bench == "" {
		p.Add("--bench REGEXP is missing: a search measures one benchmark")
	}
	if f.cfg.Benchtime != "" && !fixedN.MatchString(f.cfg.Benchtime) {
		p.Add("--benchtime %q is not a count such as 100x; for a duration use --time", f.cfg.Benchtime)
	}
	p.patterns(f.cfg.Bench, "")
	r := &c.Run
	r.Config = f.cfg
	r.Config.Threshold = p.share("threshold", f.threshold)
	r.Config.With = p.with(f.with)
	if err := p.Err(); err != nil {
		return nil, err
	}
	c.Good, c.Bad = args[0], args[1]
	if r.Config.Packages = args[2:]; len(args) == 2 {
		r.Config.Packages = []string{"."}
	}
	r.Config.CPU = []int{procs}
	r.Config.Order, r.Config.Confidence, r.Config.Test = plan.Interleaved, 0.95, record.TestU
	r.Command, r.Seed, c.Output = session.TypedLine("bisect"), drawSeed(f.seed), f.output.Records
	r.Dir, err = os.Getwd()
	return c, err
}

func (f *bisectFlags) checkResume(cmd *cobra.Command, args []string, p *problems) error {
	if len(args) > 0 {
		p.Add("--resume %s goes on with the commits and packages it began with; leave out %s", f.resume, strings.Join(args, " "))
	}
	if others := flags.Given(cmd.Flags(), withBisectResume...); len(others) > 0 {
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
