package loadrun

import (
	"math"
	"slices"

	"github.com/tarebench/tare/internal/numbers/pace"
)

// bisection chooses the next rate from the outcomes of the rates that were tried.
type bisection struct {
	start, most, precision float64
	tried                  []triedRate
}

type triedRate struct {
	rate      float64
	met       bool
	undecided bool // the load generator was too late to tell
}

// maxSteps ends a search that does not converge because the system is noisy.
const maxSteps = 60

// undecidedTries is how often in a row a rate is tried if it is undecided whether it meets the objectives.
const undecidedTries = 3

// leastRate is the rate below which a search gives up: one operation in ten seconds.
const leastRate = 0.1

// confirmations is how often the highest rate must meet the objectives.
const confirmations = 2

func (b *bisection) add(rate float64, met bool) {
	b.tried = append(b.tried, triedRate{rate: rate, met: met})
}

func (b *bisection) addUndecided(rate float64) {
	b.tried = append(b.tried, triedRate{rate: rate, undecided: true})
}

// undecided returns how many of the last steps were undecided, one after the other.
func (b *bisection) undecided() (n int) {
	for _, t := range slices.Backward(b.tried) {
		if !t.undecided {
			break
		}
		n++
	}
	return n
}

// bracket returns the lowest rate that missed the objectives, and the highest rate below
// it that met them, with how often it did. A rate is 0 if there is none.
func (b *bisection) bracket() (met float64, times int, missed float64) {
	for _, t := range b.tried {
		if !t.met && !t.undecided && (missed == 0 || t.rate < missed) {
			missed = t.rate
		}
	}
	for _, t := range b.tried {
		if t.met && t.rate > met && (missed == 0 || t.rate < missed) {
			met = t.rate
		}
	}
	for _, t := range b.tried {
		if t.met && t.rate == met {
			times++
		}
	}
	return met, times, missed
}

// next returns the rate to try next; more is false at the end.
func (b *bisection) next() (rate float64, more bool) {
	if len(b.tried) >= maxSteps {
		return 0, false
	}
	met, times, missed := b.bracket()
	switch {
	case len(b.tried) == 0:
		return b.start, true
	case b.undecided() > 0:
		return b.tried[len(b.tried)-1].rate, b.undecided() < undecidedTries
	case met == 0:
		rate = pace.RoundRate(missed / 2)
		return rate, rate >= leastRate
	case missed == 0 && met < b.most:
		return min(pace.RoundRate(met*2), b.most), true
	case missed > 0 && missed/met > 1+b.precision:
		if rate = pace.RoundRate(math.Sqrt(met * missed)); rate > met && rate < missed {
			return rate, true
		}
	}
	return met, times < confirmations
}
