package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// purposeWarmup is the purpose of runs that do not count: in words of records they
// are those of a pilot.
const purposeWarmup = record.PurposePilot

// once runs a command and writes its lines. The error of a run that failed ends the
// measuring.
func (t *timing) once(ctx context.Context, r plan.Request) (*plan.Outcome, error) {
	p := t.programs[r.Case.ID-1]
	probe, err := t.probe(ctx)
	if err != nil {
		return nil, err
	}
	if err := t.beforeRun(ctx); err != nil {
		return nil, err
	}
	t.last++
	f := &record.Fork{ID: t.last, Case: r.Case.ID, Bin: r.Case.Bin, Round: r.Round, Order: t.last, Purpose: r.Purpose}
	spec := p.spec
	spec.Timeout = t.f.timeout
	res, err := t.start(ctx, spec)
	if err != nil && res.Pid == 0 {
		return nil, t.unstarted(p, err)
	}
	account(f, res)
	t.judgeRun(ctx, p, f, res, err)
	out := &plan.Outcome{Fork: *f}
	if f.State == record.StateOK {
		out.Samples = []*record.Sample{sampleOf(f, res)}
	}
	if err := t.writeRun(p, out, probe); err != nil {
		return nil, err
	}
	if f.State == record.StateOK || ctx.Err() != nil {
		return out, nil
	}
	t.quote(f.Tail)
	hint := "--ignore-failure counts such runs"
	if f.State == record.StateTimeout {
		hint = "give it more time with --timeout"
	}
	return nil, failed(fmt.Errorf("%s: run %d of %d %s", p.name, r.Round, t.planned(r.Purpose), f.Why), hint)
}

func (t *timing) planned(purpose string) int {
	if purpose == purposeWarmup {
		return t.f.warmup
	}
	return t.run.Config.Forks
}

// start runs a process with the files it is to have.
func (t *timing) start(ctx context.Context, spec spawn.Spec) (spawn.Result, error) {
	if t.starter.input {
		in, err := os.Open(t.f.input) // anew, so that it is read from its beginning
		if err != nil {
			return spawn.Result{}, failed(fmt.Errorf("--input: %w", err), "")
		}
		defer in.Close()
		spec.Extra = []*os.File{in}
	}
	out, err := t.openStdout()
	if err != nil {
		return spawn.Result{}, err
	}
	if out != nil && out != os.Stdout {
		defer out.Close()
	}
	spec.Stdout, spec.Stderr = out, t.errors.begin()
	if t.f.stdout == stdoutInherit {
		spec.Stderr = os.Stderr
		t.progress.Clear()
	}
	return t.runner.Launcher.Run(ctx, spec)
}

// openStdout opens what the next run writes to; nil discards it.
func (t *timing) openStdout() (*os.File, error) {
	switch t.f.stdout {
	case stdoutNull:
		return nil, nil
	case stdoutInherit:
		return os.Stdout, nil
	}
	f, err := os.Create(t.f.stdout)
	if err != nil {
		return nil, failed(fmt.Errorf("--stdout: %w", err), "name a file in a directory that can be written to")
	}
	return f, nil
}

// unstarted says why a process could not be started at all.
func (t *timing) unstarted(p *program, err error) error {
	if f := (*exit.Error)(nil); errors.As(err, &f) {
		return err
	}
	return failed(fmt.Errorf("%s cannot be started: %w", p.name, err), "")
}

// account notes what the system knows of a run.
func account(f *record.Fork, res spawn.Result) {
	f.Start, f.Wall = res.Start, int64(res.Wall())
	f.User, f.Sys = int64(res.User), int64(res.Sys)
	f.Vcsw, f.Ivcsw, f.Minflt, f.Majflt = res.Voluntary, res.Involuntary, res.MinorFaults, res.MajorFaults
	f.Peak, f.PeakBy = res.Peak, res.PeakBy
	f.Exit = fmt.Sprint(res.ExitCode)
	if res.Signal != 0 {
		f.Exit = "signal: " + res.Signal.String()
	}
}

