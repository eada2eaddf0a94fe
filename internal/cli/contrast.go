package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
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
	f := programFlags{job: job.DefaultProgram(record.KindContrast), verb: job.OnContrast}
	return verb{
		use:      "contrast [flags] --include PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		short:    "Trace a program and sample it, side by side",
		long:     contrastLong,
		example:  contrastExample,
		register: func(fl *pflag.FlagSet) { f.register(fl) },
		run: func(cmd *cobra.Command, args []string) error {
			warnings := func(t *record.Trace) ([]*record.Warn, error) { return callWarnings(t, calls.Config{}) }
			return f.run(cmd, s, args, programVerb{func() error { return nil }, contrastViews, warnings, contrastView})
		},
	}.command()
}

// contrastView shows beside each other what a run has seen with probes and with samples.
func contrastView(o *programrun.Outcome) (*render.View, error) {
	c, err := calls.New(o.Trace, calls.Config{})
	if err != nil {
		return nil, err
	}
	s := o.Sampled
	if s == nil { // half of it is better than nothing
		return render.CallsView(c, o.Title), nil
	}
	x, err := calls.NewContrast(c, &s.How, s.Profile, calls.Runs{Plain: o.Plain, Traced: o.Traced, Sampled: s.Process.Wall()})
	if err != nil {
		return nil, err
	}
	return render.ContrastView(x, &s.How, o.Title), nil
}

// contrastViews returns what a record holds of both.
func contrastViews(r *programRecord) ([]*render.View, error) {
	if len(r.res.Calls) == 0 || len(r.res.Stacks) == 0 {
		return nil, r.nothing(record.KindContrast)
	}
	return render.ContrastViews(r.res)
}
