package commandrun

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/spawn"
)

// around are the commands that run around those that are measured. Nil is nothing to run.
type around struct {
	setup   *unmeasured // once, before the first run
	prepare *unmeasured // before each run
	cleanup *unmeasured // once, after the last run
}

// unmeasured is a command whose runs are not measured.
type unmeasured struct {
	flag string // that named it
	line string // without secrets
	spec spawn.Spec
}

// unmeasured returns the command of a flag; nil for no words.
func (m *Measurement) unmeasured(flag string, words []string) (*unmeasured, error) {
	if len(words) == 0 {
		return nil, nil
	}
	s := *m.starter
	s.Input = false // the file is for what is measured
	p, err := s.Program(words)
	if err != nil {
		return nil, err
	}
	return &unmeasured{flag, p.Line, p.Spec}, nil
}

// around returns the commands around line i, with the values of a choice.
func (m *Measurement) around(i int, c choice) (a around, err error) {
	setup, prepare, cleanup := m.job.Around(i)
	a.setup, err = m.unmeasured("setup", c.in(setup))
	if err == nil {
		a.prepare, err = m.unmeasured("prepare", c.in(prepare))
	}
	if err == nil {
		a.cleanup, err = m.unmeasured("cleanup", c.in(cleanup))
	}
	return a, err
}

// runUnmeasured runs a command that is not measured. That it fails ends the measurement.
func (m *Measurement) runUnmeasured(ctx context.Context, x *unmeasured) error {
	if x == nil {
		return nil
	}
	spec := x.spec
	spec.Stderr = m.stderr.begin()
	res, err := m.launcher.Run(ctx, spec)
	switch {
	case ctx.Err() != nil:
		return plan.ErrInterrupted
	case err != nil:
		return exit.Failed(fmt.Errorf("--%s: %w", x.flag, err), "")
	case res.Signal != 0:
		err = fmt.Errorf("--%s: %q was ended by a signal: %s", x.flag, x.line, res.Signal)
	case res.ExitCode != 0:
		err = fmt.Errorf("--%s: %q ended with status %d", x.flag, x.line, res.ExitCode)
	default:
		return nil
	}
	m.quote(m.stderr.tail())
	return exit.Failed(err, "")
}

// setUp runs the set-up of each command, in their order.
func (m *Measurement) setUp(ctx context.Context) error {
	for _, p := range m.programs {
		if err := m.runUnmeasured(ctx, p.setup); err != nil {
			return err
		}
		p.isSetUp = true
	}
	return nil
}

// cleanUp runs the clean-up of each command that was set up, also when the measurement has failed or was interrupted.
func (m *Measurement) cleanUp() (err error) {
	for _, p := range m.programs {
		if p.isSetUp {
			err = errors.Join(err, m.runUnmeasured(context.Background(), p.cleanup))
		}
	}
	return err
}
