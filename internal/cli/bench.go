package cli

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/memorymax"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// benchFlags are the flags of tare bench as they are typed.
type benchFlags struct {
	cfg       record.Config
	procs     string
	timeout   time.Duration
	precision string
	seed      string
	quick     bool
	short     bool
	resume    string
	dryRun    bool
	list      bool
	lock      session.LockMode
	strict    bool
	gitExit   bool // --bisect-exit
	with      []string
	progress  string
	live      live.Options
	output    outputFlags

	prof       string
	memoryMax  string
	sides      benchrun.SideOptions
	threshold  string
	correction string // of a comparison with a saved record
	gates      []string
	lost       gate.Lost // of tare ci
	team       teamFlags
	saved      savedFlags
}

const benchLong = `tare bench builds each package's test binary once and runs every benchmark in many
fresh processes (forks), interleaved in random order. The fork is the sample: its
value is the median of its measured iterations, and the interval is over forks.

Packages are named as for go: a directory, ./..., a package of the standard
library, a dependency, or path@version for anybody's module. Default: the package
in the current directory.

--live HOST:PORT serves the page of -o x.html while the run goes on. It is updated
between rounds, which wait for it, at most every 2 s.

A file tare.toml beside go.mod gives flags the defaults of a team; a variable such as
TARE_FORKS counts before it, and a flag before both. Its keys: packages, benchmarks (as
--bench), skip, filter, tags, gomaxprocs, forks, warmup, iterations, time, precision,
budget, layouts, threshold, test, correction, confidence, gates (a list); [[bench]] with
match (as --filter), threshold and gate, for some benchmarks; [ci] and [history] for
these verbs. --print-config says where each value came from.

A log of this machine's runs tells where another run may be. It is the file
tare/runs.jsonl below $XDG_STATE_HOME (default: ~/.local/state). TARE_RUNLOG=FILE
names another file, TARE_RUNLOG=off keeps none.`

const benchExample = `  tare bench
  tare bench --bench 'SortInt1K|StableInt1K' sort
  tare bench --quick github.com/cespare/xxhash/v2@latest
  tare bench --precision 1% --budget 5m -o new.jsonl ./...
  tare bench --format benchfmt ./... | benchstat -
  tare bench --short ./... -- -elems 5
  tare bench --save before && tare bench --against saved:before
  tare bench --live 127.0.0.1:0 ./...
  tare bench --resume new.jsonl`

func newBench(s streams) *cobra.Command {
	f := &benchFlags{}
	return verb{
		use:      "bench [flags] [packages] [-- FLAGS OF THE TEST BINARY]",
		short:    "Run Go benchmarks as interleaved forks",
		long:     benchLong,
		example:  benchExample,
		register: f.register,
		run: func(cmd *cobra.Command, args []string) error {
			if !f.gitExit {
				return f.run(cmd, s, args)
			}
			if len(f.gates) == 0 {
				return usageError(errors.New("--bisect-exit needs what makes a commit bad: --gate slower:5%, with --against REV"), "")
			}
			return bisectExit(s.err, f.run(cmd, s, args))
		},
	}.command()
}

func (f *benchFlags) run(cmd *cobra.Command, s streams, args []string) error {
	if err := f.takeSaved(); err != nil {
		return err
	}
	if f.resume == "" { // else the record says how it goes on
		if err := f.team.apply(cmd, f.skipWithoutSides); err != nil {
			return err
		}
	}
	if f.team.show {
		return f.team.print(s)
	}
	return newBenchRun(s, f).run(cmd, args)
}

