package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// measure writes the head of the record and runs the forks.
func (s *benchSession) measure() error {
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
		stop, err = s.plan.Measure(s.signals.Context(), s.signals.Quit(), s.fork, s.look)
		return err
	})
	t.Planned = int64(planned)
	return s.finish(t, stop.Why, fmt.Sprintf("interrupted in round %d of %d", stop.Rounds, s.run.Config.Forks), err)
}

// weighed runs forks, has them recorded, and says what tare weighed meanwhile.
func (s *benchSession) weighed(forks func() error) (*record.Tare, error) {
	s.runner.Forget()
	var own []float64
	s.runner.Write = func(l record.Line) error {
		if f, ok := l.(*record.Fork); ok && f.Own > 0 {
			own = append(own, float64(f.Own))
		}
		return s.sink.Write(l)
	}
	overhead := session.StartOverhead()
	err := forks()
	t := overhead.Line()
	t.Peak = s.runner.Launcher.Peak()
	if len(own) > 0 {
		t.Launcher = int64(stat.Median(own))
	}
	return t, err
}

func (s *benchSession) write(l record.Line) error { return s.sink.Write(l) }

// finish writes the end of the record: what tare weighed, the doubts, and how
// the run ended: why it is over, or where it was cut off.
func (s *benchSession) finish(t *record.Tare, why, cut string, err error) error {
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
	if e := s.sink.Close(!interrupted); e != nil {
		return e
	}
	return err
}

func (s *benchSession) header() *record.Run {
	r := s.run
	head := session.NewRun(s.start, s.bins[0].built.Go)
	r.Version, r.Tare, r.Start, r.Mono, r.Env = head.Version, head.Tare, head.Start, head.Mono, head.Env
	r.Command = s.command
	r.Config.Setenv = session.MaskPairs(r.Config.Setenv)
	r.Sides = slices.Clone(r.Sides)
	for i := range r.Sides {
		r.Sides[i].Setenv = session.MaskPairs(r.Sides[i].Setenv)
	}
	return &r
}

// writePlan writes binaries, cases and what the pilot lost. The line with what
// tare weighs comes last: a record that has it holds the whole plan.
func (s *benchSession) writePlan() error {
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
func (s *benchSession) parallelWarning(c *record.Case) *record.Warn {
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
func (s *benchSession) tell(c *record.Case, p plan.Progress) {
	if p.Round == 2 && p.Forks == len(s.plan.Cases) {
		s.progress.ShowNext()
	}
	s.progress.Step(func() string {
		text := fmt.Sprintf("round %d/%d · fork %d/%d · %s left · %s", p.Round, p.Rounds, p.Forks+1, p.Of, p.Left.Round(time.Second), c.Name)
		if r, ok := s.sink.Case(c.ID); ok {
			text += " " + render.Estimate(r)
		}
		return text
	})
}

// look asks whether the intervals are narrow enough.
func (s *benchSession) look(l plan.Look) bool {
	out := plan.Judge(s.sink.ResultAt(l.Confidence), l, s.run.Config.Precision)
	if err := s.write(&out); err != nil {
		return false
	}
	return out.Stop
}

// conclude prints the result and decides the exit code.
func (s *benchSession) conclude() error {
	sum := s.sink.Result()
	if err := s.export(sum); err != nil {
		return err
	}
	if s.signals.Caught() {
		s.progress.Note("partial result; go on with: tare bench --resume %s", s.sink.Path())
		return s.signals.ExitError()
	}
	gates, err := parseGates(s.flags.gates)
	if err != nil {
		return err
	}
	stopped, err := judgeGates(s.err, gates, sum)
	if err != nil {
		return err
	}
	if err := verdict(s.err, sum, s.broken, s.flags.strict); err != nil || !stopped {
		return err
	}
	return exit.Silent(exit.Missed)
}

// verdict is the exit code of a finished run.
func verdict(w io.Writer, sum *result.Result, broken int, strict bool) error {
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
		exit.Message(w, "error", fmt.Sprintf("%d of %d benchmarks failed in some fork: %s", len(failures), len(sum.Results), strings.Join(failures, ", ")))
		return exit.Silent(exit.Failure)
	case broken > 0:
		return exit.Silent(exit.Failure)
	case strict && len(doubts)+len(sum.Warnings) > 0:
		what := "the whole run"
		if len(doubts) > 0 {
			what = strings.Join(doubts, ", ")
		}
		exit.Message(w, "error", fmt.Sprintf("--strict: not trustworthy, see the notes: %s", what))
		return exit.Silent(exit.Untrusted)
	}
	return nil
}
