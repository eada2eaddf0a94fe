package loadrun

import (
	"time"

	"github.com/tarebench/tare/load"
)

// warmupSchedule returns the schedule of the warm-up: the rate with which the run begins,
// or the mean rate of a replay.
func warmupSchedule(s load.Schedule) load.Schedule {
	switch {
	case len(s.Steps) > 0 && s.Steps[0].Rate == 0 && s.Steps[0].Ramp:
		return load.Schedule{Rate: s.Steps[0].To / 2, Poisson: s.Poisson}
	case len(s.Steps) > 0:
		return load.Schedule{Rate: s.Steps[0].Rate, Poisson: s.Poisson}
	case len(s.Times) > 0:
		last := s.Times[len(s.Times)-1]
		if last <= 0 {
			return load.Schedule{}
		}
		return load.Schedule{Rate: float64(len(s.Times)) / last.Seconds()}
	}
	return load.Schedule{Rate: s.Rate, Poisson: s.Poisson}
}

// due estimates how many operations a schedule has within a time. It returns 0 for a
// closed loop.
func due(s load.Schedule, d time.Duration) int64 {
	switch {
	case len(s.Times) > 0:
		return int64(len(s.Times))
	case len(s.Steps) > 0:
		n := 0.0
		for _, x := range s.Steps {
			mean := x.Rate
			if x.Ramp {
				mean = (x.Rate + x.To) / 2
			}
			n += mean * x.For.Seconds()
		}
		return int64(n)
	case s.Over > 0:
		ramp := min(d, s.Over).Seconds()
		end := s.Rate + (s.To-s.Rate)*ramp/s.Over.Seconds()
		return int64(ramp*(s.Rate+end)/2 + max(d-s.Over, 0).Seconds()*s.To)
	}
	return int64(s.Rate * d.Seconds())
}
