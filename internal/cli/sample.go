package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/profiler/sample"
	"github.com/tarebench/tare/internal/profrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

const sampleName = "sample" // of the purpose of its forks, and of the profiler

const sampleLong = `tare sample takes samples of the stacks of a program, and prints its hot functions, alone
and with the functions they call, what its goroutines waited for, what sampling cost,
and what it cannot see.

A program that tare builds is sampled from within, with all its goroutines, by wall time
(--wall) or CPU time (--cpu-time). It is that of the package that is named, or of the
current directory, with its arguments behind --. Or type go run or go test as usual,
behind --. Any other command behind -- is sampled by the kernel's perf events, by CPU
time. A process that serves net/http/pprof is sampled by its address (--url). By wall
time this underestimates what runs, because the process answers when a processor is
free. With --cpu-time it does not.

From within, --cpu-time uses Go's CPU profiler, of which there is only one. If the program
profiles itself at the same time (runtime/pprof, /debug/pprof/profile, go test
-cpuprofile), its own profile is empty, and a warning says so.

The program's standard input is empty. Its output goes to standard error, because
standard output is for the result. The samples are shown however the program ends. A
call that is shorter than the interval is seen with a probability of its duration
divided by the interval; tare trace counts every call.

A FILE is a record of tare sample, or of tare bench --prof sample, to show again.

-o writes records (.jsonl), the result (.json, .txt), a profile for go tool pprof
(.pb.gz), collapsed stacks (.folded), or a flame graph (.svg).`

const sampleExample = `  tare sample ./cmd/server -- -addr :8080
  tare sample --cpu-time --sample-interval 1ms -o cpu.svg .
  tare sample -- go test -bench 'SortInt1K$' sort
  tare sample -- ./server -selftest
  tare sample --url http://127.0.0.1:6060 --duration 10s
  tare sample --show-paths result.jsonl`

// sampleFlags are the flags of tare sample as they are typed.
type sampleFlags struct {
	look  lookFlags
	show  profileFlags
	url   string
	watch watchFlags
}

func newSample(s streams) *cobra.Command {
	f := &sampleFlags{}
	f.watch.out.suffixes = profileSuffixes
	cmd := &cobra.Command{
		Use:     "sample [flags] [package [-- ARG...] | -- COMMAND [ARG...] | --url URL | FILE]",
		Short:   "Sample where a program spends its time",
		Long:    sampleLong,
		Example: sampleExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.look.register(fl)
	fl.StringVar(&f.url, "url", "", "sample the process that serves net/http/pprof at this `address`, for --duration (default 10s)")
	f.show.register(fl)
	f.watch.register(fl)
	return cmd
}

// lookFlags say how a program is sampled.
type lookFlags struct {
	interval  time.Duration
	cpu, wall bool
}

var ofLooking = []string{"sample-interval", "cpu-time", "wall", "url"}

func (f *lookFlags) register(fl *pflag.FlagSet) {
	fl.DurationVar(&f.interval, "sample-interval", 10*time.Millisecond, "time from sample to sample; with --cpu-time, of CPU time")
	fl.BoolVar(&f.wall, "wall", false, "sample by wall time: all goroutines, running or waiting (default for programs that tare builds)")
	fl.BoolVar(&f.cpu, "cpu-time", false, "sample by CPU time: what runs (default for other commands)")
	deprecateFlag(fl, "interval", "sample-interval")
	deprecateFlag(fl, "cpu", "cpu-time")
}

func (f *lookFlags) config() (sample.Config, error) {
	c := sample.Config{Interval: f.interval, Mode: record.SampledWall}
	if f.cpu && f.wall {
		return c, usageError(errors.New("--cpu-time and --wall exclude each other"), "leave out one")
	}
	if f.cpu {
		c.Mode = record.SampledCPU
	}
	if f.interval == 0 {
		return c, usageError(errors.New("--sample-interval 0s is not above 0"), "")
	}
	if err := c.Validate(); err != nil {
		return c, usageError(exit.TrimPrefix(err, "sample: "), "")
	}
	return c, nil
}

// run finds out what is sampled, or shown.
func (f *sampleFlags) run(cmd *cobra.Command, st streams, args []string) error {
	if err := f.watch.check(); err != nil {
		return err
	}
	if err := f.show.check(); err != nil {
		return err
	}
	dash := cmd.ArgsLenAtDash()
	remote := cmd.Flags().Changed("url")
	if dash < 0 && !remote && len(args) > 0 && isRecordFile(args[0]) {
		if err := refuseFlags(cmd, "a record is shown as it is", append(ofRun, ofLooking...)...); err != nil {
			return err
		}
		return f.watch.ofRecord(st, args, f.show.views)
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if err := refuseFlags(cmd, "it chooses from a record of benchmarks", "bench"); err != nil {
		return err
	}
	cfg, err := f.look.config()
	if err != nil {
		return err
	}
	if remote {
		if err := sample.CheckAddress(f.url); err != nil {
			return usageError(exit.TrimPrefix(err, "sample: "), "")
		}
		if len(args) > 0 {
			return usageError(fmt.Errorf("--url, and %s: which one?", strings.Join(session.MaskArgs(args), " ")), "leave out one")
		}
		if err := refuseFlags(cmd, "the process at --url runs already", "tags", "env", "no-wait"); err != nil {
			return err
		}
		if f.look.cpu {
			if err := refuseFlags(cmd, "the process at --url takes 100 samples in a second of CPU time", "sample-interval"); err != nil {
				return err
			}
		}
		f.watch.remote = true
		cfg.Length, f.watch.length = f.watch.length, 0
		return f.sample(st, func(r *profrun.Runner) (*profrun.Sampled, error) { return r.SampleURL(f.url, cfg) })
	}
	t, err := f.watch.target(cmd, args)
	if err != nil {
		return err
	}
	if t == nil {
		if f.look.wall {
			return usageError(errors.New("--wall needs a program that tare builds"), "name the package, or -- go run PACKAGE; --cpu-time takes any command")
		}
		cfg.Mode = record.SampledCPU
		return f.sample(st, func(r *profrun.Runner) (*profrun.Sampled, error) { return r.SampleCommand(args, cfg) })
	}
	return f.sample(st, func(r *profrun.Runner) (*profrun.Sampled, error) { return r.Sample(t, cfg, f.look.wall) })
}

// sample has a program sampled, and shows what was seen.
func (f *sampleFlags) sample(st streams, run func(*profrun.Runner) (*profrun.Sampled, error)) error {
	r, err := f.watch.start(st, sampleName)
	if err != nil {
		return err
	}
	defer r.close()
	s, err := run(r.Runner)
	if err != nil {
		return r.Abort(err)
	}
	r.Finish()
	v, err := render.StackView(&s.How, s.Profile, s.Title, f.show.options())
	if err != nil {
		return failed(err, "")
	}
	return f.watch.printRun(r, s.Ended, v)
}
