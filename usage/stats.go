package usage

import "time"

// Stats sums durations of the threads of a task, or of the tasks of a worker.
type Stats struct {
	Count         int
	Sum, Min, Max time.Duration
}

// Avg returns the mean, or 0 without durations.
func (s Stats) Avg() time.Duration {
	if s.Count == 0 {
		return 0
	}
	return s.Sum / time.Duration(s.Count)
}

func (s *Stats) add(d time.Duration) { s.addMany(d, 1) }

// addMany adds n durations of which only the sum is known. Minimum and maximum use
// their mean.
func (s *Stats) addMany(sum time.Duration, n int) {
	mean := sum / time.Duration(n)
	if s.Count == 0 || mean < s.Min {
		s.Min = mean
	}
	if s.Count == 0 || mean > s.Max {
		s.Max = mean
	}
	s.Count += n
	s.Sum += sum
}
