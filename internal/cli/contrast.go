package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/calls"
	"github.com/tarebench/tare/record"
)

const contrastLong = `tare contrast runs a program under tare trace and again under tare sample, each in a
process of its own, and prints what both say about the functions that match side by
side: what sampling missed, what the probes distorted, and what each of them cost.

With --plain the program runs a third time, without a profiler. The cost is then the
difference in run time, and not only what the profilers say of themselves. Programs, patterns and outputs are those of
tare trace and tare sample; a record of tare contrast is shown again by each of the three.`

const contrastExample = `  tare contrast --include 'Demo.*' ./examples/watched
  tare contrast --include 'main.*' --sample-interval 1ms --plain . -- -n 1000
  tare contrast --include 'sort.*' --cpu-time -- go test -bench 'SortInt1K$' sort
  tare contrast both.jsonl`

// contrastFlags are the flags of tare contrast as they are typed.
type contrastFlags struct {
	programFlags
	probes  probeFlags
	sampler samplerFlags
	plain   bool
}

func newContrast(s streams) *cobra.Command {
	f := &contrastFlags{}
	return verb{
		use:     "contrast [flags] --include PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		short:   "Trace a program and sample it, side by side",
		long:    contrastLong,
		example: contrastExample,
		register: func(fl *pflag.FlagSet) {
			f.probes.register(fl)
			f.sampler.register(fl)
			fl.BoolVar(&f.plain, result.PurposePlain, false, "run it without a profiler, too, to measure what profiling costs")
			f.register(fl)
		},
		run: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args, programVerb{
				func() error { return nil }, slices.Concat([]string{result.PurposePlain}, probeFlagNames, samplerFlagNames), f.views, f.measure,
			})
		},
	}.command()
}

// measure has the target traced and sampled, and shows both beside each other.
func (f *contrastFlags) measure(cmd *cobra.Command, st streams, args []string) error {
	if err := f.probes.check(cmd); err != nil {
		return err
	}
	cfg := programrun.ContrastConfig{Trace: f.probes.config(calls.Config{}), Wall: f.sampler.wall, Plain: f.plain}
	var err error
	if cfg.Sample, err = f.sampler.config(); err != nil {
		return err
	}
	t, err := f.needTarget(cmd, args, "")
	if err != nil {
		return err
	}
	r, err := f.start(st, record.KindContrast)
	if err != nil {
		return err
	}
	defer r.Close()
	b, err := r.Contrast(t, cfg)
	if err != nil {
		return r.Abort(err)
	}
	r.Finish()
	c, err := calls.New(b.Trace, calls.Config{})
	if err != nil {
		return failed(err, "")
	}
	if b.Sampled == nil { // half of it is better than nothing
		return f.printRun(st, r, b.Ended, render.CallsView(c, b.Title))
	}
	x, err := calls.NewContrast(c, &b.Sampled.How, b.Sampled.Profile, calls.Runs{Plain: b.Plain, Traced: b.Wall, Sampled: b.Sampled.Process.Wall()})
	if err != nil {
		return failed(err, "")
	}
	return f.printRun(st, r, b.Ended, render.ContrastView(x, &b.Sampled.How, b.Title))
}

// views returns what a record holds of both.
func (f *contrastFlags) views(r *programRecord) ([]*render.View, error) {
	if len(r.res.Calls) == 0 || len(r.res.Stacks) == 0 {
		return nil, r.nothing(record.KindContrast)
	}
	return render.ContrastViews(r.res)
}
