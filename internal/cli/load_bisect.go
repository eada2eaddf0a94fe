package cli

import "math"

// search decides which rate is tried next. It is a function of what has been
// tried.
type search struct {
	start, most, precision float64
	tried                  []triedRate
}

type triedRate struct {
	rate float64
	met  bool
}

// mostSteps bounds a search that a noisy system leads in circles.
const mostSteps = 60

// leastRate is where a search gives up: one operation in ten seconds.
const leastRate = 0.1

// confirmations is how often the answer must have been met.
const confirmations = 2

func (s *search) tell(rate float64, met bool) { s.tried = append(s.tried, triedRate{rate, met}) }

// bracket is the highest rate that was met, with how often, below the lowest one
// that was missed. Either is 0 if there is none.
func (s *search) bracket() (met float64, times int, missed float64) {
	for _, t := range s.tried {
		if !t.met && (missed == 0 || t.rate < missed) {
			missed = t.rate
		}
	}
	for _, t := range s.tried {
		if t.met && t.rate > met && (missed == 0 || t.rate < missed) {
			met = t.rate
		}
	}
	for _, t := range s.tried {
		if t.met && t.rate == met {
			times++
		}
	}
	return met, times, missed
}

// next returns the rate to try, or false at the end.
func (s *search) next() (rate float64, more bool) {
	if len(s.tried) >= mostSteps {
		return 0, false
	}
	met, times, missed := s.bracket()
	switch {
	case len(s.tried) == 0:
		return s.start, true
	case met == 0:
		rate = threeDigits(missed / 2)
		return rate, rate >= leastRate
	case missed == 0 && met < s.most:
		return min(threeDigits(met*2), s.most), true
	case missed > 0 && missed/met > 1+s.precision:
		if rate = threeDigits(math.Sqrt(met * missed)); rate > met && rate < missed {
			return rate, true
		}
	}
	return met, times < confirmations
}

// threeDigits rounds a rate so that people can read it.
func threeDigits(x float64) float64 {
	ten := math.Pow(10, 2-math.Floor(math.Log10(x)))
	return math.Round(x*ten) / ten
}
