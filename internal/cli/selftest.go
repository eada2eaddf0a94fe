package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/aatest"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/runner"
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
	from              string
	out, format       string
	progress          string
	noWait, strict    bool
}

const selftestLong = `tare selftest measures the same binary against itself on this machine and counts
how often it is called different: by tare's interleaved forks, and in the usual
way, by one process with -test.count before and another after. It says which
change this machine finds, what would help, and whether it is fit.

Without packages and --bench a built-in set is measured:
%s
Otherwise the first %d benchmarks that match. The two ways alternate in blocks of
one window each, so that both see the same weather; a window holds --window forks
of (1+1) short iterations a side, or as many iterations of one process a side.
The measured time of a side is the same both ways, and what forks need to start
and to warm up comes on top, so that they get more than half of --budget. At
least %d windows each way are needed.

A machine is called fit unless the interval of this way's false positives lies
above 5 %%, or the smallest change found 8 times of 10 with what tare bench does
by default is above 10 %%. With --strict whatever is not fit exits with 4.`

const selftestExample = `  tare selftest
  tare selftest --budget 5m --bench SortInt1K sort
  tare selftest -o self.jsonl ./...
  tare selftest --from self.jsonl`

func newSelftest(s streams) *cobra.Command {
	f := &selftestFlags{}
	cmd := &cobra.Command{
		Use:     "selftest [flags] [packages]",
		Short:   "Measure the same binary against itself: what is this machine good for?",
		Long:    fmt.Sprintf(selftestLong, builtinLines(), runner.MaxSelftested, aatest.Needed),
		Example: selftestExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.from != "" {
				return f.again(cmd, s, args)
			}
			return f.run(cmd, s, args)
		},
	}
	f.register(cmd.Flags())
	return cmd
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
	fl.SortFlags = false
	fl.StringVar(&f.bench, "bench", ".", "benchmarks that match this `regexp`, as go test -bench")
	fl.StringVar(&f.skip, "skip", "", "leave out benchmarks that match this `regexp`")
	fl.StringVar(&f.tags, "tags", "", "build tags, comma-separated")
	fl.DurationVar(&f.budget, "budget", selftestBudget, "measure for this time")
	fl.IntVar(&f.window, "window", selftestWindow, "forks a side in a window, and -test.count of the usual way")
	fl.DurationVar(&f.time, "time", selftestTime, "wall time of an iteration")
	fl.StringVar(&f.seed, "seed", "", "`seed` of the order, hexadecimal (default: drawn and printed)")
	fl.StringVar(&f.from, "from", "", "measure nothing: print the self-test recorded in this `file`, - for standard input")
	fl.BoolVar(&f.noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.BoolVar(&f.strict, "strict", false, "exit 4 if the machine is not shown to be fit")
	fl.StringVar(&f.progress, "progress", "auto", "auto, plain or none")
	oneOutput(fl, &f.out, "write records to `FILE` (.jsonl), or the result in the format its suffix names (.json .txt)")
	formatFlag(fl, &f.format, "text", "json")
}

// config checks the flags and returns the configuration. The error names all
// contradictions. builtin reports that no benchmarks were named.
func (f *selftestFlags) config(cmd *cobra.Command, packages []string) (c record.Config, builtin bool, err error) {
	var wrong []string
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if least := stat.MinForks(stat.DefaultConfidence); f.window < least || f.window > aatest.MaxWindow {
		bad("--window %d is not between %d (fewer values are never called different) and %d", f.window, least, aatest.MaxWindow)
	}
	if f.time <= 0 {
		bad("--time %s is not above 0", f.time)
	}
	if f.budget <= 0 {
		bad("--budget %s is not above 0", f.budget)
	}
	for _, p := range []struct{ name, re string }{{"bench", f.bench}, {"skip", f.skip}} {
		if err := fork.CheckPattern(p.re); err != nil {
			bad("--%s %q: %v", p.name, p.re, err)
		}
	}
	if _, err := record.ParseSeed(f.seed); cmd.Flags().Changed("seed") && err != nil {
		bad("--seed: %v", err)
	}
	f.checkShow(bad)
	if len(wrong) > 0 {
		return c, false, usageError(errors.New(strings.Join(wrong, "; ")), "")
	}
	builtin = len(packages) == 0 && !cmd.Flags().Changed("bench")
	return f.resolved(packages, builtin), builtin, nil
}

// checkShow checks how the result is to be shown.
func (f *selftestFlags) checkShow(bad func(string, ...any)) {
	if f.format != "" && f.format != string(render.Text) && f.format != string(render.JSON) {
		bad("--format %q is neither text nor json", f.format)
	}
	switch format, known := render.FormatOfPath(f.out); {
	case !known:
	case format != render.JSONL && format != render.JSON && format != render.Text:
		bad("-o %s: a self-test is written as .jsonl (records), .json or .txt", f.out)
	}
}

// resolved returns the configuration of flags that were checked.
func (f *selftestFlags) resolved(packages []string, builtin bool) record.Config {
	c := record.Config{
		Packages: packages, Bench: f.bench, Skip: f.skip, Tags: f.tags, CPU: []int{defaultProcs(nil)},
		Forks: f.window, Warmup: 1, Iterations: 1, Time: f.time, Budget: f.budget,
		Order: aatest.Order, Confidence: stat.DefaultConfidence,
	}
	switch {
	case builtin:
		c.Packages, c.Bench = builtinPatterns()
	case len(packages) == 0:
		c.Packages = []string{"."}
	}
	return c
}

// builtinPatterns returns the packages of the built-in set, and a pattern that
// matches its names.
func builtinPatterns() (packages []string, bench string) {
	var alternatives []string
	for _, x := range aatest.Builtin() {
		packages = append(packages, x.Pkg)
		alternatives = append(alternatives, fork.Pattern(x.Name))
	}
	return packages, strings.Join(alternatives, "|")
}

// drawSeed returns the seed that was asked for, or draws one.
func drawSeed(text string) record.Seed {
	if text == "" {
		return record.Seed(rand.Uint32())
	}
	seed, _ := record.ParseSeed(text) // checked with the other flags
	return seed
}
