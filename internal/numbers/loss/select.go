package loss

import (
	"math"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// MinForks is the fewest forks of a benchmark that give its value: the fewest that a 95 % interval of a median needs.
const MinForks = 6

// Select reports for each side of a benchmark whether only the forks that are not starved count. They do if some are
// starved, and at least MinForks of each side are not. The sides are treated alike, so that none is chosen more strictly.
// A share that is NaN is not known, and counts as not starved.
func Select(sides ...[]float64) bool {
	starved := false
	for _, shares := range sides {
		calm := 0
		for _, s := range shares {
			if IsStarved(s) {
				starved = true
			} else {
				calm++
			}
		}
		if calm < MinForks {
			return false
		}
	}
	return starved
}

// IsStarved reports whether a share is above the limit for forks that count.
func IsStarved(share float64) bool { return share > Starved }

// Shares returns the share that each fork of one benchmark lost, NaN where it is not known: what was read while it ran,
// else what follows from its CPU time.
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

// byUsage estimates shares from the CPU time of whole processes, which older records have. It says something only of a
// benchmark that keeps a processor busy in a quarter of its forks: what its other forks use less, they did not get. One
// that waits for something else in every fork is never called starved; nor is one that others starved all the time.
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
