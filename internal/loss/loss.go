package loss

import (
	"math"

	"github.com/tarebench/tare/record"
)

// Shares of its time that a fork may lose.
const (
	Starved = 0.10 // above it a fork is starved: it is repeated, and does not count if enough others remain
	Marked  = 0.05 // a median over forks from which their benchmark is marked
)

// MinWall is the shortest wall time in which a loss can be told, ns: a result line arrives some 10 µs late.
const MinWall = 1e6

// Of returns the share of the wall time of a fork's measured iterations that it lost, between 0 and 1. It is known only if
// CPU time and delay of at least one iteration are, and the iterations took MinWall together. A first iteration counts
// only if the start of the process is the lesser part of it.
//
// An iteration whose delay is not known, as the last one's is if threads have ended, is taken to wait on its own for as
// large a share as the others do.
func Of(samples []*record.Sample) (share float64, known bool) {
	var full, part times // with and without delay
	last := 0
	for _, s := range samples {
		if s.Phase != record.PhaseMeasure || s.Iter == last {
			continue // roles share an iteration
		}
		last = s.Iter
		switch {
		case s.Iter == 1 && s.Ns < s.Wall/2:
		case s.Batched && s.Delay > 0:
			full.add(s) // without CPU time, if that counted to the other one
		case s.CPU <= 0 || s.Wall <= 0:
		case s.Delay > 0:
			full.add(s)
		default:
			part.add(s)
		}
	}
	if full.wall <= 0 || full.cpu <= 0 || full.wall+part.wall < MinWall {
		return 0, false
	}
	lost := max(0, min(full.wall-full.cpu, full.delay))
	waits := max(0, full.wall-full.cpu-full.delay) / full.wall
	lost += max(0, part.wall*(1-waits)-part.cpu)
	return lost / (full.wall + part.wall), true
}

// Own returns the wall time of an iteration without what others took, ns. Where that is not known it is the wall time.
func Own(s *record.Sample) int64 {
	if s.CPU <= 0 || s.Delay <= 0 {
		return s.Wall
	}
	return s.Wall - max(0, min(s.Wall-s.CPU, s.Delay))
}

// times are sums over iterations, ns.
type times struct{ wall, cpu, delay float64 }

func (t *times) add(s *record.Sample) {
	t.wall += float64(s.Wall)
	t.cpu += float64(s.CPU)
	t.delay += float64(s.Delay)
}

// Mark sets what the record says of a fork's loss.
func Mark(f *record.Fork, samples []*record.Sample) {
	if share, known := Of(samples); known {
		share = math.Round(share*1e4) / 1e4
		f.Lost, f.Starved = &share, share > Starved
	}
}
