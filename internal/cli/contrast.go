package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/profrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/calls"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
)

const contrastName = "contrast"

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
	probes probeFlags
	look   lookFlags
	plain  bool
	watch  watchFlags
}

func newContrast(s streams) *cobra.Command {
	f := &contrastFlags{}
	cmd := &cobra.Command{
		Use:     "contrast [flags] --include PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		Short:   "Trace a program and sample it, side by side",
		Long:    contrastLong,
		Example: contrastExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.probes.register(fl)
	deprecateFlag(fl, "path", "keep-calls")
	f.look.register(fl)
	fl.BoolVar(&f.plain, result.PurposePlain, false, "run it without a profiler, too, to measure what profiling costs")
	f.watch.register(fl)
	return cmd
}

func (f *contrastFlags) run(cmd *cobra.Command, st streams, args []string) error {
	if err := f.watch.check(); err != nil {
		return err
	}
	if cmd.ArgsLenAtDash() < 0 && len(args) > 0 && isRecordFile(args[0]) {
		unfit := append(append(append([]string{result.PurposePlain}, ofRun...), probeFlagNames...), "sample-interval", "cpu-time", "wall")
		if err := refuseFlags(cmd, "a record is shown as it is", unfit...); err != nil {
			return err
		}
		return f.watch.ofRecord(st, args, contrastViews)
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if err := f.probes.check(cmd); err != nil {
		return err
	}
	if _, err := f.look.config(); err != nil { // before what the arguments say
		return err
	}
	t, err := f.watch.target(cmd, args)
	if err != nil {
		return err
	}
	if t == nil {
		return usageError(fmt.Errorf("contrast: -- %s: tare adds probes when it builds a program", command.Join(session.MaskArgs(args))), "name the package, or -- go run PACKAGE")
	}
	return f.contrast(st, t)
}

// contrast has the target traced and sampled, and shows both beside each other.
func (f *contrastFlags) contrast(st streams, t *profrun.Target) error {
	cfg := profrun.ContrastConfig{Trace: f.probes.config(calls.Config{}), Wall: f.look.wall, Plain: f.plain}
	var err error
	if cfg.Sample, err = f.look.config(); err != nil {
		return err
	}
	r, err := f.watch.start(st, contrastName)
	if err != nil {
		return err
	}
	defer r.close()
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
		return f.watch.printRun(r, b.Ended, render.CallsView(c, b.Title))
	}
	x, err := calls.NewContrast(c, &b.Sampled.How, b.Sampled.Profile, calls.Runs{Plain: b.Plain, Traced: b.Wall, Sampled: b.Sampled.Process.Wall()})
	if err != nil {
		return failed(err, "")
	}
	return f.watch.printRun(r, b.Ended, render.ContrastView(x, &b.Sampled.How, b.Title))
}

// contrastViews are what a record holds of both.
func contrastViews(r *watchRecord) ([]*render.View, error) {
	if len(r.res.Calls) == 0 || len(r.res.Stacks) == 0 {
		return nil, r.nothing(contrastName)
	}
	return render.ContrastViews(r.res)
}
