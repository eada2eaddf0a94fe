package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// What --latency has stdout show.
const (
	latencyIntended  = "intended"
	latencyOp        = "op"
	latencyBoth      = "both"
	latencyCorrected = "corrected"
)

// conclude shows the result, whole or so far, and says with what the command ends.
func (s *loadSession) conclude(err error) error {
	quit := s.signals.Caught()
	complete := err == nil && !quit
	if e := s.sink.closeAll(complete); e != nil && err == nil {
		err = e
	}
	sum := s.sink.Result()
	if e := s.print(sum); e != nil {
		return errors.Join(err, e)
	}
	if e := s.sink.export(s.show, sum); e != nil && err == nil {
		err = e
	}
	switch {
	case quit && s.sink.failed == nil:
		return s.signals.ExitError()
	case err != nil:
		return endedBy(err)
	}
	return s.verdict(sum)
}

// endedBy gives an error of a run the hint for it.
func endedBy(err error) error {
	if f := (*exit.Error)(nil); errors.As(err, &f) {
		return f
	}
	switch {
	case errors.Is(err, load.ErrMaxErrors):
		return failed(err, "the result so far was printed; --max-errors sets the bound")
	case errors.Is(err, load.ErrLate):
		return failed(err, "the result so far was printed; --on-late says what happens to late operations")
	}
	return failed(err, "")
}

// print writes the result to stdout.
func (s *loadSession) print(sum *result.Result) error {
	if s.format == render.JSONL {
		return session.CopyFile(s.out, s.sink.Path())
	}
	if sum.Load == nil && s.format != render.Text && s.format != render.Markdown && s.format != render.JSON && len(sum.Steps) == 0 {
		return nil // cut off before the run: there is nothing in this form to say
	}
	shown := *sum
	shown.Latencies = selectLatencies(sum, s.plan.latency)
	return s.show.show(s.out, s.format, &shown, s.sink.Path())
}

// selectLatencies leaves those that were asked for. tare's own lateness and errors
// are always told; where there is but one kind, it stays.
func selectLatencies(sum *result.Result, which string) []result.Latency {
	l := sum.Load
	if l == nil || which == latencyBoth || l.ClosedLoop && which == latencyIntended {
		return sum.Latencies
	}
	var out []result.Latency
	for _, x := range sum.Latencies {
		switch {
		case x.Kind == record.TagResponse && which == latencyOp, x.Kind == record.TagService && which == latencyIntended:
			continue
		}
		out = append(out, x)
		if which != latencyCorrected {
			continue
		}
		if c, ok := x.Corrected(l.Expected()); ok {
			out = append(out, c)
		}
	}
	return out
}

// verdict is the exit code of a run that came to its end.
func (s *loadSession) verdict(sum *result.Result) error {
	has := func(code string) bool {
		return slices.ContainsFunc(sum.Warnings, func(w result.Warning) bool { return w.Code == code })
	}
	missed := slices.ContainsFunc(sum.Objectives, func(o result.Outcome) bool { return !o.Met })
	if sum.Stepped == result.SteppedSearch {
		missed = sum.Knee == nil || sum.Knee.Rate == 0
	}
	switch {
	case has(codeIntegrity):
		return failed(errors.New("the database did not return what had been written"), "")
	case has(codeAllFailed):
		return failed(errors.New("every operation failed"), "")
	case missed:
		return exit.Silent(exit.Missed)
	case s.flags.strict:
		return s.strictly(sum)
	}
	return nil
}

// strictly refuses what is not trustworthy.
func (s *loadSession) strictly(sum *result.Result) error {
	var why []string
	if sum.Load != nil && sum.Load.Missed {
		why = append(why, result.CodeRateMissed)
	}
	for _, w := range sum.Warnings {
		if !slices.Contains(why, w.Code) {
			why = append(why, w.Code)
		}
	}
	if len(why) == 0 {
		return nil
	}
	exit.Message(s.err, "error", fmt.Sprintf("--strict: not trustworthy: %s", joinList(why)))
	return exit.Silent(exit.Untrusted)
}

func joinList(words []string) string {
	text := ""
	for i, w := range words {
		if i > 0 {
			text += ", "
		}
		text += w
	}
	return text
}

// dry prints the plan.
func (s *loadSession) dry() error {
	p := s.plan
	rows := [][]string{{"database", p.binding.Name}}
	add := func(when bool, name, format string, args ...any) {
		if when {
			rows = append(rows, []string{name, fmt.Sprintf(format, args...)})
		}
	}
	add(s.flags.workload != "", "workload", "%s", s.flags.workload)
	add(p.binding.OpenDB != nil, "records", "%d", p.workload.RecordCount)
	for _, name := range kv.Properties(p.shown()).Names() {
		add(true, "property", "%s=%s", name, p.shown()[name])
	}
	add(true, "arrivals", "%s", s.arrivals())
	if p.run.Auto {
		add(true, "workers", "auto, up to %d", p.most())
	} else {
		add(true, "workers", "%d", p.run.Workers)
	}
	add(p.warmup > 0, "warm-up", "%s", p.warmup)
	add(p.run.Operations > 0, "operations", "%d", p.run.Operations)
	add(p.run.Duration > 0, "duration", "%s", p.run.Duration)
	add(s.stepped == "" && p.expected() > 0, "due", "about %d operations, warm-up included", p.expected())
	add(true, "late ones", "%s", p.onLate)
	for _, o := range p.slo {
		add(true, "slo", "%s", o)
	}
	add(true, "seed", "%s", p.seed)
	printRows(s.out, rows)
	return nil
}
