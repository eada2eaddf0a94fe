package loss

import (
	"math"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// MinForks is the fewest forks of a benchmark that give its value: the fewest that a 95 % interval of a median needs.
const MinForks = 6

// Select reports whether the forks whose lost share is above [Limit] are excluded, given the shares of each side of a
// benchmark. They are if there are any, and at least MinForks of each side remain. The same rule applies to all sides, so
// that no side is chosen more strictly. A share that is NaN is not known, and counts as below the limit.
func Select(sides ...[]float64) bool {
	found := false
	for _, shares := range sides {
		calm := 0
		for _, s := range shares {
			if AboveLimit(s) {
				found = true
			} else {
				calm++
			}
		}
		if calm < MinForks {
			return false
		}
	}
	return found
}

// AboveLimit reports whether a share of lost time is above [Limit].
func AboveLimit(share float64) bool { return share > Limit }

// Shares returns the share of time that each fork of one benchmark lost. It was read while the fork ran. If it was read of
// no fork, it is estimated from the CPU times. It is NaN where it is not known.
func Shares(forks []*record.Fork) []float64 {
	out := make([]float64, len(forks))
	measured := false
	for i, f := range forks {
		out[i] = math.NaN()
		if f.Lost != nil {
			out[i], measured = *f.Lost, true
		}
	}
	if !measured {
		byUsage(out, forks)
	}
	return out
}

// Limits of byUsage.
const (
	bound    = 0.9 // CPU time over wall time of a fork that works all the time
	minBound = 4   // at least 1 of so many forks must be such, and at least 3
)

// byUsage estimates shares from the CPU time of whole processes, which older records have. It needs a benchmark that keeps
// a processor busy in a quarter of its forks: the CPU time that other forks lack was lost. It finds no loss in a benchmark
// that waits for something else in every fork, nor in one that waits for a processor in every fork.
func byUsage(out []float64, forks []*record.Fork) {
	var used []float64
	busy := 0
	for _, f := range forks {
		u := math.NaN()
		if f.Wall > 0 && f.User+f.Sys > 0 {
			u = float64(f.User+f.Sys) / float64(f.Wall)
		}
		used = append(used, u)
		if u >= bound {
			busy++
		}
	}
	if busy < 3 || busy*minBound < len(forks) {
		return
	}
	for i, u := range used {
		if !math.IsNaN(u) {
			out[i] = max(0, bound-u) / bound
		}
	}
}

// Median returns the median of the shares that are known, and how many are.
func Median(shares []float64) (median float64, known int) {
	var xs []float64
	for _, s := range shares {
		if !math.IsNaN(s) {
			xs = append(xs, s)
		}
	}
	if len(xs) == 0 {
		return 0, 0
	}
	return stat.Median(xs), len(xs)
}
