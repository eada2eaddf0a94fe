package plan

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/tarebench/tare/record"
)

// ErrInterrupted is returned by Measure when the run was interrupted.
var ErrInterrupted = errors.New("interrupted")

// maxFailures is the number of consecutive failures, without any success before, after which a case is abandoned.
const maxFailures = 3

// Stop says why measuring ended.
type Stop struct {
	Reason string
	Rounds int // rounds that were started
}

// measuring is the state of one Measure.
type measuring struct {
	*Plan
	run        Runner
	quit       <-chan struct{}
	start      time.Time
	forks      int                // forks run so far
	total      int                // forks planned
	planned    time.Duration      // expected duration of the forks run so far
	remaining  time.Duration      // expected duration of the remaining forks
	good       map[int]int        // successful forks by case ID
	bad        map[int]int        // consecutive failures by case ID
	tally      map[int]*Tally     // repeats by case ID
	repeats    int                // forks of this run that are repeats
	profileBad map[profileKey]int // consecutive failures of a profiler's forks
	replans    replanning
	firstBlock int // of a spread run; 0 before it
	shared     shared
}

// Measure runs the rounds. Closing quit lets the current fork finish; Measure then returns ErrInterrupted. Ending the
// context also kills the current fork. isPrecise, if not nil, reports at each interim analysis whether the intervals
// are narrow enough.
func (p *Plan) Measure(ctx context.Context, quit <-chan struct{}, run Runner, isPrecise func(Analysis) bool) (Stop, error) {
	m := &measuring{Plan: p, run: run, quit: quit, start: time.Now(), good: map[int]int{}, bad: map[int]int{}, profileBad: map[profileKey]int{}, tally: p.tallies(), replans: newReplanning()}
	for round := 1; round <= p.rounds(); round++ {
		for _, c := range p.Cases {
			n, took := p.remainingProfiles(c, round)
			m.total += n
			m.remaining += took
			if p.done(c, round) {
				m.good[c.ID]++
				continue
			}
			m.total++
			m.remaining += forkTime(c)
		}
	}
	if p.Config.Order == Grouped {
		return m.grouped(ctx)
	}
	return m.interleaved(ctx, isPrecise)
}

// The orders of forks.
const (
	Interleaved = "interleaved"
	Grouped     = "grouped"
)

func (m *measuring) interleaved(ctx context.Context, isPrecise func(Analysis) bool) (Stop, error) {
	analyses := m.analyses()
	for round := 1; round <= m.rounds(); round++ {
		if m.forks > 0 && m.overBudget(m.roundTime(m.Cases, round)) {
			return Stop{record.WhyBudgetSpent, round - 1}, nil
		}
		if err := m.awaitBlock(ctx, round); err != nil {
			return Stop{err.Error(), round}, err
		}
		if err := m.round(ctx, round, m.shuffle(round)); err != nil {
			return Stop{err.Error(), round}, err
		}
		if len(analyses) > 0 && analyses[0].Round == round {
			if isPrecise != nil && isPrecise(analyses[0]) {
				return Stop{"the precision is reached", round}, nil
			}
			analyses = analyses[1:]
		}
	}
	return Stop{"", m.rounds()}, nil
}

func (m *measuring) grouped(ctx context.Context) (Stop, error) {
	order := m.shuffle(0)
	for i, c := range order {
		if c.Group != "" && slices.ContainsFunc(order[:i], func(x *record.Case) bool { return sameProcess(x, c) }) {
			continue // measured with the first of its group
		}
		for round := 1; round <= m.rounds(); round++ {
			one := slices.DeleteFunc(slices.Clone(order), func(x *record.Case) bool { return x != c && !sameProcess(x, c) })
			if m.forks > 0 && m.overBudget(m.roundTime(one, round)) {
				return Stop{record.WhyBudgetSpent, round - 1}, nil
			}
			if err := m.round(ctx, round, one); err != nil {
				return Stop{err.Error(), round}, err
			}
		}
	}
	return Stop{"", m.rounds()}, nil
}

// overBudget reports whether the remaining budget is less than the next forks need. The first round always runs.
func (m *measuring) overBudget(next time.Duration) bool {
	b := m.Config.Budget
	return b > 0 && next > 0 && time.Since(m.budgetStart())+next > b
}

// budgetStart returns the time from which the budget counts.
func (m *measuring) budgetStart() time.Time {
	if m.Began.IsZero() {
		return m.start
	}
	return m.Began
}

