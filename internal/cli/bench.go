package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// benchFlags are the flags of tare bench as they are typed.
type benchFlags struct {
	cfg       record.Config
	cpu       string
	timeout   time.Duration
	precision string
	seed      string
	quick     bool
	resume    string
	dryRun    bool
	noWait    bool
	strict    bool
	progress  string
	show      showFlags

	prof      string
	sides     sideFlags
	threshold string
	gates     []string
}

const benchLong = `tare bench builds each package's test binary once and runs every benchmark in many
fresh processes (forks), interleaved in random order. The fork is the sample: its
value is the median of its measured iterations, and the interval is over forks.

Packages are named as for go: a directory, ./..., a package of the standard
library, a dependency, or path@version for anybody's module. Default: the package
in the current directory.`

const benchExample = `  tare bench
  tare bench --bench 'SortInt1K|StableInt1K' sort
  tare bench --quick github.com/cespare/xxhash/v2@latest
  tare bench --precision 1% --budget 5m -o new.jsonl ./...
  tare bench --format benchfmt ./... | benchstat -
  tare bench --resume new.jsonl`

func newBench(s streams) *cobra.Command {
	f := &benchFlags{}
	cmd := &cobra.Command{
		Use:     "bench [flags] [packages]",
		Short:   "Run Go benchmarks as interleaved forks",
		Long:    benchLong,
		Example: benchExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return newBenchRun(s, f).run(cmd, args)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *benchFlags) register(cmd *cobra.Command) {
	fl, c := cmd.Flags(), &f.cfg
	fl.SortFlags = false
	fl.StringVar(&c.Bench, "bench", ".", "run benchmarks that match this `regexp`, as go test -bench")
	fl.StringVar(&c.Skip, "skip", "", "leave out benchmarks that match this `regexp`")
	fl.StringVar(&c.Filter, "filter", "", "choose by an `expression` of benchproc: /size:4k, .name:/Sort/, -pkg:x")
	fl.StringVar(&f.cpu, "cpu", "", "`list` of GOMAXPROCS values, each its own case: 1,2,4")
	fl.IntVar(&c.Forks, "forks", 20, "forks per benchmark; with --precision the most")
	fl.IntVar(&c.Warmup, "warmup", 1, "iterations of a fork that are recorded but do not count")
	fl.IntVar(&c.Iterations, "iterations", 2, "measured iterations per fork")
	fl.DurationVar(&c.Time, "time", 50*time.Millisecond, "wall time of an iteration, set-up included")
	fl.StringVar(&c.Benchtime, "benchtime", "", "fix the operations per iteration: `Nx`")
	fl.StringVar(&c.Mode, "mode", "", "`N` (fixed operations) or time (needed by RunParallel) for all, instead of what each needs")
	fl.DurationVar(&f.timeout, "timeout", 0, "wall time after which a fork is killed (default 10 times the expected time, at least 1m)")
	fl.StringVar(&c.GOGC, "gogc", "", "GOGC of the forks: a `percentage` or off")
	fl.StringVar(&c.MemoryLimit, "memory-limit", "", "GOMEMLIMIT of the forks, the same `size` for all")
	fl.StringArrayVar(&c.Setenv, "env", nil, "set a variable for the forks: `K=V`, repeatable")
	fl.StringVar(&c.Tags, "tags", "", "build tags, comma-separated")
	fl.StringVar(&f.seed, "seed", "", "`seed` of the order, hexadecimal (default: drawn and printed)")
	fl.StringVar(&c.Order, "order", plan.Interleaved, "interleaved (each round runs all once) or grouped")
	fl.StringVar(&f.precision, "precision", "", "stop when every interval is within ± this `share`, as 1%; checked after 10, 20, 40, 80 rounds")
	fl.DurationVar(&c.Budget, "budget", 0, "stop measuring after this time")
	f.sides.register(fl)
	fl.StringVar(&f.threshold, "threshold", "3%", "change between sides that does not matter, a `share`")
	fl.StringVar(&c.Correction, "correction", result.BenjaminiHochberg, "of p over the table: bh, holm or none")
	fl.StringArrayVar(&f.gates, "gate", nil, "exit 3 if a side is worse: `slower:X%`, slower:X%:proven or more:X%, with @FILTER for some benchmarks; repeatable")
	fl.IntVar(&c.Layouts, "layouts", 0, "link each binary in this many random code layouts, and measure them in turn")
	fl.StringVar(&f.prof, "prof", "", "`list` of profilers: "+runner.KnownProfilers())
	fl.IntVar(&c.ProfForks, "prof-forks", runner.DefaultProfForks, "forks per benchmark for each profiler that must not share them with the clock")
	fl.StringArrayVar(&c.TraceMatch, "include", nil, "functions that --prof trace counts, by `pattern` as of tare trace; repeatable (default: all of the package)")
	fl.StringArrayVar(&c.TraceSkip, "exclude", nil, "functions that --prof trace leaves alone, by `pattern`; repeatable")
	deprecateFlag(fl, "trace-match", "include")
	deprecateFlag(fl, "trace-skip", "exclude")
	fl.BoolVar(&c.Deep, "deep", false, "build package testing with hooks: exact allocations, GC cycles, marks for profilers")
	confidenceFlag(fl, &c.Confidence, "of a benchmark's own interval")
	fl.BoolVar(&f.quick, "quick", false, "a first impression: --forks 6 --warmup 1 --iterations 1 --time 20ms")
	fl.StringVar(&f.resume, "resume", "", "go on with the run of this record `file`")
	fl.BoolVar(&f.dryRun, "dry-run", false, "print the plan and how long it takes, and stop")
	fl.BoolVar(&f.noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.BoolVar(&f.strict, "strict", false, "exit 4 if any result carries a warning")
	fl.StringVar(&f.progress, "progress", "auto", "auto, plain or none")
	f.show.register(fl, true)
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

// config checks the flags and returns the configuration. The error names all
// contradictions.
func (f *benchFlags) config(cmd *cobra.Command, packages []string) (record.Config, error) {
	f.applyQuick(cmd)
	c := f.cfg
	c.Timeout = f.timeout
	c.Packages = packages
	if len(packages) == 0 {
		c.Packages = []string{"."}
	}
	var wrong []string
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	for _, n := range []struct {
		name string
		v, m int
	}{{"forks", c.Forks, 1}, {"warmup", c.Warmup, 0}, {"iterations", c.Iterations, 1}} {
		if n.v < n.m {
			bad("--%s %d is less than %d", n.name, n.v, n.m)
		}
	}
	for _, d := range []struct {
		name string
		v    time.Duration
		set  bool
	}{{"time", c.Time, true}, {"timeout", c.Timeout, cmd.Flags().Changed("timeout")}, {"budget", c.Budget, cmd.Flags().Changed("budget")}} {
		if d.set && d.v <= 0 {
			bad("--%s %s is not above 0", d.name, d.v)
		}
	}
	for _, p := range []struct{ name, re string }{{"bench", c.Bench}, {"skip", c.Skip}} {
		if err := fork.CheckPattern(p.re); err != nil {
			bad("--%s %q: %v", p.name, p.re, err)
		}
	}
	f.checkWords(&c, bad)
	f.checkNumbers(cmd, &c, bad)
	f.checkSides(cmd, &c, bad)
	f.checkProf(cmd, &c, bad)
	if len(wrong) > 0 {
		return c, usageError(fmt.Errorf("%s", strings.Join(wrong, "; ")), "")
	}
	return c, nil
}

var fixedN = regexp.MustCompile(`^[1-9][0-9]{0,11}x$`)

func (f *benchFlags) checkWords(c *record.Config, bad func(string, ...any)) {
	if c.Benchtime != "" && !fixedN.MatchString(c.Benchtime) {
		bad("--benchtime %q is not a count such as 100x; for a duration use --time", c.Benchtime)
	}
	switch c.Mode {
	case "", record.ModeN, record.ModeTime:
	case "n":
		c.Mode = record.ModeN
	default:
		bad("--mode %q is neither N nor time", c.Mode)
	}
	if c.Mode == record.ModeTime && c.Benchtime != "" {
		bad("--mode time and --benchtime %s contradict each other", c.Benchtime)
	}
	switch c.Order {
	case plan.Interleaved, plan.Grouped:
	default:
		bad("--order %q is neither interleaved nor grouped", c.Order)
	}
	if c.GOGC != "" && c.GOGC != "off" {
		if n, err := strconv.Atoi(c.GOGC); err != nil || n < 0 {
			bad("--gogc %q is neither a percentage nor off", c.GOGC)
		}
	}
	if c.MemoryLimit != "" {
		if n, err := session.ParseSize(c.MemoryLimit); err != nil {
			bad("--memory-limit: %v", err)
		} else {
			c.MemoryLimit = strconv.FormatInt(n, 10)
		}
	}
	for _, kv := range c.Setenv {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			bad("--env %q is not of the form K=V", session.MaskWord(kv))
		}
	}
}

func (f *benchFlags) checkNumbers(cmd *cobra.Command, c *record.Config, bad func(string, ...any)) {
	if f.cpu == "" {
		c.CPU = []int{defaultProcs(c.Setenv)}
	} else {
		for _, s := range strings.Split(f.cpu, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || n < 1 {
				bad("--cpu %q is not a list of numbers above 0", f.cpu)
				break
			}
			c.CPU = append(c.CPU, n)
		}
	}
	if !(c.Confidence > 0 && c.Confidence < 1) {
		bad("--confidence %v is not between 0 and 1", c.Confidence)
	}
	if f.precision != "" {
		p, err := session.ParseShare(f.precision)
		if err != nil {
			bad("--precision: %v", err)
		}
		c.Precision = p
		if c.Order == plan.Grouped {
			bad("--precision needs --order interleaved: it looks at all benchmarks after each round")
		}
		if !cmd.Flags().Changed("forks") {
			c.Forks = plan.MaxRounds
		}
	}
	if _, err := record.ParseSeed(f.seed); cmd.Flags().Changed("seed") && err != nil {
		bad("--seed: %v", err)
	}
	if c.Confidence > 0 && c.Confidence < 1 && c.Precision == 0 && c.Forks > 0 && !f.quick && cmd.Flags().Changed("confidence") {
		if need := stat.MinSamples(c.Confidence); c.Forks < need {
			bad("a %g %% interval needs at least %d forks, --forks is %d", 100*c.Confidence, need, c.Forks)
		}
	}
}

// defaultProcs returns the GOMAXPROCS of forks that are given none.
func defaultProcs(setenv []string) int {
	for _, kv := range setenv {
		if v, ok := strings.CutPrefix(kv, "GOMAXPROCS="); ok {
			if n, err := strconv.Atoi(v); err == nil && n > 0 {
				return n
			}
		}
	}
	return runtime.GOMAXPROCS(0)
}
