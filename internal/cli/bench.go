package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// benchFlags are the flags of tare bench as they are typed.
type benchFlags struct {
	runFlags
	job     job.Bench
	resume  string
	dryRun  bool
	list    bool
	strict  bool
	gitExit bool // --bisect-exit
	live    live.Options
	output  outputFlags

	gates []string
	lost  gate.Lost // of tare ci
	team  teamFlags
	saved savedFlags
}

func newBenchFlags() *benchFlags { return &benchFlags{job: job.DefaultBench()} }

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

const benchExample = `  tare bench --bench 'SortInt1K|StableInt1K' sort
  tare bench --against main --gate slower:5% ./...
  tare bench --quick github.com/cespare/xxhash/v2@latest
  tare bench --precision 1% --budget 5m -o new.jsonl ./...
  tare bench --format benchfmt ./... | benchstat -
  tare bench --side-by impl --bench Sort ./...
  tare bench --short ./... -- -elems 5
  tare bench --save before && tare bench --against saved:before
  tare bench --live 127.0.0.1:0 ./...
  tare bench --resume new.jsonl`

func newBench(s streams) *cobra.Command {
	f := newBenchFlags()
	return verb{
		use:      "bench [flags] [packages] [-- FLAGS OF THE TEST BINARY]",
		short:    "Run Go benchmarks as interleaved forks",
		long:     benchLong,
		example:  benchExample,
		register: f.register,
		run: func(cmd *cobra.Command, args []string) error {
			if !f.gitExit {
				return f.measure(cmd, s, args)
			}
			if len(f.gates) == 0 {
				return usageError(errors.New("--bisect-exit needs what makes a commit bad: --gate slower:5%, with --against REV"), "")
			}
			return bisectExit(s.err, f.measure(cmd, s, args))
		},
	}.command()
}

func (f *benchFlags) measure(cmd *cobra.Command, s streams, args []string) error {
	if err := f.takeSaved(); err != nil {
		return err
	}
	if f.resume == "" { // else the record says how it goes on
		if err := f.team.apply(cmd, f.skipWithoutSides); err != nil {
			return err
		}
	}
	if f.team.show {
		f.job.Given = flags.GivenTo(cmd.Flags())
		f.job.Complete()
		return f.team.print(s, cmd.Flags())
	}
	return newBenchRun(s, f).run(cmd, args)
}

func (f *benchFlags) register(fl *pflag.FlagSet) {
	flags.Job(fl, f.job.Options(), job.OnBench)
	fl.StringVar(&f.resume, "resume", "", "go on with the run of this record `file`")
	fl.BoolVar(&f.list, "list", false, "print the names of all benchmarks, which one operation of each tells, and stop")
	fl.BoolVar(&f.gitExit, "bisect-exit", false, "exit codes for git bisect run: 0 good, 1 if a --gate is missed, 125 (skip) if a gate is not decided, or the commit cannot be measured, 128 (abort) for unknown flags")
	f.registerRun(fl)
	f.registerJudging(fl)
	f.saved.register(fl)
	registerLive(fl, &f.live)
	f.output.formats, f.output.suffixes = append(render.Formats(), render.Callgrind), countedSuffixes()
	f.output.register(fl, tableDetails)
}

// registerRun adds the flags of every run of benchmarks that do not say what is measured.
func (f *benchFlags) registerRun(fl *pflag.FlagSet) {
	f.runFlags.register(fl)
	flags.DryRun(fl, &f.dryRun)
}

// registerJudging adds the flags of verbs that judge a comparison.
func (f *benchFlags) registerJudging(fl *pflag.FlagSet) {
	flags.Gates(fl, &f.gates, "a side")
	flags.Strict(fl, &f.strict, "any result carries a warning")
	f.team.register(fl)
}

// take takes packages, the flags of the test binaries, which stand behind --, and which options were given.
func (f *benchFlags) take(cmd *cobra.Command, args []string) {
	f.job.Given = flags.GivenTo(cmd.Flags())
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		args, f.job.Args = args[:n], args[n:]
	}
	if f.job.Packages = args; len(args) == 0 {
		f.job.Packages = f.team.packages()
	}
}

// plan checks the flags and returns what is measured. The error names all contradictions.
func (f *benchFlags) plan(cmd *cobra.Command, args []string) (record.Run, error) {
	f.take(cmd, args)
	p := &problems{}
	if _, err := gate.Parse(f.gates); err != nil {
		p.AddError(err)
	}
	if f.job.Given["gate"] && !f.compares() {
		p.Add("--gate needs sides to compare: --against REV, or --side NAME=DIR")
	}
	run, err := f.job.Plan()
	p.AddError(err)
	return run, p.Err()
}
