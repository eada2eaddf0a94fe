package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/subjects/listing"
	"github.com/tarebench/tare/record"
)

// asmFlags are the flags of tare asm as they are typed.
type asmFlags struct {
	bench   benchFlags  // of benchmarks: those that make sense here
	program job.Program // of a command, and how both are sampled
	compare bool        // two sides, or two records, are shown beside each other

	list listingFlags
	cfg  listing.Config // of list, once it was checked
}

const asmLong = `tare asm prints the machine code in which a program spends its time. First come
lists: the hottest regions, the hottest functions, and the areas of the program. Every
sample is in exactly one line of each list. Then come the hottest regions, instruction
by instruction, with the source lines and the functions that were inlined there, and the
jumps between them. The hottest region of your own code is always among them. Regions
of the runtime are one line each unless --runtime is given.

tare asm samples benchmarks (of the named packages, or of the current directory) or
any command after --. It also reads the samples of another tool: a CPU profile of Go,
or the text of perf script, each followed by the program's file. A record of tare asm
or of tare bench --prof asm is shown again; --bench selects from it. Two sides of a run, and
two records, are shown beside each other. The output of a command goes to stderr, because stdout is for the listing. JSON output has one object
per benchmark, each on a line of its own.

Samples are taken by hardware cycles if the machine has such a counter, else by CPU
time, else by Go's CPU profiler. The first lines say which, why no better one was
available, and the overhead. Of benchmarks, only samples of measured iterations count.`

const asmExample = `  tare asm --bench 'SortInt1K$' sort
  tare asm --bench 'SortInt1K$' --func 'insertionSort' --margin 4 sort
  tare asm --bench 'Encode/size=1k' --against main
  tare asm -- ./server -selftest
  tare asm cpu.pprof ./server
  perf script | tare asm - ./server
  tare asm old.jsonl new.jsonl`

func newAsm(s streams) *cobra.Command {
	f := &asmFlags{bench: benchFlags{job: job.DefaultBench()}, program: job.DefaultProgram(record.KindAsm)}
	return verb{
		use:      "asm [flags] [packages | FILE [BINARY] | -- COMMAND [ARG...]]",
		short:    "Show the hottest machine code of a benchmark or a program",
		long:     asmLong,
		example:  asmExample,
		register: f.register,
		run:      func(cmd *cobra.Command, args []string) error { return f.run(cmd, s, args) },
	}.command()
}

// Of asm's own forks of a benchmark: at the default rate they make some 2000 samples.
const (
	asmForks      = 3
	asmIterations = 2
	asmTime       = 350 * time.Millisecond
)

func (f *asmFlags) register(fl *pflag.FlagSet) {
	b := &f.bench
	b.job.Forks, b.job.Iterations, b.job.Time, b.job.Test = asmForks, asmIterations, asmTime, record.TestU
	flags.Job(fl, b.job.Options(), job.OnAsm)
	flags.Describe(fl, "forks", "forks per benchmark that are sampled, and as many that are timed")
	flags.Describe(fl, "iterations", "measured iterations per fork")
	flags.Describe(fl, "env", "set a variable for what is sampled: `K=V`, repeatable")
	flags.Job(fl, f.program.Options(), job.OnAsm)
	flags.Describe(fl, "duration", "of a command: count samples for this wall time (default: to its end)")
	f.list.register(fl)
	b.registerRun(fl)
	b.output.formats, b.output.suffixes = listingFormats, listingSuffixes
	b.output.register(fl, "also print the warnings of the run that are not about the listing")
}

// run runs tare asm: it samples a program, or shows a record.
func (f *asmFlags) run(cmd *cobra.Command, st streams, args []string) (err error) {
	if f.cfg, err = f.list.config(cmd.Flags().Changed("counts")); err != nil {
		return err
	}
	switch n := cmd.ArgsLenAtDash(); {
	case n > 0:
		return usageError(fmt.Errorf("asm: %s before --", strings.Join(args[:n], " ")), "name packages or a command, not both")
	case n == 0:
		return f.measureCommand(cmd, st, args)
	case len(args) > 0 && input.IsFile(args[0]):
		return f.showFiles(cmd, st, args)
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if f.program.Delay != 0 || f.program.Duration != 0 {
		return usageError(errors.New("--delay and --duration are for commands"), "of a benchmark the measured iterations count: see --time and --iterations")
	}
	return f.measureBenchmarks(cmd, st, args)
}

// measureBenchmarks is tare bench with asm as its profiler and another way to show it.
func (f *asmFlags) measureBenchmarks(cmd *cobra.Command, st streams, args []string) error {
	b := &f.bench
	b.job.Profilers, b.job.ProfForks = []string{asm.Name}, b.job.Forks
	r := newBenchRun(st, b)
	r.kind, r.config.Sampler, r.config.Only = record.KindAsm, f.program.MachineCode(), asm.Name
	if err := r.config.Sampler.Validate(); err != nil {
		return usageError(err, "")
	}
	r.show = f.listing
	r.after = func(res *result.Result) { f.printNotes(st, res) }
	sides, err := b.job.Sides.List()
	if err != nil {
		return usageError(err, "")
	}
	f.compare = len(sides) == 2
	return r.run(cmd, args)
}
