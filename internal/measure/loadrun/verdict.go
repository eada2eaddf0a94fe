package loadrun

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// writeWarnings writes the warnings that follow neither from the engine nor from the
// lines of the record.
func (r *Runner) writeWarnings(s *system) error {
	var ws []*record.Warn
	if r.plan.Strict {
		for _, weak := range s.caps.Weak {
			ws = append(ws, diagnosis.Warn(diagnosis.WeakSetting, diagnosis.Facts{"setting": weak}))
		}
	}
	sum := r.Result()
	loads := sum.Steps
	if sum.Load != nil && len(loads) == 0 {
		loads = []result.Load{*sum.Load}
	}
	var integrity, errs, done, sent int64
	for i := range loads {
		integrity += loads[i].Classes[load.Class(load.ErrIntegrity)]
		errs += loads[i].Errors
		done += loads[i].Operations
		sent += loads[i].Started
	}
	if integrity > 0 {
		ws = append(ws, diagnosis.Warn(diagnosis.Integrity, diagnosis.Facts{"reads": integrity}))
	}
	if sent > 0 && done == 0 {
		ws = append(ws, diagnosis.Warn(diagnosis.NoAnswer, nil))
	}
	if errs > 0 && errs == done {
		ws = append(ws, diagnosis.Warn(diagnosis.AllFailed, nil))
	}
	if w := r.plan.warnIdle(); w != nil {
		ws = append(ws, w)
	}
	if w := r.machine.Warning(); w != nil {
		ws = append(ws, w)
	}
	for _, w := range ws {
		if err := r.out.Write(w); err != nil {
			return err
		}
	}
	return nil
}

// RunError returns an error of Run with its exit code and hint. So many errors as end a run may have missed its objectives: sum is the
// result so far.
func RunError(err error, sum *result.Result) error {
	if e := exit.As(err); e != nil {
		return e
	}
	switch {
	case errors.Is(err, load.ErrMaxErrors):
		failed := exit.Failed(err, "the result so far was printed; --max-errors sets the bound")
		if gates := ofObjectives(sum); gates != nil && exit.As(gates).Code == exit.Missed {
			return judged(failed, gates)
		}
		return failed
	case errors.Is(err, load.ErrLate):
		return exit.Failed(err, "the result so far was printed; --on-late says what happens to late operations")
	}
	return exit.Failed(err, "")
}

// Verdict returns the error with which the command ends after a complete run, nil if
// everything is well. strict refuses results that are not trustworthy.
func Verdict(sum *result.Result, strict bool) error {
	has := func(code string) bool {
		return slices.ContainsFunc(sum.Warnings, func(w result.Warning) bool { return w.Code == code })
	}
	gates := ofObjectives(sum)
	switch sum.Stepped {
	case result.SteppedSearch:
		gates = ofSearch(sum)
	case result.SteppedSweep:
		gates = ofSweep(sum)
	}
	var failed error
	switch {
	case has(diagnosis.Integrity):
		failed = exit.Failed(errors.New("the database did not return what had been written"), "")
	case has(diagnosis.AllFailed):
		failed = exit.Failed(errors.New("every operation failed"), "")
	case has(diagnosis.NoAnswer):
		failed = exit.Failed(errors.New("no operation was answered"), "a longer --drain waits longer for the last answers; --op-timeout ends operations that hang")
	}
	switch {
	case failed != nil:
		return judged(failed, gates)
	case gates != nil:
		return gates
	case strict:
		return untrusted(sum)
	}
	return nil
}

// judged returns what failed with the exit code of the objectives, where these were missed or are not decided.
func judged(failed, gates error) error {
	if gates != nil {
		exit.As(failed).Code = exit.As(gates).Code
	}
	return failed
}

// ofObjectives returns the error with which a run ends whose objectives were missed or are not decided, nil if all were met.
func ofObjectives(sum *result.Result) error {
	is := func(state string) bool {
		return slices.ContainsFunc(sum.Objectives, func(o result.Outcome) bool { return o.Gate() == state })
	}
	return exit.OfGates(is(result.GateMissed), is(result.GateNotDecided))
}

// ofSweep returns the error with which a run at several rates ends, of which one missed an objective, or did not decide it.
func ofSweep(sum *result.Result) error {
	is := func(state string) bool {
		return slices.ContainsFunc(sum.Steps, func(l result.Load) bool {
			return !l.Partial && slices.ContainsFunc(l.Objectives, func(o result.Outcome) bool { return o.Gate() == state })
		})
	}
	return exit.OfGates(is(result.GateMissed), is(result.GateNotDecided))
}

// ofSearch returns the error with which a search ends: no rate meets the objectives, or it is undecided whether one does.
func ofSearch(sum *result.Result) error {
	if sum.Knee != nil && sum.Knee.Rate > 0 {
		return nil
	}
	decided := sum.Knee == nil || sum.Knee.Undecided == 0
	if len(sum.Steps) > 0 {
		decided = decided && slices.ContainsFunc(sum.Steps, missedTrusted)
	}
	return exit.OfGates(decided, !decided)
}

// missedTrusted reports whether a step missed its rate, or an objective, by what can be trusted.
func missedTrusted(l result.Load) bool {
	missed := slices.ContainsFunc(l.Objectives, func(o result.Outcome) bool { return o.Gate() == result.GateMissed })
	return !l.Partial && !l.Undecided && (missed || l.Missed)
}

// untrusted returns the error for a result that misses its rate or carries a warning, or
// nil.
func untrusted(sum *result.Result) error {
	var codes []string
	if sum.Load != nil && sum.Load.Missed {
		codes = append(codes, diagnosis.RateMissed)
	}
	lost := slices.ContainsFunc(sum.Warnings, func(w result.Warning) bool { return w.Code == diagnosis.AgentLost })
	if sum.Knee != nil && sum.Knee.Undecided > 0 && !lost {
		codes = append(codes, diagnosis.GeneratorLate)
	}
	for _, w := range sum.Warnings {
		if !slices.Contains(codes, w.Code) && !diagnosis.Of(w.Code).Harmless {
			codes = append(codes, w.Code)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	return &exit.Error{Err: fmt.Errorf("--strict: not trustworthy: %s", strings.Join(codes, ", ")), Code: exit.Untrusted}
}
