package commandrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Run measures and writes the record. It returns plan.ErrInterrupted if a signal ended it, and
// the error of a run that failed, unless failures count. What was measured until then is in
// the record.
func (m *Measurement) Run(s Session) (err error) {
	m.Session = s
	if m.Recorder, err = session.OpenRecorder(s.Records, m.head.Seed, s.Start); err != nil {
		return err
	}
	defer m.Recorder.Discard()
	if m.stderr, err = newStderrFile(); err != nil {
		return exit.Failed(err, "")
	}
	defer m.stderr.close()
	ctx, cancel := s.Signals.FirstContext()
	defer cancel()
	s.Progress.Phase("starting the launcher")
	m.launcher, err = spawn.Start(ctx, spawn.Config{})
	if err != nil && ctx.Err() == nil {
		m.launcher = spawn.InProcess(err) // commands can be timed without it; PeakBy says what is lost
	} else if err != nil {
		return err
	}
	defer m.launcher.Close()
	if m.cpu, err = env.OpenCPU(); err == nil { // without it the use of others is not known
		defer m.cpu.Close()
	}
	m.priority = session.Prioritize(m.job.NoPriority, m.launcher.Prioritize)
	m.machine, err = session.LockMachine(ctx, s.Progress, s.Lock, m.Command)
	if err != nil {
		return err
	}
	defer m.machine.Unlock()
	defer func() { m.work.Remove() }() // which build makes
	if err := m.build(ctx); err != nil {
		return err
	}
	return m.measure()
}

// caseName is the name of every case. Commands are distinguished by the names of the sides.
const caseName = "Command"

// cases returns a case for each command, or for each combination of parameters of each.
func (m *Measurement) cases() []*record.Case {
	var out []*record.Case
	for i, p := range m.programs {
		name := caseName
		if p.params != "" && p.params != p.Name {
			name += "/" + p.params
		}
		out = append(out, &record.Case{ID: i + 1, Name: name, Side: p.Name, Bin: i + 1, Mode: record.ModeN, N: 1, SingleShot: true, Units: result.TimeUnits()})
	}
	return out
}

// header returns the first line of the record. The first side is the base of the comparison.
func (m *Measurement) header() *record.Run {
	r := session.NewRun(m.Start, command.GoVersion(m.programs[0].Path))
	r.Kind, r.Config, r.Seed, r.Dir, r.Command = m.head.Kind, m.head.Config, m.head.Seed, m.head.Dir, m.Command
	r.Config.Setenv = redact.Pairs(r.Config.Setenv)
	for _, p := range m.programs {
		if !slices.ContainsFunc(r.Sides, func(x record.Side) bool { return x.Name == p.Name }) {
			r.Sides = append(r.Sides, record.Side{Name: p.Name, Ref: p.Line})
		}
	}
	base := m.job.Base()
	r.Sides = slices.Concat(r.Sides[base:], r.Sides[:base])
	return &r
}

// measure writes the whole record.
func (m *Measurement) measure() error {
	p := &plan.Plan{Config: m.head.Config, Seed: m.head.Seed, Cases: m.cases()}
	p.Config.NoRepeat = true // as many runs as were asked for: a command may have effects
	p.Before = func(c *record.Case, at plan.Progress) { m.showProgress(c, at, len(p.Cases)) }
	if err := m.writeHead(p.Cases); err != nil {
		return err
	}
	if w := m.machine.Warning(); w != nil {
		if err := m.write(w); err != nil {
			return err
		}
	}
	overhead := session.StartOverhead()
	var stop plan.Stop
	err := m.setUp(m.Signals.Context())
	if err == nil {
		err = m.warmUp(p.Cases)
	}
	if err == nil {
		stop, err = p.Measure(m.Signals.Context(), m.Signals.Quit(), m.once, m.judge)
	}
	if e := m.cleanUp(); e != nil && err == nil {
		err = e
	}
	t := overhead.Line()
	t.Peak, t.Priority = m.launcher.Peak(), m.priority
	if len(m.starts) > 0 {
		t.Probe = stat.Median(m.starts)
	}
	end := &record.End{State: record.EndCompleted, Why: stop.Reason}
	switch {
	case err == nil:
	case !errors.Is(err, plan.ErrInterrupted):
		end.State, end.Why = record.EndPartial, "stopped by a run that failed"
	case stop.Rounds > 0:
		end.State, end.Why = record.EndPartial, fmt.Sprintf("interrupted in round %d of %d", stop.Rounds, m.job.Runs)
	default:
		end.State, end.Why = record.EndPartial, "interrupted in the warm-up"
	}
	if e := m.writeEnd(t, end); e != nil && err != nil {
		return errors.Join(err, e)
	} else if e != nil {
		return e
	}
	return err
}