func (f *benchFlags) register(fl *pflag.FlagSet) {
	c := &f.cfg
	flags.Bench(fl, &c.Bench, &c.Skip)
	flags.Filter(fl, &c.Filter)
	flags.GOMAXPROCS(fl, &f.procs)
	fl.IntVar(&c.Forks, "forks", 20, "forks per benchmark; with --precision the most")
	fl.IntVar(&c.Warmup, "warmup", 1, "iterations of a fork that are recorded but do not count")
	fl.IntVar(&c.Iterations, "iterations", 2, "measured iterations per fork; unset, often 8 shorter")
	fl.DurationVar(&c.Time, "time", 50*time.Millisecond, "wall time of an iteration, set-up included")
	flags.Benchtime(fl, &c.Benchtime)
	fl.StringVar(&c.Mode, "mode", "", "`N` (fixed operations) or time (needed by RunParallel) for all, instead of what each needs")
	flags.ForkTimeout(fl, &f.timeout)
	fl.StringVar(&c.GOGC, "gogc", "", "GOGC of the forks: a `percentage` or off")
	fl.StringVar(&c.MemoryLimit, "memory-limit", "", "GOMEMLIMIT of the forks, the same `size` for all")
	fl.StringVar(&f.memoryMax, "memory-max", "", "a fork that needs more memory than this `size` has failed; by a control group, or checked afterwards")
	fl.BoolVar(&c.GCBefore, "gc-before", false, "collect garbage before each iteration, behind its set-up")
	flags.Env(fl, &c.Setenv, "the forks")
	flags.Tags(fl, &c.Tags)
	flags.With(fl, &f.with)
	flags.Seed(fl, &f.seed, "the order")
	fl.StringVar(&c.Order, "order", plan.Interleaved, "interleaved (each round runs all once) or grouped")
	flags.Precision(fl, &f.precision, "every interval is within ± this `share`, as 1%; checked after 10, 20, 40, 80 rounds")
	fl.DurationVar(&c.Budget, "budget", 0, "the most that finding, calibrating and measuring may take; a round is always run, and benchmarks that do not fit are left out and named")
	fl.DurationVar(&c.Spread, "spread", 0, "spread the rounds over this time, in blocks; the interval is then over blocks")
	registerSides(fl, &f.sides)
	flags.Threshold(fl, &f.threshold, "3%", "change between sides")
	flags.Correction(fl, &c.Correction, corrections...)
	flags.Test(fl, &c.Test, record.TestSavage, tests...)
	flags.Gates(fl, &f.gates, "a side")
	fl.BoolVar(&f.gitExit, "bisect-exit", false, "exit codes for git bisect run: 0 good, 1 if a --gate is missed, 125 (skip) if a gate is not decided, or the commit cannot be measured, 128 (abort) for unknown flags")
	fl.IntVar(&c.Layouts, "layouts", 0, "link each binary in this many random code layouts, and measure them in turn")
	fl.StringVar(&f.prof, "prof", "", "`list` of profilers: "+benchrun.KnownProfilers())
	fl.IntVar(&c.ProfForks, "prof-forks", benchrun.DefaultProfForks, "forks per benchmark for each profiler that must not share them with the clock")
	fl.StringArrayVar(&c.TraceMatch, "include", nil, "functions that --prof trace counts, by `pattern` as of tare trace; repeatable (default: all of the package)")
	fl.StringArrayVar(&c.TraceSkip, "exclude", nil, "functions that --prof trace leaves alone, by `pattern`; repeatable")
	flags.Rename(fl, "trace-match", "include")
	flags.Rename(fl, "trace-skip", "exclude")
	fl.BoolVar(&c.Deep, "deep", false, "build package testing with hooks: exact allocations, GC cycles, marks for profilers")
	flags.Confidence(fl, &c.Confidence, "of a benchmark's own interval")
	fl.BoolVar(&f.quick, "quick", false, "a first impression: --forks 6 --warmup 1 --iterations 1 --time 20ms")
	fl.BoolVar(&f.short, "short", false, "have testing.Short() report true, as go test -short")
	fl.StringVar(&f.resume, "resume", "", "go on with the run of this record `file`")
	flags.DryRun(fl, &f.dryRun)
	fl.BoolVar(&f.list, "list", false, "print the names of all benchmarks, which one operation of each tells, and stop")
	flags.Lock(fl, &f.lock.NoWait, &f.lock.NoLock)
	flags.Repeats(fl, &c.NoRepeat)
	flags.Priority(fl, &c.NoPriority, "forks")
	flags.Strict(fl, &f.strict, "any result carries a warning")
	flags.Progress(fl, &f.progress)
	f.team.register(fl)
	f.saved.register(fl)
	registerLive(fl, &f.live)
	flags.Offer(fl, "order", plan.Interleaved, plan.Grouped)
	flags.Offer(fl, "prof", profilerWords()...)
	f.output.formats, f.output.suffixes = append(render.Formats(), render.Callgrind), countedSuffixes()
	f.output.register(fl, tableDetails)
}

// applyQuick sets what --quick sets, except flags that were given.
func (f *benchFlags) applyQuick(cmd *cobra.Command) {
	if !f.quick {
		return
	}
	set := cmd.Flags().Changed
	if !set("forks") {
		f.cfg.Forks = 6
	}
	if !set("iterations") {
		f.cfg.Iterations = 1
	}
	if !set("time") {
		f.cfg.Time = 20 * time.Millisecond
	}
}

// mayShorten reports whether iterations may be shorter, and more, than the defaults: who asks for an iteration's
// length, or for their number, gets it.
func (f *benchFlags) mayShorten(cmd *cobra.Command) bool {
	for _, name := range []string{"time", "iterations", "benchtime", "mode", "quick"} {
		if cmd.Flags().Changed(name) {
			return false
		}
	}
	return true
}

