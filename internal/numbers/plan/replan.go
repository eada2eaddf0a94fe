package plan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/calibration"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// The N of a benchmark is checked by the forks that count, because calibration may have met a bad moment. If it is far
// off it is replaced, for all sides alike, and the forks with the old N are run again.

const (
	checkRounds = 2   // rounds after which N is checked
	maxReplans  = 2   // of one benchmark
	maxOff      = 1.5 // factor by which iterations may miss their target
	minChecked  = 2   // iterations without which N is not judged
)

// Replanned is called for each case whose N is replaced, with the [record.Replan] and the case with its new N.
type Replanned func(*record.Replan, *record.Case) error

// target returns how long an iteration of a case is to take.
func (p *Plan) target(c *record.Case) time.Duration {
	_, d := p.Config.Iterating(c)
	return d
}

// replanning is what a run knows of its N.
type replanning struct {
	seen    map[int][]calibration.Iteration // iterations of timed forks in the first rounds, by case ID
	samples map[int][]*record.Sample        // the same iterations without the first of each fork, by case ID
	done    map[identity]int                // how often N was replaced
	forks   map[int]int                     // timed forks, good or not, by case ID
	lost    map[int][]float64               // share of their time that others had, where it is known, by case ID
}

func newReplanning() replanning {
	return replanning{seen: map[int][]calibration.Iteration{}, samples: map[int][]*record.Sample{}, done: map[identity]int{}, forks: map[int]int{}, lost: map[int][]float64{}}
}

// see keeps the iterations of a timed fork of the first rounds, by which N is checked.
func (r *replanning) see(c *record.Case, round int, out *Outcome) {
	r.forks[c.ID]++
	if round > checkRounds || out.Fork.State != record.StateOK || c.Calibration == nil {
		return
	}
	whole := slices.DeleteFunc(slices.Clone(out.Samples), func(s *record.Sample) bool {
		return s.Role != "" || s.Phase == record.PhaseBaseline
	})
	r.seen[c.ID] = append(r.seen[c.ID], plausible(calibration.Iterations(whole))...)
	if out.Fork.Lost != nil {
		r.lost[c.ID] = append(r.lost[c.ID], *out.Fork.Lost)
	}
	r.samples[c.ID] = append(r.samples[c.ID], whole[min(1, len(whole)):]...)
}

// plausible returns the iterations whose wall time is at least the time of their own timer. A shorter wall time began too
// late and cannot be used: tare waited for a processor and read the result before this iteration late.
func plausible(its []calibration.Iteration) []calibration.Iteration {
	return slices.DeleteFunc(its, func(i calibration.Iteration) bool { return i.Wall < i.Timed })
}

