package cli

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/profiler/asm"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/listing"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// asmFlags are the flags of tare asm as they are typed.
type asmFlags struct {
	bench   benchFlags // of benchmarks: those that make sense here
	compare bool

	sampler asmSampler
	delay   time.Duration
	length  time.Duration

	list listingFlags
	show showFlags
}

const asmLong = `tare asm prints the machine code in which a program spends its time: its hottest
regions, instruction by instruction, with the source lines and the functions that
were inlined there, and the jumps between them; then the hottest functions, and the
areas of the program. Every sample is in exactly one line of each list.

What is sampled: benchmarks (of the packages that are named, or of the current
directory), any command behind --, or what another tool has sampled: a CPU profile
of Go or the text of perf script, with the program's file behind it. A record of
tare asm or of tare bench --prof asm is shown again, or what --bench names of it.
What a command prints goes to stderr: stdout is for the listing. Of JSON there is an
object for each benchmark, in a line.

Samples are taken of the processor's cycles where it lets us, else of CPU time, else
by Go's own profiler; the first lines say which, why not the better one, and what it
cost. Of benchmarks only samples inside of the measured iterations count.`

const asmExample = `  tare asm --bench 'SortInt1K$' sort
  tare asm --bench 'SortInt1K$' --func 'insertionSort' --margin 4 sort
  tare asm --bench 'Encode/size=1k' --compare --against main
  tare asm -- ./server -selftest
  tare asm cpu.pprof ./server
  perf script | tare asm - ./server`

