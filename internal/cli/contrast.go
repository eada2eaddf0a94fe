package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/calls"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
)

const (
	contrastName = "contrast"
)

const contrastLong = `tare contrast runs a program as tare trace does, and again as tare sample does, each in
a process of its own, and prints what they say about the functions that match side by
side: what sampling missed, what the probes distorted, and what watching cost.

With --plain it runs a third time, unwatched: the cost is then the difference, and not
only what the watchers say of themselves. Programs, patterns and outputs are those of
tare trace and tare sample; a record of tare contrast is shown again by each of the three.`

const contrastExample = `  tare contrast --match 'Demo.*' ./examples/watched
  tare contrast --match 'main.*' --interval 1ms --plain . -- -n 1000
  tare contrast --match 'sort.*' --cpu -- go test -bench 'SortInt1K$' sort
  tare contrast both.jsonl`

// contrastFlags are the flags of tare contrast as they are typed.
type contrastFlags struct {
	weave weaveFlags
	look  lookFlags
	plain bool
	watch watchFlags
}

func newContrast(s streams) *cobra.Command {
	f := &contrastFlags{}
	cmd := &cobra.Command{
		Use:     "contrast [flags] --match PATTERN [package [-- ARG...] | -- go run|test ARG... | FILE]",
		Short:   "Trace a program and sample it, side by side",
		Long:    contrastLong,
		Example: contrastExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, s, args)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.weave.register(fl)
	f.look.register(fl)
	fl.BoolVar(&f.plain, result.PurposePlain, false, "run it unwatched, too: what watching costs is then measured")
	f.watch.register(fl)
	return cmd
}

func (f *contrastFlags) run(cmd *cobra.Command, st streams, args []string) error {
	if err := f.watch.check(); err != nil {
		return err
	}
	if cmd.ArgsLenAtDash() < 0 && len(args) > 0 && isRecordFile(args[0]) {
		unfit := append(append(append([]string{result.PurposePlain}, ofRun...), ofWeaving...), "interval", "cpu", "wall")
		if err := refuseFlags(cmd, "a record is shown as it is", unfit...); err != nil {
			return err
		}
		return f.watch.ofRecord(st, args, contrastViews)
	}
	if err := missingFile(cmd, args); err != nil {
		return err
	}
	if err := f.weave.check(cmd); err != nil {
		return err
	}
	if _, err := f.look.config(); err != nil {
		return err
	}
	t, err := f.watch.target(cmd, args)
	if err != nil {
		return err
	}
	if t == nil {
		return usageError(fmt.Errorf("contrast: -- %s: probes are woven where tare builds", command.Join(session.MaskArgs(args))), "name the package, or -- go run PACKAGE")
	}
	return f.contrast(st, t)
}

// contrast builds all, then runs one after the other.
func (f *contrastFlags) contrast(st streams, t *goTarget) error {
	w, err := newWatch(st, &f.watch, contrastName)
	if err != nil {
		return err
	}
	defer w.close()
	both := &bothWays{f: f, t: t}
	if err := both.build(w); err != nil {
		return w.gaveUp(err)
	}
	shown, err := both.run(w)
	if err != nil {
		return w.gaveUp(err)
	}
	return w.conclude(both.bad, shown)
}

// bothWays is a program that is run with probes, looked at, and perhaps by itself.
type bothWays struct {
	f     *contrastFlags
	t     *goTarget
	plain string // path of the program as it is; "": it is not asked for
	woven *wovenProgram
	look  *lookedProgram
	runs  calls.Runs
	bad   error // how one of them ended
}

func (b *bothWays) build(w *watch) (err error) {
	if err := w.resolve(w.ctx, b.t); err != nil {
		return err
	}
	if b.woven, err = w.weave(&b.f.weave, b.t); err != nil {
		return err
	}
	if b.look, err = w.looked(b.t, b.f.look.wall); err != nil || !b.f.plain {
		return err
	}
	b.plain = b.t.file(w.work, result.PurposePlain)
	return w.buildTarget(w.ctx, b.t, b.plain, "", nil, nil)
}

func (b *bothWays) run(w *watch) (*render.View, error) {
	if b.plain != "" {
		if err := b.runPlain(w); err != nil {
			return nil, err
		}
	}
	line := b.t.line()
	c, wall, bad, err := b.woven.record(w, calls.Config{})
	if err != nil {
		return nil, err
	}
	b.runs.Traced = wall
	b.ended("with probes", bad)
	if w.signals.Caught() { // half of it is better than nothing
		w.progress.Note("it was traced, and not sampled")
		w.finish()
		return render.CallsView(c, w.secrets.Mask(line)), nil
	}
	cfg, err := b.f.look.config()
	if err != nil {
		return nil, err
	}
	run, err := b.look.run(w, cfg)
	if err != nil {
		return nil, err
	}
	if err := w.recordSampled(line, run); err != nil {
		return nil, err
	}
	b.runs.Sampled = run.Process.Wall()
	b.ended("while it was sampled", w.verdict(run.Process, run.Ended))
	w.finish()
	x, err := calls.NewContrast(c, &run.How, run.Profile, b.runs)
	if err != nil {
		return nil, failed(err, "")
	}
	return render.ContrastView(x, &run.How, w.secrets.Mask(line)), nil
}

// runPlain runs the program unwatched.
func (b *bothWays) runPlain(w *watch) error {
	if err := w.alone(); err != nil {
		return w.interrupted(err)
	}
	w.progress.Clear()
	child, err := w.launch.Spawn(w.ctx, w.spec(b.plain, b.t.workDir(), b.t.args))
	if err != nil {
		return w.interrupted(failed(err, ""))
	}
	res, ended := child.Wait()
	w.program(b.t.line(), b.plain)
	b.ended("unwatched", w.verdict(res, ended))
	b.runs.Plain = res.Wall()
	w.fork(result.PurposePlain, b.t.line(), res, ended)
	return nil
}

// ended keeps how runs ended badly.
func (b *bothWays) ended(how string, bad error) {
	if bad != nil {
		b.bad = errors.Join(b.bad, fmt.Errorf("%s: %w", how, bad))
	}
}

// contrastViews are what a record holds of both.
func contrastViews(r *watchRecord) ([]*render.View, error) {
	if len(r.res.Calls) == 0 || len(r.res.Stacks) == 0 {
		return nil, r.nothing(contrastName)
	}
	return render.ContrastViews(r.res)
}
