package plan

import (
	"context"
	"time"

	"github.com/tarebench/tare/record"
)

// A profiler's forks follow those that are timed, in each of its rounds. They
// are not repeated if they fail: what a profiler has to say does not depend on
// their number as an interval does.

// profilesLeft is how many forks of profilers a round has for a case, and how long
// they are expected to take.
func (p *Plan) profilesLeft(c *record.Case, round int) (n int, took time.Duration) {
	for _, x := range p.Profiles {
		if p.wants(x, c, round) {
			n++
			took += x.expected(c)
		}
	}
	return n, took
}

// expected is the expected time of a profiler's fork.
func (x Profile) expected(c *record.Case) time.Duration {
	return time.Duration(max(1, x.Slow))*time.Duration(c.Wall) + PerFork
}

func (p *Plan) wants(x Profile, c *record.Case, round int) bool {
	return round <= x.Rounds && (p.ProfileDone == nil || !p.ProfileDone(c.ID, round, x.Purpose))
}

// profiles runs the forks of profilers of one round.
func (m *measuring) profiles(ctx context.Context, round int, order []*record.Case) error {
	for _, x := range m.Profiles {
		for _, c := range order {
			if !m.wants(x, c, round) || m.lost(c) || m.profileLost(c, x) {
				continue
			}
			if err := m.profile(ctx, c, round, x); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *measuring) profile(ctx context.Context, c *record.Case, round int, x Profile) error {
	out, err := m.one(ctx, c, round, x.Purpose, x.expected(c))
	if err != nil {
		return err
	}
	k := profileKey{c.ID, x.Purpose}
	if out.Fork.State == record.StateOK {
		m.profileBad[k] = 0
		return nil
	}
	m.profileBad[k]++
	if m.profileLost(c, x) {
		for round++; round <= min(x.Rounds, m.rounds()); round++ {
			if m.wants(x, c, round) {
				m.of--
				m.left -= x.expected(c)
			}
		}
	}
	return nil
}

// profileLost reports whether a profiler's forks of a case have failed in a row.
func (m *measuring) profileLost(c *record.Case, x Profile) bool {
	return m.profileBad[profileKey{c.ID, x.Purpose}] >= giveUp
}

type profileKey struct {
	caseID  int
	purpose string
}
