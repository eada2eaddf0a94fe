package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/job"
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

func newContrast(s streams) *cobra.Command {
	f := &contrastFlags{newProgramFlags(record.KindContrast, job.OnContrast)}
	return verb{
		use:      "contrast [flags] --include PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		short:    "Trace a program and sample it, side by side",
		long:     contrastLong,
		example:  contrastExample,
		register: func(fl *pflag.FlagSet) { f.register(fl) },
		run: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args, programVerb{func() error { return nil }, f.views, f.measure})
		},
	}.command()
}

// contrastFlags are the flags of tare contrast as they are typed.
type contrastFlags struct{ programFlags }

// measure has the program traced and sampled, and shows both beside each other.
func (f *contrastFlags) measure(st streams) error {
	r, err := f.start(st, callWarnings(calls.Config{}))
	if err != nil {
		return err
	}
	defer r.Close()
	b, err := r.Contrast()
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
