package load

import (
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
)

// closed reports whether there is no schedule.
func (s Schedule) closed() bool {
	return s.Rate == 0 && s.To == 0 && s.Over == 0 && len(s.Steps) == 0 && len(s.Times) == 0 && !s.Poisson
}

// ends reports whether the schedule itself ends.
func (s Schedule) ends() bool {
	return len(s.Times) > 0 || (len(s.Steps) > 0 && s.Steps[len(s.Steps)-1].For > 0)
}

// String returns a description of the schedule: "constant 5000/s", "closed loop".
func (s Schedule) String() string {
	if s.closed() {
		return "closed loop"
	}
	return s.pace(0).String()
}

// pace returns the schedule as a pace.Config without bounds.
func (s Schedule) pace(seed uint64) pace.Config {
	c := pace.Config{Rate: s.Rate, To: s.To, Over: s.Over, Times: s.Times, Poisson: s.Poisson, Seed: seed}
	for _, step := range s.Steps {
		c.Steps = append(c.Steps, pace.Step(step))
	}
	return c
}

// rateAt returns the rate in operations per second at a time from the start, for
// catching up at a multiple of it. In a pause it is the rate before it, or the first
// one after. For a replay, and at an end of a ramp where the rate is 0, it is the
// mean rate.
func (s Schedule) rateAt(t time.Duration) float64 {
	switch {
	case len(s.Times) > 0:
		if last := s.Times[len(s.Times)-1]; last > 0 {
			return float64(len(s.Times)) / last.Seconds()
		}
		return maxCatchUp
	case len(s.Steps) > 0:
		return stepAt(s.Steps, t)
	case s.Over > 0:
		share := min(float64(t)/float64(s.Over), 1)
		if r := s.Rate + (s.To-s.Rate)*share; r > 0 {
			return r
		}
		return (s.Rate + s.To) / 2
	}
	return s.Rate
}

// maxCatchUp is the rate of a replay whose operations are all due at once.
const maxCatchUp = 1e9

// stepAt returns the rate of a step at a time from the start, as rateAt does.
func stepAt(steps []Step, t time.Duration) float64 {
	rate, began := 0.0, time.Duration(0)
	for _, step := range steps {
		if rate == 0 || began <= t {
			if r := step.rateAt(t - began); r > 0 {
				rate = r
			}
		}
		if began += step.For; began > t && rate > 0 {
			break
		}
	}
	return rate
}

// rateAt returns the rate at a time from the begin of the step, that of its end afterwards. At
// an end of a ramp where the rate is 0 it is the mean rate.
func (s Step) rateAt(t time.Duration) float64 {
	if !s.Ramp || s.For <= 0 {
		return s.Rate
	}
	share := min(max(float64(t)/float64(s.For), 0), 1)
	if r := s.Rate + (s.To-s.Rate)*share; r > 0 {
		return r
	}
	return (s.Rate + s.To) / 2
}
