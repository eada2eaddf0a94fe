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

const sampleLong = `tare sample looks at a program every now and then, and says where it was found: its
hot functions by themselves and with what they call, what its goroutines waited for,
what looking cost, and what cannot be seen that way.

Of a program that tare builds, all goroutines are looked at from within, by the clock
(--wall) or by CPU time (--cpu): that of the package that is named, or of the current
directory, with its arguments behind --; or go run and go test, as you would type them,
behind --. Any other command behind -- is looked at by the kernel's perf events, by CPU
time. A process that serves net/http/pprof is looked at by its address (--url): by the
clock that underestimates what runs, because it answers when a processor is free; by
CPU time (--cpu --url) it does not.

From within, --cpu reads Go's CPU profiler, of which there is one. A program that
profiles itself meanwhile (runtime/pprof, /debug/pprof/profile, go test -cpuprofile)
goes on, its own profile is empty, and that is said.

The program's standard input is empty, and what it prints goes to standard error:
standard output is for the result. However it ends, what was seen is shown. A call that
is shorter than the interval is seen with a probability of its length by the interval;
tare trace counts them all.

A record of tare sample, or of tare bench --prof sample, is shown again.

-o writes records (.jsonl), the result (.json, .txt), a profile for go tool pprof
(.pb.gz), collapsed stacks (.folded), or a flame graph (.svg).`

const sampleExample = `  tare sample ./cmd/server -- -addr :8080
  tare sample --cpu --interval 1ms -o cpu.svg .
  tare sample -- go test -bench 'SortInt1K$' sort
  tare sample -- ./server -selftest
  tare sample --url http://127.0.0.1:6060 --length 10s
  tare sample --path result.jsonl`

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
		Short:   "Look where a program is, every now and then",
		Long:    sampleLong,
		Example: sampleExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.look.register(fl)
	fl.StringVar(&f.url, "url", "", "look at the process that serves net/http/pprof at this `address`, for --length (default 10s)")
	f.show.register(fl)
	f.watch.register(fl)
	return cmd
}

// lookFlags say how a program is looked at.
type lookFlags struct {
	interval  time.Duration
	cpu, wall bool
}

var ofLooking = []string{"interval", "cpu", "wall", "url"}

func (f *lookFlags) register(fl *pflag.FlagSet) {
	fl.DurationVar(&f.interval, "interval", 10*time.Millisecond, "time from look to look; with --cpu, of CPU time")
	fl.BoolVar(&f.wall, "wall", false, "by the clock: all goroutines, whether they run or wait (default, but for commands that tare does not build)")
	fl.BoolVar(&f.cpu, "cpu", false, "by CPU time: what runs")
}

func (f *lookFlags) config() (sample.Config, error) {
	c := sample.Config{Interval: f.interval, Mode: record.SampledWall}
	if f.cpu && f.wall {
		return c, usageError(errors.New("--cpu and --wall are two ways to look"), "leave out one")
	}
	if f.cpu {
		c.Mode = record.SampledCPU
	}
	if f.interval == 0 {
		return c, usageError(errors.New("--interval 0s: looks need time between them"), "")
	}
	if err := c.Validate(); err != nil {
		return c, usageError(exit.TrimPrefix(err, "sample: "), "")
	}
	return c, nil
}

// run finds out what is to be looked at, or shown.
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
			if err := refuseFlags(cmd, "the process at --url looks 100 times in a second of CPU time", "interval"); err != nil {
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
			return usageError(errors.New("--wall looks from within, at what tare builds"), "name the package, or -- go run PACKAGE; of any command CPU time is seen: --cpu")
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
