package plan

import (
	"context"
	"slices"

	"github.com/tarebench/tare/record"
)

// A fork that waited too long for a processor (record.Fork.Starved) is repeated at the end of its round, in the order of
// the round, by the same rule on all sides. If the repeat waited too long, too, there is another one in this or a later
// round, because other processes seldom use the processors all the time. There are at most as many repeats as rounds.

// repeatPasses is the most repeats of a case in one round. A burst of others' load often outlasts one.
const repeatPasses = 2

// Tally counts the good forks of a case.
type Tally struct {
	Forks      int // forks that are no repeats
	AboveLimit int // of Forks, those that lost more than loss.Limit
	Repeated   int // repeats
	Calm       int // of Repeated, those that lost less
}

// add counts a fork. One that failed counts only as a repeat.
func (t *Tally) add(f *record.Fork, repeat bool) {
	good := f.State == record.StateOK
	switch {
	case repeat:
		t.Repeated++
		if good && !f.Starved {
			t.Calm++
		}
	case good:
		t.Forks++
		if f.Starved {
			t.AboveLimit++
		}
	}
}

// owed returns the number of forks above the limit that no calm repeat has replaced.
func (t *Tally) owed() int { return t.AboveLimit - t.Calm }

// tallies returns the tally of each case before anything is measured, by its ID; that of a resumed run counts its forks.
func (p *Plan) tallies() map[int]*Tally {
	out := map[int]*Tally{}
	for _, c := range p.Cases {
		out[c.ID] = &Tally{}
		if p.Tally != nil {
			*out[c.ID] = p.Tally(c.ID)
		}
	}
	return out
}

// repeatAboveLimit repeats forks that waited too long for a processor at the end of a round, as long as the budget allows
// it. A run that is resumed repeats them in the rounds that are left.
func (m *measuring) repeatAboveLimit(ctx context.Context, round int, order []*record.Case) error {
	left := slices.ContainsFunc(order, func(c *record.Case) bool { return !m.done(c, round) })
	if !left && round < m.rounds() {
		return nil
	}
	for range repeatPasses {
		m.shared.next(order, func(c *record.Case) bool { return m.owesRepeat(c, round) })
		for _, c := range order {
			if !m.owesRepeat(c, round) || !m.shared.has(c, round) && m.overBudget(max(forkTime(c), m.processTime(c))) {
				continue
			}
			m.total++
			m.repeats++
			m.remaining += forkTime(c)
			if _, err := m.timedFork(ctx, c, round, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// owesRepeat reports whether a fork of a case is to be repeated in a round because an earlier one waited too long.
func (m *measuring) owesRepeat(c *record.Case, round int) bool {
	t := m.tally[c.ID]
	return !m.Config.NoRepeat && t.owed() > 0 && t.Repeated < round && !m.abandoned(c)
}

// observed returns a Runner that also counts how many forks of the calibration waited too long for a processor. Forks
// whose loss is not known, because they are too short, do not count.
func (p *Plan) observed(run Runner) Runner {
	if p.calibrationTally == nil {
		p.calibrationTally = map[int]Tally{}
	}
	return func(ctx context.Context, r Request) (*Outcome, error) {
		out, err := run(ctx, r)
		if err == nil && out.Fork.Lost != nil {
			t := p.calibrationTally[r.Case.ID]
			t.add(&out.Fork, false)
			p.calibrationTally[r.Case.ID] = t
		}
		return out, err
	}
}

// repeatRate returns the expected number of repeats for each fork of a case, from 0 to 1, by the forks of the
// calibration.
func (p *Plan) repeatRate(c *record.Case) float64 {
	t := p.calibrationTally[c.ID]
	if p.Config.NoRepeat || t.Forks == 0 {
		return 0
	}
	return float64(t.AboveLimit) / float64(t.Forks)
}
