package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/job"
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
	runFlags
	job    job.Bench // its forks are those of a window
	show   string
	output outputFlags
	strict bool
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
		short:    "Say which changes this machine can detect",
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
			return f.measure(cmd, s, args)
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
	j := &f.job
	*j = selftestJob()
	flags.Job(fl, j.Options(), job.OnSelftest)
	flags.Describe(fl, "budget", "measure for this time")
	flags.Describe(fl, "time", "wall time of an iteration")
	fl.IntVar(&j.Forks, "window", selftestWindow, "forks a side in a window, and -test.count of the usual way")
	fl.StringVar(&f.show, "show", "", "measure nothing: print the self-test recorded in this `file`, - for standard input")
	flags.Strict(fl, &f.strict, "the machine is not shown to be fit")
	flags.Daily(fl, "window", "show", "strict")
	f.runFlags.register(fl)
	f.output.formats, f.output.suffixes = textFormats, textSuffixes
	f.output.register(fl, "also print the warnings of the run")
}

// selftestJob returns what a self-test measures by default.
func selftestJob() job.Bench {
	j := job.DefaultBench()
	j.Forks, j.Iterations, j.Time, j.Budget, j.ShortIterations = selftestWindow, 1, selftestTime, selftestBudget, false
	return j
}

// plan checks the flags and returns what is measured. The error names all contradictions. builtin reports that no
// benchmarks were named.
func (f *selftestFlags) plan(cmd *cobra.Command, packages []string) (run record.Run, builtin bool, err error) {
	p := &problems{}
	if least, n := stat.MinForks(stat.DefaultConfidence), f.job.Forks; n < least || n > aatest.MaxWindow {
		p.Add("--window %d is not between %d and %d: with fewer forks no difference can be significant", n, least, aatest.MaxWindow)
	}
	f.job.Given = flags.GivenTo(cmd.Flags())
	builtin = len(packages) == 0 && !f.job.Given["bench"]
	run, err = selftestPlan(f.job, packages, builtin)
	p.AddError(err)
	_, err = f.output.check()
	p.AddError(err)
	return run, builtin, p.Err()
}

// selftestPlan returns the head of the record of a self-test.
func selftestPlan(j job.Bench, packages []string, builtin bool) (record.Run, error) {
	switch {
	case builtin:
		j.Packages, j.Bench = benchrun.BuiltinSelftest()
	case len(packages) > 0:
		j.Packages = packages
	}
	run, err := j.Plan()
	run.Kind, run.Config.Order = record.KindSelftest, aatest.Order
	return run, err
}
