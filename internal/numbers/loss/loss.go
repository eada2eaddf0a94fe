package loss

import (
	"math"
	"runtime"
	"slices"

	"github.com/tarebench/tare/record"
)

// Shares of its time that a fork may lose.
const (
	Limit  = 0.10 // above it a fork is repeated, and is excluded from the results if enough others remain
	Marked = 0.05 // a median over forks from which their benchmark is marked
)

// MinWall is the shortest wall time for which a loss is reported, in ns: a result line arrives some 10 µs late.
const MinWall = 1e6

// Processors returns how many processors a benchmark of this machine keeps busy if it gets them: as many as it has
// goroutines to run in parallel, if it reaches RunParallel, else 1.
func Processors(c *record.Case) int { return ProcessorsOf(c, runtime.NumCPU()) }

// ProcessorsOf is Processors for a machine with so many processors; 0 is not known.
func ProcessorsOf(c *record.Case, cores int) int {
	if !slices.Contains(c.Forms, record.FormParallel) {
		return 1
	}
	return Most(c, cores)
}

// Most returns the most processors that a benchmark can keep busy.
func Most(c *record.Case, cores int) int {
	if cores <= 0 {
		return max(1, c.Procs)
	}
	return max(1, min(c.Procs, cores))
}

// Of returns the share of the time of a fork's measured iterations that it lost, between 0 and 1; see [Sum.Share].
func Of(samples []*record.Sample, processors int) (share float64, known bool) {
	var sum Sum
	for _, s := range samples {
		sum.Add(s)
	}
	return sum.Share(processors)
}

// Own returns the wall time of an iteration without what others took, ns. Where that is not known it is the wall time.
func Own(s *record.Sample) int64 {
	if s.CPU <= 0 || s.Delay <= 0 {
		return s.Wall
	}
	return s.Wall - max(0, min(s.Wall-s.CPU, s.Delay))
}

// A Sum adds up the times of a fork's measured iterations. The zero value has none.
type Sum struct {
	full, part times // iterations with and without delay
	late       times // iterations that were read together, warm-up included
	last       int   // number of the last iteration
	lateLast   int   // number of the last iteration in late
}

// Add adds an iteration. A first iteration counts only if the start of the process is the lesser part of it.
func (x *Sum) Add(s *record.Sample) {
	if s.Batched && s.Iter != x.lateLast && s.Phase != record.PhaseBaseline {
		x.lateLast = s.Iter
		x.late.add(s)
	}
	if s.Phase != record.PhaseMeasure || s.Iter == x.last {
		return // roles share an iteration
	}
	x.last = s.Iter
	switch {
	case s.Iter == 1 && s.Ns < s.Wall/2:
	case s.Batched && s.Delay > 0:
		x.full.add(s) // without CPU time, if that counted to the other one
	case s.CPU <= 0 || s.Wall <= 0:
	case s.Delay > 0:
		x.full.add(s)
	default:
		x.part.add(s)
	}
}

// Cores returns how many processors the fork kept busy on average, 0 if that is not known.
func (x *Sum) Cores() float64 {
	wall := x.full.wall + x.part.wall
	if wall < MinWall {
		return 0
	}
	return (x.full.cpu + x.part.cpu) / wall
}

// Share returns the share of its time that the fork lost, between 0 and 1. processors is how many the fork keeps busy when it
// gets them. With one, the share is of the wall time. With more, it is of the time in which the fork's threads ran or were
// ready to run. The share is known only if the iterations took MinWall together, and the CPU time and delay of at least one
// are known.
//
// The delay of an iteration is not known if threads ended in it, as in the last one. Such an iteration is assumed to wait by
// itself, as for a lock or a disk, for the same share of its time as the others.
//
// On a busy machine tare may read several iterations at once, and then count all their CPU time to the warm-up. If that
// leaves nothing known of the measured iterations, the share is that of all that were read together.
func (x *Sum) Share(processors int) (share float64, known bool) {
	full, part := x.full, x.part
	wall := full.wall + part.wall
	p := float64(max(1, processors))
	if full.wall <= 0 || full.cpu <= 0 || wall < MinWall {
		return x.late.share(p)
	}
	lost := max(0, min(p*full.wall-full.cpu, full.delay))
	waits := max(0, p*full.wall-full.cpu-full.delay) / (p * full.wall)
	lost += max(0, p*part.wall*(1-waits)-part.cpu)
	if p == 1 {
		return lost / wall, true
	}
	return lost / (full.cpu + part.cpu + lost), true
}

// times are sums over iterations, ns.
type times struct{ wall, cpu, delay, ns float64 }

// share returns the share of its time that the fork lost in iterations that were read together. They had likely ended before
// they were read, so that their wall time is bounded by CPU time and loss, or by their own timers. It is not known if the
// start of the process may be more than half of the time.
func (t *times) share(processors float64) (share float64, known bool) {
	if t.cpu <= 0 || t.delay <= 0 || t.wall < MinWall {
		return 0, false
	}
	lost := max(0, min(processors*t.wall-t.cpu, t.delay))
	if processors > 1 {
		return lost / (t.cpu + lost), true
	}
	busy := min(t.wall, t.cpu+lost)
	if t.ns < busy/2 {
		return 0, false
	}
	return lost / min(t.wall, max(busy, t.ns)), true
}

func (t *times) add(s *record.Sample) {
	t.wall += float64(s.Wall)
	t.cpu += float64(s.CPU)
	t.delay += float64(s.Delay)
	t.ns += float64(s.Ns)
}

// Bounded limits the share of its threads' time that a fork lost to what other processes used. Threads of one fork also wait
// for each other, which is no loss to others. If the use of others is not known it returns the share unchanged.
func Bounded(share float64, f *record.Fork) float64 {
	if f.Others == nil {
		return share
	}
	others := float64(*f.Others + f.Steal + f.Throttled)
	if others <= 0 {
		return 0
	}
	return min(share, others/(others+float64(f.User+f.Sys)))
}

// Mark sets what the record says of a fork's loss. processors is how many the fork keeps busy when it gets them. The fork's
// CPU time, and that of others, must be set before.
func Mark(f *record.Fork, samples []*record.Sample, processors int) {
	share, known := Of(samples, processors)
	if !known {
		return
	}
	if processors > 1 {
		share = Bounded(share, f)
	}
	share = math.Round(share*1e4) / 1e4
	f.Lost, f.Starved = &share, share > Limit
}

// singleThreaded is the share of a command's CPU time from which its first thread counts as its only one: then the run delay
// of that thread is the command's.
const singleThreaded = 0.9

// MarkCommand sets what the record says of the loss of a command. first is the CPU time of the command's first thread and
// delay that thread's run delay, in ns. Of the other threads no delay is known, so that the loss is not known if they used a
// tenth of the command's CPU time or more.
func MarkCommand(f *record.Fork, first, delay int64) {
	used := f.User + f.Sys
	if first <= 0 || float64(first) < singleThreaded*float64(used) || f.Wall < MinWall {
		return
	}
	share := math.Round(float64(max(0, min(f.Wall-used, delay)))/float64(f.Wall)*1e4) / 1e4
	f.Lost, f.Starved = &share, share > Limit
}