func newAsm(s streams) *cobra.Command {
	f := &asmFlags{}
	cmd := &cobra.Command{
		Use:     "asm [flags] [packages | FILE [BINARY] | -- COMMAND [ARG...]]",
		Short:   "Show the hottest machine code of a benchmark, a command or a profile",
		Long:    asmLong,
		Example: asmExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

// Of asm's own forks of a benchmark: at the default rate they make some 2000 samples.
const (
	asmForks      = 3
	asmIterations = 2
	asmTime       = 350 * time.Millisecond
)

func (f *asmFlags) register(fl *pflag.FlagSet) {
	fl.SortFlags = false
	b, c := &f.bench, &f.bench.cfg
	fl.StringVar(&c.Bench, "bench", ".", "sample benchmarks that match this `regexp`, as go test -bench")
	fl.StringVar(&c.Skip, "skip", "", "leave out benchmarks that match this `regexp`")
	fl.StringVar(&c.Filter, "filter", "", "choose by an `expression` of benchproc: /size:4k, .name:/Sort/, -pkg:x")
	fl.StringVar(&b.cpu, "cpu", "", "`list` of GOMAXPROCS values, each its own case: 1,2,4")
	fl.IntVar(&c.Forks, "forks", asmForks, "forks per benchmark that are sampled, and as many that are timed")
	fl.IntVar(&c.Iterations, "iterations", asmIterations, "measured iterations per fork")
	fl.DurationVar(&c.Time, "time", asmTime, "wall time of an iteration")
	fl.StringVar(&c.Benchtime, "benchtime", "", "fix the operations per iteration: `Nx`")
	fl.DurationVar(&b.timeout, "timeout", 0, "wall time after which a fork is killed (default 10 times the expected time, at least 1m)")
	fl.StringArrayVar(&c.Setenv, "env", nil, "set a variable for what is sampled: `K=V`, repeatable")
	fl.StringVar(&c.Tags, "tags", "", "build tags, comma-separated")
	fl.StringVar(&b.seed, "seed", "", "`seed` of the order, hexadecimal (default: drawn and printed)")
	fl.BoolVar(&f.compare, "compare", false, "show two sides of a benchmark beside each other, or two records")
	b.sides.register(fl)
	fl.StringSliceVar(&f.sampler.events, "events", nil, "`list` of what to sample, the first decides what is hot: cycles, cpu-clock, … (default: the best there is)")
	fl.IntVar(&f.sampler.frequency, "frequency", 0, "samples per second of CPU time (default 997, with --detail 3989)")
	fl.BoolVar(&f.sampler.detail, "detail", false, "sample four times as often, at four times the cost")
	fl.DurationVar(&f.delay, "delay", 0, "of a command: count samples only after this wall time")
	fl.DurationVar(&f.length, "duration", 0, "of a command: count samples for this wall time (default: to its end)")
	deprecateFlag(fl, "length", "duration")
	f.list.register(fl)
	fl.BoolVar(&b.dryRun, "dry-run", false, "print the plan and how long it takes, and stop")
	fl.BoolVar(&b.noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.StringVar(&b.progress, "progress", "auto", "auto, plain or none")
	f.show.register(fl, true, withoutListing()...)
	fl.Lookup("output").Usage = "write records to `FILE` (.jsonl), or the listing (.txt, .json)"
	fl.MarkHidden("verbose")
}

// asmSampler says what is sampled, and how often.
type asmSampler struct {
	events    []string
	frequency int
	detail    bool
}

func (s asmSampler) config() asm.Config {
	c := asm.Config{Events: s.events, Frequency: s.frequency}
	if s.detail && s.frequency == 0 {
		c.Frequency = asm.Detailed
	}
	return c
}

// listingFlags say what a listing shows.
type listingFlags struct {
	hot                        string // a share
	top, margin, merge, tooBig int
	counts, syntax, fn         string
}

func (f *listingFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.hot, "hot", "10%", "print the code of regions with more than this `share` of the samples")
	fl.IntVar(&f.top, "top", listing.DefaultTop, "rows of each list; 0 for all")
	fl.IntVar(&f.margin, "margin", listing.DefaultMargin, "instructions around a region")
	fl.IntVar(&f.merge, "merge", listing.DefaultMerge, "join regions that are at most so many instructions apart")
	fl.IntVar(&f.tooBig, "too-big", listing.DefaultTooBig, "do not print regions of more instructions; 0 prints all")
	fl.StringVar(&f.counts, "counts", string(listing.Percent), "percent, raw, or perop: ns of CPU time per operation")
	fl.StringVar(&f.syntax, "syntax", string(listing.Go), "go, intel or att")
	fl.StringVar(&f.fn, "func", "", "print functions that match this `regexp` whole, whatever their share")
}

// config checks the flags. All contradictions are told at once.
func (f *listingFlags) config() (listing.Config, error) {
	var errs []error
	number := func(flag string, n int) int {
		switch {
		case n < 0:
			errs = append(errs, fmt.Errorf("--%s %d is less than 0", flag, n))
		case n == 0:
			return -1 // what a Config has for none, or no limit
		}
		return n
	}
	hot, err := parseHot(f.hot)
	if err != nil {
		errs = append(errs, err)
	}
	c := listing.Config{
		Hot: hot, Top: number("top", f.top), Margin: number("margin", f.margin), Merge: number("merge", f.merge), TooBig: number("too-big", f.tooBig),
		Counts: listing.Counts(f.counts), Syntax: listing.Syntax(f.syntax),
	}
	if f.fn != "" {
		re, err := regexp.Compile(f.fn)
		if err != nil {
			errs = append(errs, fmt.Errorf("--func: %w", err))
		}
		c.Func = re
	}
	if err := c.Validate(); err != nil {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return c, usageError(err, "")
	}
	return c, nil
}

// run finds out what is to be sampled, or shown.
func (f *asmFlags) run(cmd *cobra.Command, st streams, args []string) error {
	p, err := f.printer()
	if err != nil {
		return err
	}
	p.chosen = cmd.Flags().Changed("counts")
	switch n := cmd.ArgsLenAtDash(); {
	case n > 0:
		return usageError(fmt.Errorf("asm: %s before --", strings.Join(args[:n], " ")), "name packages or a command, not both")
	case n == 0:
		return f.ofCommand(cmd, st, args, p)
	case len(args) > 0 && isFile(args[0]):
		return f.ofFiles(cmd, st, args, p)
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if f.delay != 0 || f.length != 0 {
		return usageError(errors.New("--delay and --duration are for commands"), "of a benchmark the measured iterations count: see --time and --iterations")
	}
	return f.ofBenchmarks(cmd, st, args, p)
}

// ofBenchmarks is tare bench with asm as its profiler and another way to show it.
func (f *asmFlags) ofBenchmarks(cmd *cobra.Command, st streams, args []string, p *asmPrinter) error {
	b := &f.bench
	b.prof, b.precision, b.threshold = asm.Name, "", "3%"
	c := &b.cfg
	c.Warmup, c.Order, c.Correction, c.Confidence, c.ProfForks = 1, plan.Interleaved, result.BenjaminiHochberg, stat.DefaultConfidence, c.Forks
	b.show = f.show
	r := newBenchRun(st, b)
	r.config.Run.Kind, r.config.Sampler, r.config.Only = record.KindAsm, f.sampler.config(), asm.Name
	if err := r.config.Sampler.Validate(); err != nil {
		return usageError(err, "")
	}
	r.show = func(w io.Writer, format render.Format, sum *result.Result, recordPath string) error {
		p.record = recordPath
		return p.summary(w, format, sum)
	}
	if err := f.checkCompare(cmd); err != nil {
		return err
	}
	p.compare = f.compare
	return r.run(cmd, args)
}

// checkCompare refuses --compare where there is nothing to compare. Who names two sides
// wants to see them beside each other, unless --compare=false.
func (f *asmFlags) checkCompare(cmd *cobra.Command) error {
	sides, err := f.bench.sides.specs()
	switch {
	case err != nil:
		return usageError(err, "")
	case f.compare && len(sides) != 2:
		return usageError(fmt.Errorf("--compare shows two sides, and there are %d", max(1, len(sides))), "name the other by --against REVISION or --side NAME=DIR")
	}
	if !cmd.Flags().Changed("compare") {
		f.compare = len(sides) == 2
	}
	return nil
}