// writeHead writes what is known before the first run.
func (m *Measurement) writeHead(cases []*record.Case) error {
	run := m.header()
	lines := []record.Line{run}
	for i, p := range m.programs {
		b := p.Bin(i+1, run.Dir)
		if p.target != nil {
			b.Pkg = p.target.Path // its file is temporary
		}
		lines = append(lines, b)
	}
	for _, c := range cases {
		lines = append(lines, c)
	}
	cost := clock.Measure()
	load, _ := env.Load() // zero where it is not known
	return m.write(append(lines, &record.Overhead{Clock: cost.Read, Loop: cost.Loop, Load: load})...)
}

// writeEnd writes the overhead, the warnings and the end, and closes the record.
func (m *Measurement) writeEnd(overhead *record.Overhead, end *record.End) error {
	lines := m.warnings(overhead.Probe)
	if err := m.write(append(lines, overhead)...); err != nil {
		return err
	}
	lines = nil
	if w := m.machine.Warning(); w != nil {
		if err := m.write(w); err != nil {
			return err
		}
	}
	for _, w := range m.Recorder.WarningsAt(end) {
		lines = append(lines, &w)
	}
	if err := m.write(append(lines, end)...); err != nil {
		return err
	}
	return m.Recorder.Close(end.State == record.EndCompleted)
}

func (m *Measurement) write(lines ...record.Line) error {
	for _, l := range lines {
		if err := m.Recorder.Write(l); err != nil {
			return err
		}
	}
	return nil
}

// warmUp runs each command a few times. What is measured is recorded and does not count.
func (m *Measurement) warmUp(cases []*record.Case) error {
	ctx := m.Signals.Context()
	for round := 1; round <= m.job.Warmup; round++ {
		for _, c := range cases {
			if m.Signals.Caught() {
				return plan.ErrInterrupted
			}
			m.Progress.Phase("warm-up %d/%d · %s", round, m.job.Warmup, c.Side)
			_, err := m.once(ctx, plan.Request{Case: c, Round: round, Purpose: purposeWarmup})
			if ctx.Err() != nil {
				return plan.ErrInterrupted
			}
			if err != nil {
				return err
			}
		}
	}
	for i, c := range cases {
		if warm := m.programs[i].warm; len(warm) > 0 {
			c.Wall = int64(stat.Median(warm)) // the progress line estimates by it
		}
	}
	return nil
}

// judge decides at an interim analysis whether the intervals are narrow enough.
func (m *Measurement) judge(l plan.Analysis) bool {
	out := m.Recorder.ResultAt(l.Confidence).CheckPrecision(l, m.job.Precision)
	return m.write(&out) == nil && out.Stop
}

// showProgress draws the progress line.
func (m *Measurement) showProgress(c *record.Case, p plan.Progress, cases int) {
	if p.Round == 2 && p.Done == cases {
		m.Progress.ShowNext()
		m.machine.EndsAt(time.Now().Add(p.Remaining))
	}
	m.Progress.Step(func() string {
		text := fmt.Sprintf("run %d/%d · %s left · %s", p.Round, p.Rounds, p.Remaining.Round(time.Second), c.Side)
		if r, ok := m.Recorder.Case(c.ID); ok {
			r.Unit = "ns"
			text += " " + m.Estimate(r)
		}
		return text
	})
}

// quote repeats on stderr what a command said last.
func (m *Measurement) quote(tail string) {
	if tail == "" {
		return
	}
	m.Progress.Clear()
	for _, l := range strings.Split(exit.Shown(tail), "\n") {
		fmt.Fprintf(m.Stderr, "    %s\n", l)
	}
}
