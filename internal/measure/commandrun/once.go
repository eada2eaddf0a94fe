package commandrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/joblog"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// purposeWarmup is the purpose of runs that do not count: in records that of a calibration.
const purposeWarmup = record.PurposePilot

// once runs a command and writes its lines. A run that fails returns an error, which ends the
// measurement.
func (m *Measurement) once(ctx context.Context, r plan.Request) (*plan.Outcome, error) {
	p := m.programs[r.Case.ID-1]
	probe, err := m.probe(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.runUnmeasured(ctx, p.prepare); err != nil {
		return nil, err
	}
	m.last++
	f := &record.Fork{ID: m.last, Case: r.Case.ID, Bin: r.Case.Bin, Round: r.Round, Order: m.last, Purpose: r.Purpose}
	spec := p.Spec
	spec.Timeout = m.job.Timeout
	counts, err := p.count(&spec)
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	defer counts.Close()
	before := m.cpuTimes()
	res, err := m.start(ctx, spec)
	if err != nil && res.Pid == 0 {
		return nil, m.notStarted(p, err)
	}
	fork.SetUsage(f, res)
	fork.SetMachine(f, before, m.cpuTimes())
	loss.MarkCommand(f, int64(res.FirstCPU), int64(res.FirstDelay))
	m.setState(ctx, p, f, res, err)
	out := &plan.Outcome{Fork: *f}
	if f.State == record.StateOK {
		out.Samples = []*record.Sample{sampleOf(f, res)}
		p.addTotals(out.Samples[0], counts, f.Purpose == record.PurposeTiming)
		if f.Purpose == record.PurposeTiming {
			p.note(f, out.Samples[0])
		}
	}
	if err := m.writeRun(p, out, probe); err != nil {
		return nil, err
	}
	if f.State == record.StateOK || ctx.Err() != nil {
		return out, nil
	}
	m.quote(f.Tail)
	hint := "--ignore-failure counts such runs"
	if f.State == record.StateTimeout {
		hint = "give it more time with --timeout"
	}
	return nil, exit.Failed(fmt.Errorf("%s: run %d of %d %s", p.Name, r.Round, m.runs(r.Purpose), f.Why), hint)
}

// cpuTimes returns zero times if the system does not report them.
func (m *Measurement) cpuTimes() env.CPUTimes {
	if m.cpu == nil {
		return env.CPUTimes{}
	}
	t, err := m.cpu.Read()
	if err != nil {
		return env.CPUTimes{}
	}
	return t
}

// runs returns how many runs of a purpose are planned.
func (m *Measurement) runs(purpose string) int {
	if purpose == purposeWarmup {
		return m.job.Warmup
	}
	return m.job.Runs
}

// start runs a process with its standard input, output and error.
func (m *Measurement) start(ctx context.Context, spec spawn.Spec) (spawn.Result, error) {
	if m.starter.Input {
		in, err := os.Open(m.job.Input) // anew, so that it is read from its beginning
		if err != nil {
			return spawn.Result{}, exit.Failed(fmt.Errorf("--input: %w", err), "")
		}
		defer in.Close()
		spec.Extra = []*os.File{in}
	}
	spec.Stderr = m.stderr.begin()
	switch m.job.Stdout {
	case job.StdoutNull:
	case job.StdoutInherit:
		m.Progress.Clear()
		done, err := inherit(&spec)
		if err != nil {
			return spawn.Result{}, exit.Failed(err, "")
		}
		defer done()
	default:
		out, err := session.CreateFile("--stdout", m.job.Stdout)
		if err != nil {
			return spawn.Result{}, err
		}
		defer out.Close()
		spec.Stdout = out
	}
	return m.launcher.Run(ctx, spec)
}

// inherit has a process write to our standard output and standard error. The caller calls done when it has ended.
func inherit(spec *spawn.Spec) (done func(), err error) {
	out, outDone, err := joblog.Passthrough(os.Getenv, os.Stdout)
	if err != nil {
		return nil, err
	}
	messages, messagesDone, err := joblog.Passthrough(os.Getenv, os.Stderr)
	if err != nil {
		outDone()
		return nil, err
	}
	spec.Stdout, spec.Stderr = out, messages
	return func() { outDone(); messagesDone() }, nil
}

// notStarted says why a process could not be started at all.
func (m *Measurement) notStarted(p *program, err error) error {
	if f := (*exit.Error)(nil); errors.As(err, &f) {
		return err
	}
	return exit.Failed(fmt.Errorf("%s cannot be started: %w", p.Name, err), "")
}

// setState sets the state of a fork and its reason, and notes what the warnings about a program
// are made of.
func (m *Measurement) setState(ctx context.Context, p *program, f *record.Fork, res spawn.Result, err error) {
	f.State = record.StateFailed
	switch {
	case errors.Is(err, spawn.ErrTimeout):
		f.State, f.Why = record.StateTimeout, fmt.Sprintf("did not end within %s", m.job.Timeout)
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
	case f.State == record.StateFailed && err == nil && m.job.IgnoreFailure:
		f.State = record.StateOK
		if counts {
			p.failures, p.lastFailed = p.failures+1, f.Why
		}
	default:
		f.Tail = m.stderr.tail()
	}
	switch {
	case !counts || f.State != record.StateOK || f.MaxRSS > 0:
	case f.MaxRSSBelow > 0:
		p.peakBounds, p.peakBelow = p.peakBounds+1, max(p.peakBelow, f.MaxRSSBelow)
	default:
		p.noPeak = f.MaxRSSBy
	}
}

// writeRun writes the samples of a run, then its fork, then its overhead.
func (m *Measurement) writeRun(p *program, out *plan.Outcome, probe float64) error {
	f := &out.Fork
	for _, s := range out.Samples {
		if f.Purpose == purposeWarmup {
			p.warm = append(p.warm, float64(s.Ns))
			s.Phase = record.PhaseWarmup
		}
		if err := m.write(s); err != nil {
			return err
		}
	}
	if err := m.write(f); err != nil || probe == 0 {
		return err
	}
	return m.write(&record.Overhead{Fork: f.ID, Probe: probe})
}

// coldProbes is how many empty processes are started first and do not count.
const coldProbes = 2

// probe measures what starting an empty process takes at the moment, in ns: the overhead of
// each run. It is 0 where there is none to start.
func (m *Measurement) probe(ctx context.Context) (float64, error) {
	spec, ok := m.starter.Empty()
	if !ok {
		return 0, nil
	}
	cold := 0
	if len(m.starts) == 0 {
		cold = coldProbes
	}
	for {
		took, err := m.startEmpty(ctx, spec)
		if ctx.Err() != nil {
			return 0, plan.ErrInterrupted
		}
		if err != nil || took == 0 {
			return 0, err
		}
		if cold--; cold < 0 {
			m.starts = append(m.starts, float64(took))
			return float64(took), nil
		}
	}
}

func (m *Measurement) startEmpty(ctx context.Context, spec spawn.Spec) (time.Duration, error) {
	if m.starter.Input {
		in, err := os.Open(os.DevNull)
		if err != nil {
			return 0, err
		}
		defer in.Close()
		spec.Extra = []*os.File{in}
	}
	res, err := m.launcher.Run(ctx, spec)
	if err != nil || res.ExitCode != 0 {
		return 0, err
	}
	return res.Wall(), nil
}
