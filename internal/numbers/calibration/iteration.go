package calibration

import (
	"slices"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Iteration is what is known of one iteration, in ns.
type Iteration struct {
	Wall  float64 // from the arrival of the result before to that of its own
	CPU   float64 // CPU time of the process in Wall, all threads; 0: not known
	Delay float64 // run delay in Wall, summed over the threads; 0: not known
	Timed float64 // by the benchmark's timer; 0: not known
}

// Own returns the time that the iteration would take alone, in ns: its wall time without the delay, and at least its CPU
// time. A thread that waits while others of the process run delays nothing, so the delay alone would subtract too much;
// an iteration that sleeps uses no CPU, so the CPU time alone would be too little. Without CPU time it is Wall.
func (i Iteration) Own() float64 {
	if i.CPU <= 0 {
		return i.Wall
	}
	return min(max(i.Wall-i.Delay, i.CPU), i.Wall)
}

// lost returns a lower bound of the time in Wall that the process waited for a processor, in ns. It is 0 if the system
// does not report CPU time and delay.
func (i Iteration) lost() float64 {
	if i.CPU <= 0 {
		return 0
	}
	return max(0, min(i.Wall-i.CPU, i.Delay))
}

// Iterations returns the iterations of a fork without the first, whose times include the start of the process.
// Results that arrived together share their times equally: only the sums are right.
func Iterations(samples []*record.Sample) []Iteration {
	var out []Iteration
	for i := 0; i < len(samples); {
		group := samples[i:]
		if n := slices.IndexFunc(group, func(s *record.Sample) bool { return !s.Batched }); n >= 0 {
			group = group[:max(1, n)]
		}
		i += len(group)
		if group[0].Iter <= 1 {
			continue
		}
		out = append(out, share(group)...)
	}
	return fillDelay(out)
}

// fillDelay estimates the delay of iterations that lack only that, as the last one of a fork does if threads have ended:
// they are taken to sleep for as large a share of the time as the others do.
func fillDelay(its []Iteration) []Iteration {
	var wall, asleep float64
	for _, i := range its {
		if i.CPU > 0 && i.Delay > 0 {
			wall += i.Wall
			asleep += max(0, i.Wall-i.CPU-i.Delay)
		}
	}
	if wall == 0 {
		return its
	}
	for k := range its {
		if i := &its[k]; i.CPU > 0 && i.Delay <= 0 {
			i.Delay = max(0, i.Wall*(1-asleep/wall)-i.CPU)
		}
	}
	return its
}

// share divides the times of results that arrived together.
func share(group []*record.Sample) []Iteration {
	var sum Iteration
	for _, s := range group {
		sum.Wall += float64(s.Wall)
		sum.CPU += float64(s.CPU)
		sum.Delay += float64(s.Delay)
	}
	n := float64(len(group))
	out := make([]Iteration, len(group))
	for i, s := range group {
		out[i] = Iteration{Wall: sum.Wall / n, CPU: sum.CPU / n, Delay: sum.Delay / n, Timed: float64(s.Ns)}
	}
	return out
}

// Typical is the typical one of some iterations, in ns.
type Typical struct {
	Own, Timed float64 // see Iteration
	MinOwn     float64 // of the iteration with the least
	Wall       float64
}

// TypicalOf returns the medians of the iterations whose CPU time is known. If it is known of none, it returns the times
// of the shortest iteration, which waited least for a processor. It returns zeros for no iterations.
func TypicalOf(its []Iteration) Typical {
	if len(its) == 0 {
		return Typical{}
	}
	its, typical := known(its)
	var own, timed, wall []float64
	for _, i := range its {
		own, timed, wall = append(own, i.Own()), append(timed, i.Timed), append(wall, i.Wall)
	}
	return Typical{Own: typical(own), Timed: typical(timed), MinOwn: slices.Min(own), Wall: typical(wall)}
}

// known returns the iterations that have their CPU times, and the median; or all and the minimum if none has.
func known(its []Iteration) ([]Iteration, func([]float64) float64) {
	out := slices.DeleteFunc(slices.Clone(its), func(i Iteration) bool { return i.CPU <= 0 })
	if len(out) == 0 {
		return its, slices.Min[[]float64]
	}
	return out, stat.Median
}

// Lost sums up how long the process waited for a processor in iterations. The zero value has no iterations.
type Lost struct{ lost, wall float64 }

// Add adds iterations.
func (l *Lost) Add(its []Iteration) {
	for _, i := range its {
		l.lost += i.lost()
		l.wall += i.Wall
	}
}

// Share returns the share of the wall time in which the process waited for a processor, from 0 to 1.
func (l *Lost) Share() float64 {
	if l.wall <= 0 {
		return 0
	}
	return l.lost / l.wall
}
