package plan

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/tarebench/tare/record"
)

// A budget binds the calibration, too: what it does not hold is calibrated briefly, then left to package testing, then
// left out of the run, the longest first.

const (
	overrun   = 10 * time.Second // by which the first round may exceed the budget before benchmarks are left out
	dearShare = 4                // part of the budget, as 1/dearShare, that a benchmark may take of a round where not all fit
)

// binds reports whether the budget ends the calibration.
func (p *Plan) binds() bool { return p.BudgetBinds && p.Config.Budget > 0 }

// left returns what a round of all cases would leave of the budget; negative if it does not hold one.
func (p *Plan) left() time.Duration { return p.Config.Budget - p.spent() - p.RoundGuess() }

// HoldsCalibration reports whether the budget holds the calibration of a case, and then a round of all.
func (p *Plan) HoldsCalibration(c *record.Case) bool {
	return !p.binds() || p.CalibrationTime([]*record.Case{c}) <= p.left()
}

// EnoughForRound returns the shortest budget that holds the calibration of the cases that have none, and a round of all.
func (p *Plan) EnoughForRound() time.Duration {
	d := p.spent() + p.RoundGuess()
	for _, c := range p.Cases {
		if c.Wall == 0 {
			d += p.CalibrationTime([]*record.Case{c})
		}
	}
	return d
}

// isOverdue reports whether the calibration of a case must end, so that a round still fits into the budget.
func (p *Plan) isOverdue() bool { return p.binds() && p.left() < 0 }

// Guess plans a case without calibration: its N is that of the same benchmark on another side, if like is not nil and has
// one, or is left to package testing unless it was given. The fork is expected to take what the first operation took.
func (p *Plan) Guess(c, like *record.Case) {
	c.Wall = 0
	c.Wall = max(1, int64(p.forkGuess(c)))
	switch {
	case like != nil:
		c.Wall = like.Wall
		p.takeOver(c, like)
		return
	case p.searched(c):
		c.Mode, c.N = record.ModeTime, 0
		p.setGuessed(c)
	}
	p.shorten(c, nil)
}

// IsGuessed reports whether the N of a case was to be searched and is left to package testing, because of the budget.
func (p *Plan) IsGuessed(c *record.Case) bool { return p.guessed[c.ID] }

func (p *Plan) setGuessed(c *record.Case) {
	if p.guessed == nil {
		p.guessed = map[int]bool{}
	}
	p.guessed[c.ID] = true
}

// takeOver gives a case N and the iterations of the same benchmark on another side.
func (p *Plan) takeOver(c, base *record.Case) {
	c.N, c.Iterations, c.Time, c.Long, c.Calibration = base.N, base.Iterations, base.Time, base.Long, base.Calibration
	if p.IsGuessed(base) {
		c.Mode = base.Mode
		p.setGuessed(c)
	}
}

// unit is what stays or goes as a whole: a benchmark, or a group of sub-benchmarks, on all sides.
func unit(c *record.Case) identity { return identity{c.Pkg, cmp.Or(c.Group, c.Name), c.Procs} }

// LeaveOut removes the benchmarks from the plan that the budget does not hold a round of, the longest first. It also
// removes those that take a quarter of it, if it does not hold the calibration of all and a round. One benchmark stays in
// any case. What was removed is returned in the order of the plan.
func (p *Plan) LeaveOut() []*record.Case {
	if !p.binds() {
		return nil
	}
	round, all := map[identity]time.Duration{}, map[identity]time.Duration{}
	for _, c := range p.Cases {
		d := p.forkGuess(c)
		round[unit(c)] += d
		all[unit(c)] += d
		if c.Wall == 0 {
			all[unit(c)] += p.calibrationTime([]*record.Case{c}, true)
		}
	}
	units := slices.Collect(maps.Keys(round))
	slices.SortFunc(units, func(a, b identity) int {
		return cmp.Or(cmp.Compare(round[a], round[b]), cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name), cmp.Compare(a.procs, b.procs))
	})
	keep := map[identity]bool{}
	left := p.Config.Budget - p.spent()
	rounds, alls := left+overrun, left
	for i, u := range units {
		rounds -= round[u]
		alls -= all[u]
		dear := round[u] > p.Config.Budget/dearShare && alls < 0
		keep[u] = i == 0 || rounds >= 0 && !dear
	}
	var out []*record.Case
	p.Cases = slices.DeleteFunc(p.Cases, func(c *record.Case) bool {
		if !keep[unit(c)] {
			out = append(out, c)
		}
		return !keep[unit(c)]
	})
	return out
}