// config checks the flags and returns the configuration. args are packages, and behind --
// what the test binaries get. The error names all contradictions.
func (f *benchFlags) config(cmd *cobra.Command, args []string) (_ record.Config, err error) {
	f.applyQuick(cmd)
	c := f.cfg
	packages, words := args, []string(nil)
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		packages, words = args[:n], args[n:]
	}
	if c.Args, err = benchrun.BinaryArgs(words, f.short); err != nil {
		return c, err
	}
	c.Timeout = f.timeout
	c.ShortIterations = f.mayShorten(cmd)
	c.Packages = packages
	if len(packages) == 0 {
		c.Packages = f.team.packages()
	}
	p := &problems{}
	p.atLeast("forks", c.Forks, 1)
	p.atLeast("warmup", c.Warmup, 0)
	p.atLeast("iterations", c.Iterations, 1)
	if c.Time <= 0 {
		p.Add("--time %s is not above 0", c.Time)
	}
	p.positive(cmd, "timeout", c.Timeout)
	p.positive(cmd, "budget", c.Budget)
	f.checkSpread(cmd, &c, p)
	p.patterns(c.Bench, c.Skip)
	f.checkWords(&c, p)
	f.checkNumbers(cmd, &c, p)
	f.checkSides(cmd, &c, p)
	c.With = p.with(f.with)
	f.checkProf(cmd, &c, p)
	return c, p.Err()
}

func (f *benchFlags) checkSpread(cmd *cobra.Command, c *record.Config, p *problems) {
	p.positive(cmd, "spread", c.Spread)
	switch {
	case c.Spread <= 0:
	case c.Forks < record.MinBlocks && c.Forks > 0:
		p.Add("--spread needs at least %d forks, one for each block; --forks is %d", record.MinBlocks, c.Forks)
	case c.Order == plan.Grouped:
		p.Add("--spread needs --order interleaved: each block measures all benchmarks")
	case f.precision != "":
		p.Add("--spread and --precision contradict each other: one knows when it ends, the other does not")
	case c.Budget > 0 && c.Budget < c.Spread:
		p.Add("--budget %s is less than --spread %s", c.Budget, c.Spread)
	}
}

var fixedN = regexp.MustCompile(`^[1-9][0-9]{0,11}x$`)

func (f *benchFlags) checkWords(c *record.Config, p *problems) {
	if c.Benchtime != "" && !fixedN.MatchString(c.Benchtime) {
		p.Add("--benchtime %q is not a count such as 100x; for a duration use --time", c.Benchtime)
	}
	switch c.Mode {
	case "", record.ModeN, record.ModeTime:
	case "n":
		c.Mode = record.ModeN
	default:
		p.Add("--mode %q is neither N nor time", c.Mode)
	}
	if c.Mode == record.ModeTime && c.Benchtime != "" {
		p.Add("--mode time and --benchtime %s contradict each other", c.Benchtime)
	}
	switch c.Order {
	case plan.Interleaved, plan.Grouped:
	default:
		p.Add("--order %q is neither interleaved nor grouped", c.Order)
	}
	if c.GOGC != "" && c.GOGC != "off" {
		if n, err := strconv.Atoi(c.GOGC); err != nil || n < 0 {
			p.Add("--gogc %q is neither a percentage nor off", c.GOGC)
		}
	}
	if c.MemoryLimit != "" {
		if n, err := units.ParseBytes(c.MemoryLimit); err != nil {
			p.Add("--memory-limit: %v", err)
		} else {
			c.MemoryLimit = strconv.FormatInt(n, 10)
		}
	}
	if f.memoryMax != "" {
		n, err := units.ParseBytes(f.memoryMax)
		switch {
		case err != nil:
			p.Add("--memory-max: %v", err)
		case n < memorymax.Least:
			p.Add("--memory-max %s is less than the 16MiB that a test binary and tare's launcher need", f.memoryMax)
		}
		c.MemoryMax = n
	}
	p.settings("env", c.Setenv)
}

func (f *benchFlags) checkNumbers(cmd *cobra.Command, c *record.Config, p *problems) {
	if f.procs == "" {
		c.CPU = []int{benchrun.DefaultProcs(c.Setenv)}
	} else {
		for _, s := range strings.Split(f.procs, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || n < 1 {
				p.Add("--gomaxprocs %q is not a list of numbers above 0", f.procs)
				break
			}
			c.CPU = append(c.CPU, n)
		}
	}
	p.confidence(c.Confidence)
	if f.precision != "" {
		c.Precision = p.share("precision", f.precision)
		if c.Order == plan.Grouped {
			p.Add("--precision needs --order interleaved: it checks all benchmarks after a round")
		}
		if !cmd.Flags().Changed("forks") {
			c.Forks = plan.MaxRounds
		}
	}
	p.seed(cmd, f.seed)
	if c.Confidence > 0 && c.Confidence < 1 && c.Precision == 0 && c.Forks > 0 && !f.quick && cmd.Flags().Changed("confidence") {
		if need := stat.MinSamples(c.Confidence); c.Forks < need {
			p.Add("a %g %% interval needs at least %d forks, --forks is %d", 100*c.Confidence, need, c.Forks)
		}
	}
}
