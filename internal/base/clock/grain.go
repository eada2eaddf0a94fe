package clock

import "slices"

// grain estimates the step of a clock from the differences of successive
// readings, in the clock's unit; 0 if the clock did not move.
//
// If readings are faster than the clock's step, some differences are zero and
// the smallest other one is the step. Otherwise every difference is at least
// one reading long; then the step is visible in the differences between them. A step
// T that is no integer number of nanoseconds gives k·T rounded down and up, so two
// adjacent values count as one, and only three in a row prove a step of 1.
func grain(steps []int64) int64 {
	s := slices.Clone(steps)
	slices.Sort(s)
	s = slices.Compact(s)
	zero, _ := slices.BinarySearch(s, 1)
	moved := s[zero:]
	if len(moved) == 0 {
		return 0
	}
	if zero > 0 {
		return moved[0]
	}
	least, first := moved[0], moved[0] // first of the current run of neighbours
	for i := 1; i < len(moved); i++ {
		switch v := moved[i]; {
		case v-first == 1:
		case v-first == 2 && moved[i-1] == v-1:
			return 1
		default:
			least = min(least, v-first)
			first = v
		}
	}
	return least
}