// judgeRun sets state and reason, and notes what the doubts about a program are made of.
func (t *timing) judgeRun(ctx context.Context, p *program, f *record.Fork, res spawn.Result, err error) {
	f.State = record.StateFailed
	switch {
	case errors.Is(err, spawn.ErrTimeout):
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("did not end within %s", t.f.timeout)
	case ctx.Err() != nil:
		f.State, f.Why = record.StatePartial, "interrupted"
	case err != nil:
		f.Why = err.Error()
	case res.ExitCode == 0:
		f.State = record.StateOK
	case res.Signal != 0:
		f.Why = "was ended by a signal: " + res.Signal.String()
	default:
		f.Why = fmt.Sprintf("ended with status %d", res.ExitCode)
	}
	counts := f.Purpose == record.PurposeTiming
	switch {
	case f.State == record.StateOK:
	case f.State == record.StateFailed && err == nil && t.f.ignoreFailure:
		f.State = record.StateOK
		if counts {
			p.odd, p.oddly = p.odd+1, f.Why
		}
	default:
		f.Tail = t.secrets.Mask(t.errors.tail())
	}
	if counts && f.State == record.StateOK && f.Peak == 0 {
		p.peakless = f.PeakBy
	}
}

// writeRun writes the lines of a run, its own last.
func (t *timing) writeRun(p *program, out *plan.Outcome, probe float64) error {
	f := &out.Fork
	for _, s := range out.Samples {
		if f.Purpose == purposeWarmup {
			p.warm = append(p.warm, float64(s.Ns))
			s.Phase = record.PhaseWarmup
		}
		if err := t.runner.Write(s); err != nil {
			return err
		}
	}
	if err := t.runner.Write(f); err != nil || probe == 0 {
		return err
	}
	return t.runner.Write(&record.Tare{Fork: f.ID, Probe: probe})
}

// beforeRun runs the command of --prepare.
func (t *timing) beforeRun(ctx context.Context) error {
	if t.before == nil {
		return nil
	}
	spec := *t.before
	spec.Stderr = t.errors.begin()
	res, err := t.runner.Launcher.Run(ctx, spec)
	switch {
	case ctx.Err() != nil:
		return plan.ErrInterrupted
	case err != nil:
		return failed(fmt.Errorf("--prepare: %w", err), "")
	case res.Signal != 0:
		err = fmt.Errorf("--prepare: %q was ended by a signal: %s", session.MaskText(t.f.prepare), res.Signal)
	case res.ExitCode != 0:
		err = fmt.Errorf("--prepare: %q ended with status %d", session.MaskText(t.f.prepare), res.ExitCode)
	default:
		return nil
	}
	t.quote(t.secrets.Mask(t.errors.tail()))
	return failed(err, "")
}

// coldProbes are processes of nothing that are started first and not counted.
const coldProbes = 2

// probe is what starting a process of nothing takes at the moment, in ns, 0 where
// there is none to start: the tare of each run.
func (t *timing) probe(ctx context.Context) (float64, error) {
	spec, ok := t.starter.nothing()
	if !ok {
		return 0, nil
	}
	cold := 0
	if len(t.starts) == 0 {
		cold = coldProbes
	}
	for {
		took, err := t.startNothing(ctx, spec)
		if ctx.Err() != nil {
			return 0, plan.ErrInterrupted
		}
		if err != nil || took == 0 {
			return 0, err
		}
		if cold--; cold < 0 {
			t.starts = append(t.starts, float64(took))
			return float64(took), nil
		}
	}
}

func (t *timing) startNothing(ctx context.Context, spec spawn.Spec) (time.Duration, error) {
	if t.starter.input {
		in, err := os.Open(os.DevNull)
		if err != nil {
			return 0, err
		}
		defer in.Close()
		spec.Extra = []*os.File{in}
	}
	res, err := t.runner.Launcher.Run(ctx, spec)
	if err != nil || res.ExitCode != 0 {
		return 0, err
	}
	return res.Wall(), nil
}
