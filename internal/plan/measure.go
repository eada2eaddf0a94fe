package plan

import (
	"context"
	"errors"
	"time"

	"github.com/tarebench/tare/record"
)

// ErrInterrupted is the error of a run that was interrupted.
var ErrInterrupted = errors.New("interrupted")

// giveUp is the number of failures in a row, without any success, after which a
// case is not tried again.
const giveUp = 3

// Stop is why measuring ended.
type Stop struct {
	Why    string
	Rounds int // rounds that were begun
}

// measuring is the state of one Measure.
type measuring struct {
	*Plan
	run     Runner
	quit    <-chan struct{}
	start   time.Time
	forks   int // run so far
	of      int
	planned time.Duration // expected time of the forks run so far
	left    time.Duration // expected time of those to come
	good    map[int]int   // forks that succeeded by case ID
	bad     map[int]int   // failures in a row by case ID

	profileBad map[profileKey]int // likewise, of profilers
}

// Measure runs the rounds. Closing quit lets it finish the fork in hand and
// return ErrInterrupted; ending the context kills that fork, too. isPrecise, if not
// nil, reports at each interim analysis whether the intervals are narrow enough.
func (p *Plan) Measure(ctx context.Context, quit <-chan struct{}, run Runner, isPrecise func(Analysis) bool) (Stop, error) {
	m := &measuring{Plan: p, run: run, quit: quit, start: time.Now(), good: map[int]int{}, bad: map[int]int{}, profileBad: map[profileKey]int{}}
	for round := 1; round <= p.rounds(); round++ {
		for _, c := range p.Cases {
			n, took := p.profilesLeft(c, round)
			m.of += n
			m.left += took
			if p.done(c, round) {
				m.good[c.ID]++
				continue
			}
			m.of++
			m.left += expected(c)
		}
	}
	if p.Config.Order == Grouped {
		return m.grouped(ctx)
	}
	return m.interleaved(ctx, isPrecise)
}

// The orders.
const (
	Interleaved = "interleaved"
	Grouped     = "grouped"
)

func (m *measuring) interleaved(ctx context.Context, isPrecise func(Analysis) bool) (Stop, error) {
	analyses := m.analyses()
	for round := 1; round <= m.rounds(); round++ {
		if round > 1 && m.spent(m.todo(m.Cases, round)) {
			return Stop{budgetSpent, round - 1}, nil
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
	for _, c := range m.shuffle(0) {
		for round := 1; round <= m.rounds(); round++ {
			one := []*record.Case{c}
			if m.forks > 0 && m.spent(m.todo(one, round)) {
				return Stop{budgetSpent, round - 1}, nil
			}
			if err := m.round(ctx, round, one); err != nil {
				return Stop{err.Error(), round}, err
			}
		}
	}
	return Stop{"", m.rounds()}, nil
}

const budgetSpent = "the budget is spent"

// spent reports whether the budget does not suffice for what would come next.
// What is begun is begun whatever it costs: without it there would be nothing.
func (m *measuring) spent(next time.Duration) bool {
	b := m.Config.Budget
	return b > 0 && next > 0 && time.Since(m.start)+next > b
}

// todo is the expected time of what is left to do of a round.
func (m *measuring) todo(cases []*record.Case, round int) time.Duration {
	var d time.Duration
	for _, c := range cases {
		if m.lost(c) {
			continue
		}
		if !m.done(c, round) {
			d += expected(c)
		}
		_, took := m.profilesLeft(c, round)
		d += took
	}
	return d
}

// round runs one fork of each case, and once more at its end those that failed.
func (m *measuring) round(ctx context.Context, round int, order []*record.Case) error {
	var again []*record.Case
	for _, c := range order {
		if m.done(c, round) || m.lost(c) {
			continue
		}
		ok, err := m.fork(ctx, c, round)
		if err != nil {
			return err
		}
		if !ok {
			again = append(again, c)
		}
	}
	for _, c := range again {
		if m.lost(c) {
			continue
		}
		m.of++
		m.left += expected(c)
		if _, err := m.fork(ctx, c, round); err != nil {
			return err
		}
	}
	if err := m.profiles(ctx, round, order); err != nil {
		return err
	}
	if m.After != nil {
		m.After(round)
	}
	return nil
}

// lost reports whether a case has only ever failed, and often enough.
func (m *measuring) lost(c *record.Case) bool { return m.good[c.ID] == 0 && m.bad[c.ID] >= giveUp }

// one runs a fork for a purpose. takes is its expected time.
func (m *measuring) one(ctx context.Context, c *record.Case, round int, purpose string, takes time.Duration) (*Outcome, error) {
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
	out, err := m.run(ctx, m.request(c, round, purpose))
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	if err != nil {
		return nil, err
	}
	m.forks++
	m.planned += takes
	m.left -= takes
	return out, nil
}

func (m *measuring) fork(ctx context.Context, c *record.Case, round int) (bool, error) {
	out, err := m.one(ctx, c, round, record.PurposeTiming, expected(c))
	if err != nil {
		return false, err
	}
	if out.Fork.State == record.StateOK {
		m.good[c.ID]++
		m.bad[c.ID] = 0
		return true, nil
	}
	m.bad[c.ID]++
	if m.lost(c) {
		m.dropRounds(c, round)
	}
	return false, nil
}

// dropRounds removes the forks of a lost case after this round from the plan.
func (m *measuring) dropRounds(c *record.Case, round int) {
	for round++; round <= m.rounds(); round++ {
		n, took := m.profilesLeft(c, round)
		if !m.done(c, round) {
			n++
			took += expected(c)
		}
		m.of -= n
		m.left -= took
	}
}

// progress scales what is left by how the time so far compares with the plan.
func (m *measuring) progress(round int) Progress {
	left := m.left
	passed := time.Since(m.start)
	if m.planned > 0 {
		left = time.Duration(float64(left) * float64(passed) / float64(m.planned))
	}
	if b := m.Config.Budget; b > 0 {
		left = min(left, max(0, b-passed))
	}
	return Progress{Round: round, Rounds: m.rounds(), Forks: m.forks, Of: m.of, Left: left}
}
