package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// measure writes the head of the record and runs the forks.
func (s *session) measure() error {
	if s.prior == nil {
		if err := s.write(s.header()); err != nil {
			return err
		}
	}
	if !s.prior.planned() {
		if err := s.writePlan(); err != nil {
			return err
		}
	}
	s.plan.Before = s.tell
	planned := s.plan.Estimate()
	var stop plan.Stop
	t, err := s.weighed(func() (err error) {
		stop, err = s.plan.Measure(s.signals.ctx, s.signals.quit, s.fork, s.look)
		return err
	})
	t.Planned = int64(planned)
	return s.finish(t, stop.Why, fmt.Sprintf("interrupted in round %d of %d", stop.Rounds, s.run.Config.Forks), err)
}

// weighed runs forks, has them recorded, and says what tare weighed meanwhile.
func (s *session) weighed(forks func() error) (*record.Tare, error) {
	s.runner.Forget()
	var own []float64
	s.runner.Write = func(l record.Line) error {
		if f, ok := l.(*record.Fork); ok && f.Own > 0 {
			own = append(own, float64(f.Own))
		}
		return s.sink.write(l)
	}
	start := time.Now()
	before, cpuErr := env.ReadCPU()
	err := forks()
	t := &record.Tare{Wall: int64(time.Since(start)), Peak: s.runner.Launcher.Peak()}
	if after, err := env.ReadCPU(); err == nil && cpuErr == nil {
		_, t.Steal = env.Steal(before, after)
	}
	if len(own) > 0 {
		t.Launcher = int64(stat.Median(own))
	}
	return t, err
}

func (s *session) write(l record.Line) error { return s.sink.write(l) }

// finish writes the end of the record: what tare weighed, the doubts, and how
// the run ended: why it is over, or where it was cut off.
func (s *session) finish(t *record.Tare, why, cut string, err error) error {
	interrupted := errors.Is(err, plan.ErrInterrupted)
	if err != nil && !interrupted {
		return err
	}
	if err := s.write(t); err != nil {
		return err
	}
	for _, w := range s.sink.Doubts() {
		if err := s.write(&w); err != nil {
			return err
		}
	}
	end := &record.End{State: record.EndCompleted, Why: why}
	if interrupted {
		end.State, end.Why = record.EndPartial, cut
	}
	if e := s.write(end); e != nil {
		return e
	}
	if e := s.sink.close(!interrupted); e != nil {
		return e
	}
	return err
}

func (s *session) header() *record.Run {
	r := s.run
	r.Version, r.Tare, r.Start, r.Mono = record.Version, version(), s.start, clock.Now()-int64(time.Since(s.start))
	r.Command = s.command
	r.Config.Setenv = maskPairs(r.Config.Setenv)
	r.Sides = slices.Clone(r.Sides)
	for i := range r.Sides {
		r.Sides[i].Setenv = maskPairs(r.Sides[i].Setenv)
	}
	r.Env = machine(env.Describe())
	r.Env.Go = s.bins[0].built.Go
	return &r
}

// machine is what records say of the machine; the toolchain is the caller's to
// fill in.
func machine(m env.Machine) record.Env {
	return record.Env{
		OS: m.OS, Arch: m.Arch, Kernel: m.Kernel, CPU: m.CPU, Cores: m.Cores, Memory: m.Memory, Go: runtime.Version(),
		GOMAXPROCS: m.GOMAXPROCS, GOGC: m.GOGC, GOMEMLIMIT: m.GOMEMLIMIT, ClockSource: m.ClockSource, Virtual: m.Virtual(),
	}
}