// roundTime returns the expected duration of the remaining forks of a round.
func (m *measuring) roundTime(cases []*record.Case, round int) time.Duration {
	var d time.Duration
	for _, c := range cases {
		if m.abandoned(c) {
			continue
		}
		if !m.done(c, round) {
			d += forkTime(c)
		}
		_, took := m.remainingProfiles(c, round)
		d += took
	}
	return d
}

// round runs one fork of each case. At its end it repeats failed forks once, and then those that waited too long for a
// processor.
func (m *measuring) round(ctx context.Context, round int, order []*record.Case) error {
	if m.BeforeRound != nil {
		m.BeforeRound(round)
	}
	var again []*record.Case
	m.shared.next(order, func(c *record.Case) bool { return !m.done(c, round) && !m.abandoned(c) })
	for _, c := range order {
		if m.done(c, round) || m.abandoned(c) {
			continue
		}
		ok, err := m.timedFork(ctx, c, round, false)
		if err != nil {
			return err
		}
		if !ok {
			again = append(again, c)
		}
	}
	m.shared.next(again, func(c *record.Case) bool { return !m.abandoned(c) })
	for _, c := range again {
		if m.abandoned(c) {
			continue
		}
		m.total++
		m.remaining += forkTime(c)
		if _, err := m.timedFork(ctx, c, round, false); err != nil {
			return err
		}
	}
	if err := m.replan(ctx, round, order); err != nil {
		return err
	}
	if err := m.repeatAboveLimit(ctx, round, order); err != nil {
		return err
	}
	if err := m.profiles(ctx, round, order); err != nil {
		return err
	}
	if m.After != nil {
		m.After(round)
	}
	return nil
}

// abandoned reports whether a case is abandoned: it has never succeeded and failed often.
func (m *measuring) abandoned(c *record.Case) bool {
	return m.good[c.ID] == 0 && m.bad[c.ID] >= maxFailures
}

// runFork runs a fork for a purpose. takes is its expected duration.
func (m *measuring) runFork(ctx context.Context, c *record.Case, round int, purpose string, takes time.Duration) (*Outcome, error) {
	select {
	case <-m.quit:
		return nil, ErrInterrupted
	case <-ctx.Done():
		return nil, ErrInterrupted
	default:
	}
	if m.Before != nil {
		m.Before(c, m.progress(round))
	}
	out, err := m.process(ctx, m.request(c, round, purpose))
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	m.forks++
	m.planned += takes
	m.remaining -= takes
	return out, nil
}

// timedFork runs one fork of a case. It returns false if the fork failed. repeat is true if the fork replaces one that
// waited too long for a processor.
func (m *measuring) timedFork(ctx context.Context, c *record.Case, round int, repeat bool) (bool, error) {
	out, err := m.runFork(ctx, c, round, record.PurposeTiming, forkTime(c))
	if err != nil {
		return false, err
	}
	m.tally[c.ID].add(&out.Fork, repeat)
	m.replans.see(c, round, out)
	if out.Fork.State == record.StateOK {
		m.good[c.ID]++
		m.bad[c.ID] = 0
		return true, nil
	}
	m.bad[c.ID]++
	if m.abandoned(c) {
		m.dropRounds(c, round)
	}
	return false, nil
}

// dropRounds removes the forks of an abandoned case after this round from the plan.
func (m *measuring) dropRounds(c *record.Case, round int) {
	for round++; round <= m.rounds(); round++ {
		n, took := m.remainingProfiles(c, round)
		if !m.done(c, round) {
			n++
			took += forkTime(c)
		}
		m.total -= n
		m.remaining -= took
	}
}

// progress returns the state of the run. It scales the remaining time by how much longer forks took than planned, and how
// many were repeated.
func (m *measuring) progress(round int) Progress {
	left := m.remaining
	if firsts := m.forks - m.repeats; firsts > 0 {
		left += time.Duration(float64(left) * float64(m.repeats) / float64(firsts))
	}
	passed := time.Since(m.start)
	if m.planned > 0 {
		left = time.Duration(float64(left) * float64(passed) / float64(m.planned))
	}
	if m.firstBlock > 0 {
		blocks := m.Config.Blocks()
		left = max(left, m.Config.Spread*time.Duration(blocks-m.firstBlock+1)/time.Duration(blocks)-passed)
	}
	if b := m.Config.Budget; b > 0 {
		left = min(left, max(0, b-time.Since(m.budgetStart())))
	}
	return Progress{Round: round, Rounds: m.rounds(), Done: m.forks, Total: m.total, Remaining: left}
}
