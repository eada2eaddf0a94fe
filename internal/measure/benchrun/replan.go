package benchrun

import (
	"time"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// replanned records that a case has another N, and says so.
func (c *Calibrated) replanned(r *record.Replan, x *record.Case) error {
	c.Progress.Note("%s%s: N was %d and is %d from here on: %s; %s not count", sideLabel(x.Side), x.Name, r.From, r.To, r.Why, doNot(r.Forks))
	return c.write(r, x)
}

func doNot(forks int) string {
	if forks == 1 {
		return "1 fork does"
	}
	return units.Plural(forks, "fork") + " do"
}

// budgetFor shortens the calibration if the budget does not hold it and one round, and says beforehand what both will
// cost. left are the cases that are not calibrated yet.
func budgetFor(p *plan.Plan, left []*record.Case, note func(format string, args ...any)) {
	b := p.Config.Budget
	if b <= 0 || p.Brief || p.Config.Forks == 0 { // a search has no rounds that a budget would hold
		return
	}
	round := p.RoundGuess()
	whole := p.CalibrationTime(left) + round
	remaining := b - time.Since(p.Began)
	first := len(left) == len(p.Cases)
	switch {
	case whole > remaining:
		p.Brief = true
		note("--budget %s does not hold the calibration (about %s) and a round (about %s) of %s: calibrating briefly, and leaving N to package testing where it is spent. Use --budget %s, or fewer benchmarks", b,
			seconds(whole-round), seconds(round), units.Plural(len(p.Cases), "benchmark"), seconds((b-remaining+whole)*21/20)) // an estimate: not the same budget again
	case first:
		note("%s: calibration about %s, a round about %s; --budget %s holds about %d of %d rounds", units.Plural(len(p.Cases), "benchmark"),
			seconds(whole-round), seconds(round), b, min(p.Config.Forks, int((remaining-whole+round)/round)), p.Config.Forks)
	}
}

// longRun is the expected duration of a run from which on it is said beforehand.
const longRun = time.Minute

// announce says what a long run will cost, where no budget limits it.
func announce(p *plan.Plan, note func(format string, args ...any)) {
	round := p.RoundGuess()
	calibration := p.CalibrationTime(p.Cases)
	all := calibration + time.Duration(p.Config.Forks)*round
	if p.Config.Budget > 0 || all < longRun {
		return
	}
	note("%s: calibration about %s, %s of about %s: about %s in all; --budget limits it, --quick and fewer benchmarks shorten it", units.Plural(len(p.Cases), "benchmark"),
		seconds(calibration), units.Plural(p.Config.Forks, "round"), seconds(round), seconds(all))
}

// seconds rounds a duration to what an estimate is worth.
func seconds(d time.Duration) time.Duration {
	if d < time.Second {
		return max(d, 0).Round(10 * time.Millisecond)
	}
	if d < 10*time.Second {
		return max(d, 0).Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// muchLost is the share of the calibration's time in which others had the processors from which on it is said.
const muchLost = 0.1

// noteLost prints a note if other processes used the processors during the calibration. It is no warning: N depends
// only on the benchmarks' own time, and results report the time that their forks lost.
func noteLost(cases []*record.Case, note func(format string, args ...any)) {
	var shares []float64
	for _, c := range cases {
		if c.Calibration != nil {
			shares = append(shares, c.Calibration.Lost)
		}
	}
	if len(shares) == 0 {
		return
	}
	if lost := stat.Median(shares); lost >= muchLost {
		note("other processes used the processors for %s of the calibration", units.Percent(lost))
	}
}
