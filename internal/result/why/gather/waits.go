package gather

import (
	"math"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/record"
)

// causes of waiting by those of the record.
var waitCauses = map[string]why.WaitCause{
	record.WaitLock: why.Lock, record.WaitSend: why.Channel, record.WaitReceive: why.Channel, record.WaitSelect: why.Select, record.WaitNetwork: why.Network,
	record.WaitSleep: why.Sleep, record.WaitGC: why.GCAssist, record.WaitSyscall: why.Syscall, record.WaitCond: why.Lock, record.WaitWaitGroup: why.Channel,
}

// waits takes the sites at which goroutines waited longer, or less long.
func (g *gatherer) waits() {
	old, new, ok := g.both(func(b *result.Benchmark) bool { return b.Waits != nil })
	if !ok {
		return
	}
	g.profiled.Waits = true
	scale, workers := [2]float64{}, [2]float64{1, 1}
	for side, w := range []*attached.Waits{old.Waits, new.Waits} {
		scale[side] = g.e.Wall[side].Value / float64(w.Wall) // traced forks take longer
		running := float64(w.OwnRunning)
		if n := g.workers(side, w); n > 0 {
			workers[side] = n
			running += ownWait(w, record.WaitWorkers) * min(1, g.cores(side)/n)
		}
		g.e.Running[side] = why.Measure{Value: running * scale[side]}
	}
	parallel := workers[0] > 1 && workers[1] > 1
	if old, new := ownWait(old.Waits, record.WaitWorkers)*scale[0], ownWait(new.Waits, record.WaitWorkers)*scale[1]; !parallel {
		g.e.Workers = new - old
	}
	_, sites := attached.WaitDifferences(old.Waits, new.Waits)
	for _, s := range sites {
		cause, known := waitCauses[s.Cause]
		if !known || !(s.P < 0.01) {
			continue
		}
		times := [2]float64{float64(s.Old) / workers[0], float64(s.New) / workers[1]}
		own := parallel
		if d := float64(s.OwnNew - s.OwnOld); !parallel && math.Abs(d) > math.Abs(s.Delta())/2 {
			own, times = true, [2]float64{float64(s.OwnOld), float64(s.OwnNew)}
		}
		w := why.Wait{Cause: cause, Own: own, Place: placeOf(s.At), Holder: placeOf(s.By)}
		for side := range times {
			w.Time[side].Value = times[side] * scale[side]
		}
		// The standard error with which a normal distribution has the p-value P for this difference.
		w.Time[1].Err = math.Abs(w.Time[1].Value-w.Time[0].Value) / max(math.Sqrt2*math.Erfinv(1-s.P), 1)
		g.e.Waits = append(g.e.Waits, w)
	}
}

func placeOf(p record.WaitPlace) why.Place {
	return why.Place{Func: p.Func, File: p.File, Line: p.Line}
}

// workers returns how many goroutines ran or waited at a time, on average, while the benchmark's own one waited for them; 0 if that is
// not what it did. Then what one of them waits for is so large a part of the wall time.
func (g *gatherer) workers(side int, w *attached.Waits) float64 {
	const mostly = 0.5
	if ownWait(w, record.WaitWorkers) < mostly*float64(w.Wall) {
		return 0
	}
	others := 0.0
	for _, c := range w.Causes {
		if c.Cause != record.WaitWorkers {
			others += float64(c.Time - c.Own)
		}
	}
	return g.cores(side) + others/float64(w.Wall)
}

// ownWait returns for how long the benchmark's own goroutine waited for a cause, ns per operation.
func ownWait(w *attached.Waits, cause string) float64 {
	for _, c := range w.Causes {
		if c.Cause == cause {
			return float64(c.Own)
		}
	}
	return 0
}