// replan checks the N of the benchmarks of a round. It runs the forks of this and earlier rounds again for those that got
// another N.
func (m *measuring) replan(ctx context.Context, round int, order []*record.Case) error {
	for range maxReplans {
		if round > checkRounds {
			return nil
		}
		again, err := m.replace(round, order)
		if len(again) == 0 || err != nil {
			return err
		}
		for r := 1; r <= round; r++ {
			for _, c := range again {
				m.total++
				m.remaining += forkTime(c)
				if _, err := m.timedFork(ctx, c, r, false); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// replace gives benchmarks whose N is off another one. It returns their cases in the order of the round.
func (m *measuring) replace(round int, order []*record.Case) ([]*record.Case, error) {
	var again []*record.Case
	for _, sides := range m.groups() {
		first := sides[0]
		id := identity{first.Pkg, first.Name, first.Procs}
		if slices.ContainsFunc(sides, func(c *record.Case) bool { return !slices.Contains(order, c) }) || m.replans.done[id] >= maxReplans {
			continue
		}
		n, took := m.better(sides)
		if n == 0 || m.overBudget(time.Duration(round*len(sides))*forkTime(first)) {
			continue
		}
		m.replans.done[id]++
		var samples []*record.Sample
		for _, c := range sides {
			samples = append(samples, m.replans.samples[c.ID]...)
		}
		for _, c := range sides {
			if err := m.replaceN(c, round, n, took, samples); err != nil {
				return nil, err
			}
			again = append(again, c)
		}
	}
	slices.SortStableFunc(again, func(a, b *record.Case) int { return slices.Index(order, a) - slices.Index(order, b) })
	return again, nil
}

// better returns the N that a benchmark should have, and how long an iteration takes with the one that it has, ns. It
// returns 0 if there is no reason to replace it.
func (m *measuring) better(sides []*record.Case) (n int64, took float64) {
	c := sides[0]
	if c.Calibration == nil || m.abandoned(c) {
		return 0, 0
	}
	target := float64(m.target(c))
	if took = m.iterationTook(sides, target); took == 0 {
		return 0, 0
	}
	n = calibration.RoundN(float64(c.N) * target / took)
	off := math.Abs(math.Log(took / target))
	then := math.Abs(math.Log(took / target * float64(n) / float64(c.N)))
	if off <= math.Log(maxOff) || then >= off || n >= calibration.MaxN {
		return 0, took
	}
	return n, took
}

// iterationTook returns how long an iteration of a benchmark takes with the N that it has, ns: the geometric mean of its sides, so that
// those of a far faster one and of a far slower one are both bearable. It returns 0 if there are too few iterations to say.
func (m *measuring) iterationTook(sides []*record.Case, target float64) float64 {
	n, seen, product := 0, 0.0, 1.0
	for _, c := range sides {
		its := m.replans.seen[c.ID]
		if len(its) == 0 {
			continue
		}
		base := calibration.Baseline{Untimed: float64(c.Calibration.Fixed), Limit: float64(c.Calibration.Limit)}
		product *= max(1, base.Time(calibration.TypicalOf(its), c.N, target))
		n += len(its)
		seen++
	}
	if n < minChecked {
		return 0
	}
	return math.Pow(product, 1/seen)
}

// whyReplaced says why the N of a case was replaced, by how long an iteration with the old one took, ns, and was to take.
// If iterations have another length from here on, N follows from that, too.
func (m *measuring) whyReplaced(c *record.Case, took float64, target time.Duration) string {
	text := fmt.Sprintf("an iteration took %s, the target was %s", units.Time(int64(took)), units.Time(int64(target)))
	if k := c.Calibration; k.Lost >= loss.Marked {
		text = fmt.Sprintf("others had the processors for %s of the time in which N was chosen: %s", units.Percent(k.Lost), text)
	}
	if lost := m.replans.lost[c.ID]; len(lost) > 0 && stat.Median(lost) >= loss.Marked {
		text += fmt.Sprintf(", and others had the processors for %s of a fork's time", units.Percent(stat.Median(lost)))
	}
	if n, now := m.Config.Iterating(c); now != target {
		how := "shorter"
		if now > target {
			how = "longer"
		}
		text += fmt.Sprintf("; iterations are %s now, %d of %s in a fork", how, n, units.Time(int64(now)))
		if c.Long != "" {
			text += ", because of " + c.Long
		}
	}
	return text
}

// replaceN gives a case another N, decides again how long its iterations are, and forgets its timed forks. samples are those
// with the N so far, of all sides.
func (m *measuring) replaceN(c *record.Case, round int, n int64, took float64, samples []*record.Sample) error {
	line := &record.Replan{
		Case: c.ID, Round: round, From: c.N, Forks: m.replans.forks[c.ID], Time: int64(took),
	}
	target := m.target(c)
	before := forkTime(c)
	k := *c.Calibration
	from := c.N
	c.Wall = max(1, int64(float64(c.Wall)*float64(n)/float64(from)))
	c.N = n
	m.lengthAgain(c, from, samples)
	k.Time = int64(took * float64(c.N) / float64(from))
	c.Calibration, line.To = &k, c.N
	line.Why = m.whyReplaced(c, took, target)
	for r := round + 1; r <= m.rounds(); r++ {
		if !m.done(c, r) {
			m.remaining += forkTime(c) - before
		}
	}
	m.good[c.ID], m.bad[c.ID], *m.tally[c.ID] = 0, 0, Tally{}
	m.replans.seen[c.ID], m.replans.samples[c.ID], m.replans.lost[c.ID], m.replans.forks[c.ID] = nil, nil, nil, 0
	if m.Replanned == nil {
		return nil
	}
	return m.Replanned(line, c)
}
