package cli

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Defaults of the flags.
const (
	selftestWindow = 10
	selftestTime   = 20 * time.Millisecond
	selftestBudget = 2 * time.Minute
)

// selftestFlags are the flags of tare selftest as they are typed.
type selftestFlags struct {
	bench, skip, tags string
	window            int
	time, budget      time.Duration
	seed              string
	show              string
	output            outputFlags
	progress          string
	strict            bool
	lock              session.LockMode
}

const selftestLong = `tare selftest measures the same binary against itself on this machine and counts
how often it is called different: by tare's interleaved forks, and in the usual
way, by one process with -test.count before and another after. It says which
change this machine finds, what would help, and whether it is fit.

Without packages and --bench a built-in set is measured:
%s
Otherwise the first %d benchmarks that match. The two ways alternate in blocks of
one window each, so that both run under the same conditions. A window has --window
forks of (1+1) short iterations per side, or as many iterations of one process per
side. Both ways measure the same time per side. Forks also need time to start and to
warm up, so that they get more than half of --budget. Each way needs at least %d
windows.

A machine is called fit unless the interval of this way's false positives lies
above 5 %%, or the smallest change found 8 times of 10 with what tare bench does
by default is above 10 %%. With --strict the exit code is 4 unless the machine is fit.`

const selftestExample = `  tare selftest
  tare selftest --budget 5m --bench SortInt1K sort
  tare selftest -o self.jsonl ./...
  tare selftest --show self.jsonl`

func newSelftest(s streams) *cobra.Command {
	f := &selftestFlags{}
	return verb{
		use:      "selftest [flags] [packages]",
		short:    "Measure a binary against itself: which changes can this machine detect?",
		long:     fmt.Sprintf(selftestLong, builtinLines(), benchrun.MaxSelftested, aatest.Needed),
		example:  selftestExample,
		register: f.register,
		run: func(cmd *cobra.Command, args []string) error {
			if f.show != "" {
				return f.again(cmd, s, args)
			}
			if n := cmd.ArgsLenAtDash(); n >= 0 && len(args) > n {
				return usageError(fmt.Errorf("selftest: -- %s: flags of the test binary are for tare bench", strings.Join(redact.Args(args[n:]), " ")), "leave them out, or choose benchmarks that need none: --bench REGEXP")
			}
			return f.run(cmd, s, args)
		},
	}.command()
}

// builtinLines lists the built-in set for the help text.
func builtinLines() string {
	var b strings.Builder
	for _, x := range aatest.Builtin() {
		fmt.Fprintf(&b, "  %-10s %-17s %s\n", x.Pkg, x.Name, x.Why)
	}
	return b.String()
}

func (f *selftestFlags) register(fl *pflag.FlagSet) {
	flags.Bench(fl, &f.bench, &f.skip)
	flags.Tags(fl, &f.tags)
	fl.DurationVar(&f.budget, "budget", selftestBudget, "measure for this time")
	fl.IntVar(&f.window, "window", selftestWindow, "forks a side in a window, and -test.count of the usual way")
	fl.DurationVar(&f.time, "time", selftestTime, "wall time of an iteration")
	flags.Seed(fl, &f.seed, "the order")
	fl.StringVar(&f.show, "show", "", "measure nothing: print the self-test recorded in this `file`, - for standard input")
	flags.Rename(fl, "from", "show")
	flags.Lock(fl, &f.lock.NoWait, &f.lock.NoLock)
	flags.Strict(fl, &f.strict, "the machine is not shown to be fit")
	flags.Progress(fl, &f.progress)
	f.output.formats, f.output.suffixes = textFormats, textSuffixes
	f.output.register(fl, "also print the warnings of the run")
}

// config checks the flags and returns the configuration. The error names all
// contradictions. builtin reports that no benchmarks were named.
func (f *selftestFlags) config(cmd *cobra.Command, packages []string) (c record.Config, builtin bool, err error) {
	p := &problems{}
	if least := stat.MinForks(stat.DefaultConfidence); f.window < least || f.window > aatest.MaxWindow {
		p.Add("--window %d is not between %d and %d: with fewer forks no difference can be significant", f.window, least, aatest.MaxWindow)
	}
	if f.time <= 0 {
		p.Add("--time %s is not above 0", f.time)
	}
	if f.budget <= 0 {
		p.Add("--budget %s is not above 0", f.budget)
	}
	p.patterns(f.bench, f.skip)
	p.seed(cmd, f.seed)
	_, err = f.output.check()
	p.AddError(err)
	if err := p.Err(); err != nil {
		return c, false, err
	}
	builtin = len(packages) == 0 && !cmd.Flags().Changed("bench")
	return f.resolved(packages, builtin), builtin, nil
}

// resolved returns the configuration of flags that were checked.
func (f *selftestFlags) resolved(packages []string, builtin bool) record.Config {
	c := record.Config{
		Packages: packages, Bench: f.bench, Skip: f.skip, Tags: f.tags, CPU: []int{benchrun.DefaultProcs(nil)},
		Forks: f.window, Warmup: 1, Iterations: 1, Time: f.time, Budget: f.budget,
		Order: aatest.Order, Confidence: stat.DefaultConfidence, Test: record.TestSavage,
	}
	switch {
	case builtin:
		c.Packages, c.Bench = benchrun.BuiltinSelftest()
	case len(packages) == 0:
		c.Packages = []string{"."}
	}
	return c
}

// drawSeed returns the seed that was asked for, or draws one.
func drawSeed(text string) record.Seed {
	if text == "" {
		return record.Seed(rand.Uint32())
	}
	seed, _ := record.ParseSeed(text) // checked with the other flags
	return seed
}