// writePlan writes binaries, cases and what the pilot lost. The line with what
// tare weighs comes last: a record that has it holds the whole plan.
func (s *session) writePlan() error {
	for _, b := range s.bins {
		if err := s.write(&b.Bin); err != nil {
			return err
		}
	}
	for _, c := range s.plan.Cases {
		if err := s.write(c); err != nil {
			return err
		}
		if w := s.parallelWarning(c); w != nil {
			if err := s.write(w); err != nil {
				return err
			}
		}
	}
	for _, c := range s.apart {
		if err := s.write(c); err != nil {
			return err
		}
	}
	for _, l := range s.lost {
		if err := s.write(l.Case); err != nil {
			return err
		}
		if err := s.write(&l.Fork); err != nil {
			return err
		}
	}
	for _, w := range append(s.unserved, s.hooksWarning()...) {
		if err := s.write(w); err != nil {
			return err
		}
	}
	c := clock.Measure()
	load, _ := env.Load() // where it is not known it is not told
	return s.write(&record.Tare{Clock: c.Read, Loop: c.Loop, Load: load})
}

// parallelWarning doubts a fixed N where testing should choose it.
func (s *session) parallelWarning(c *record.Case) *record.Warn {
	if c.Mode != record.ModeN || !s.parallel(s.bins[c.Bin-1], c.Name) {
		return nil
	}
	return &record.Warn{
		About: record.AboutCase, ID: c.ID, Code: "parallel-fixed-n",
		Text:   "RunParallel with a fixed N: its workers fight over a counter, up to 36 times slower than they are",
		Advice: "leave out --benchtime and --mode N for this benchmark",
	}
}

// tell draws the progress line.
func (s *session) tell(c *record.Case, p plan.Progress) {
	if p.Round == 2 && p.Forks == len(s.plan.Cases) {
		s.progress.urge()
	}
	s.progress.step(func() string {
		text := fmt.Sprintf("round %d/%d · fork %d/%d · %s left · %s", p.Round, p.Rounds, p.Forks+1, p.Of, p.Left.Round(time.Second), c.Name)
		if r, ok := s.sink.Case(c.ID); ok {
			text += " " + render.Estimate(r)
		}
		return text
	})
}

// look asks whether the intervals are narrow enough.
func (s *session) look(l plan.Look) bool {
	out := plan.Judge(s.sink.ResultAt(l.Confidence), l, s.run.Config.Precision)
	if err := s.write(&out); err != nil {
		return false
	}
	return out.Stop
}

// conclude prints the result and decides the exit code.
func (s *session) conclude() error {
	sum := s.sink.Result()
	if s.sink.export != "" {
		err := replaceFile(s.sink.export, func(w *os.File) error {
			return s.print(w, s.sink.format, sum)
		})
		if err != nil {
			return failed(fmt.Errorf("-o: %w", err), "the records are in "+s.sink.path)
		}
	}
	if err := s.print(s.out, s.format, sum); err != nil {
		return failed(err, "the records are in "+s.sink.path)
	}
	if s.signals.quitting() {
		s.progress.note("partial result; go on with: tare bench --resume %s", s.sink.path)
		return told(s.signals.code)
	}
	gates, err := parseGates(s.flags.gates)
	if err != nil {
		return err
	}
	stopped, err := judgeGates(s.err, gates, sum)
	if err != nil {
		return err
	}
	if err := verdict(sum, s.broken, s.flags.strict, s); err != nil || !stopped {
		return err
	}
	return told(exitMissed)
}

// verdict is the exit code of a finished run.
func verdict(sum *result.Result, broken int, strict bool, s *session) error {
	var failures, doubts []string
	for _, r := range sum.Results {
		if r.Failed != "" || r.ForksFailed > 0 {
			failures = append(failures, r.Name)
		}
		if len(r.Warnings) > 0 {
			doubts = append(doubts, r.Name)
		}
	}
	switch {
	case len(failures) > 0:
		say(s.err, "error", fmt.Sprintf("%d of %d benchmarks failed in some fork: %s", len(failures), len(sum.Results), strings.Join(failures, ", ")))
		return told(exitFailed)
	case broken > 0:
		return told(exitFailed)
	case strict && len(doubts)+len(sum.Warnings) > 0:
		what := "the whole run"
		if len(doubts) > 0 {
			what = strings.Join(doubts, ", ")
		}
		say(s.err, "error", fmt.Sprintf("--strict: not trustworthy, see the notes: %s", what))
		return told(exitUntrusted)
	}
	return nil
}
