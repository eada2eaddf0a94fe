package cli

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// selftestRun is one self-test: of tare selftest, or of tare ci --selftest-for.
type selftestRun struct {
	streams
	config   benchrun.Config
	format   render.Format // of stdout
	recorder *session.Recorder
	broken   int // packages that could not be built
	builtin  bool
}

// measure measures and shows the result.
func (f *selftestFlags) measure(cmd *cobra.Command, st streams, args []string) error {
	run, builtin, err := f.plan(cmd, args)
	if err != nil {
		return err
	}
	t, err := f.newRun(st, "selftest", run, builtin)
	if err != nil {
		return err
	}
	defer t.config.Signals.Stop()
	r, err := t.measure()
	if err == nil {
		err = f.conclude(t, r)
	}
	return session.PrintMoved(st.err, t.recorder.Moved(), err)
}

// newRun prepares a self-test; verb is what was typed.
func (f *selftestFlags) newRun(st streams, verb string, run record.Run, builtin bool) (t *selftestRun, err error) {
	t = &selftestRun{streams: st, builtin: builtin}
	if t.config, err = f.runFlags.config(st, run); err != nil {
		return nil, err
	}
	t.config.Run.Command = typedLine(verb)
	if t.format, err = f.output.check(); err != nil {
		return nil, err
	}
	t.config.Output = f.output.Records
	t.config.Signals = session.CatchSignals(func(sig os.Signal) {
		t.config.Progress.Note("%s: finishing the process in hand; once more stops at once", sig)
	})
	return t, nil
}

// measure returns what the record says, that of an interrupted run too.
func (t *selftestRun) measure() (*result.Result, error) {
	ctx, cancel := t.config.Signals.FirstContext()
	defer cancel()
	recorder, broken, err := benchrun.RunSelftest(ctx, t.config, t.builtin)
	t.recorder, t.broken = recorder, broken
	t.config.Progress.Clear()
	switch {
	case err != nil && t.config.Signals.Caught() && !t.recorder.Begun():
		t.config.Progress.Note("interrupted before anything was measured")
		return nil, t.config.Signals.ExitError()
	case err == nil || errors.Is(err, plan.ErrInterrupted):
		return t.recorder.Result(), nil
	case t.config.Signals.Caught():
		return nil, t.config.Signals.ExitError()
	}
	return nil, err
}
