package plan

import (
	"context"
	"time"

	"github.com/tarebench/tare/record"
)

// A profiler's forks follow the timed forks of a round. Failed ones are not repeated: a profile needs no given
// number of forks, as an interval does.

// remainingProfiles returns the number of remaining profiler forks of a case in a round, and their expected duration.
func (p *Plan) remainingProfiles(c *record.Case, round int) (n int, took time.Duration) {
	for _, x := range p.Profiles {
		if p.needsProfile(x, c, round) {
			n++
			took += x.forkTime(c)
		}
	}
	return n, took
}

// forkTime returns the expected duration of a profiler's fork.
func (x Profile) forkTime(c *record.Case) time.Duration {
	return time.Duration(max(1, x.Slowdown))*time.Duration(c.Wall) + ForkOverhead
}

func (p *Plan) needsProfile(x Profile, c *record.Case, round int) bool {
	return round <= x.Rounds && (p.ProfileDone == nil || !p.ProfileDone(c.ID, round, x.Purpose))
}

// profiles runs the profiler forks of one round.
func (m *measuring) profiles(ctx context.Context, round int, order []*record.Case) error {
	for _, x := range m.Profiles {
		for _, c := range order {
			if !m.needsProfile(x, c, round) || m.abandoned(c) || m.profileAbandoned(c, x) {
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
	out, err := m.runFork(ctx, c, round, x.Purpose, x.forkTime(c))
	if err != nil {
		return err
	}
	k := profileKey{c.ID, x.Purpose}
	if out.Fork.State == record.StateOK {
		m.profileBad[k] = 0
		return nil
	}
	m.profileBad[k]++
	if m.profileAbandoned(c, x) {
		for round++; round <= min(x.Rounds, m.rounds()); round++ {
			if m.needsProfile(x, c, round) {
				m.total--
				m.remaining -= x.forkTime(c)
			}
		}
	}
	return nil
}

// profileAbandoned reports whether a profiler's forks of a case are abandoned after consecutive failures.
func (m *measuring) profileAbandoned(c *record.Case, x Profile) bool {
	return m.profileBad[profileKey{c.ID, x.Purpose}] >= maxFailures
}

type profileKey struct {
	caseID  int
	purpose string
}
