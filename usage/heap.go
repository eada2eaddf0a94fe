package usage

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// gcCPU is the runtime's estimate of the garbage collector's CPU time.
const gcCPU = "/cpu/classes/gc/total:cpu-seconds"

// heap reads the runtime's counts of allocations and collections. It is created
// before the task begins, so that its own memory is not counted.
type heap struct {
	before, after runtime.MemStats
	gc            [2][1]metrics.Sample
}

func newHeap() *heap {
	h := &heap{}
	for i := range h.gc {
		h.gc[i][0].Name = gcCPU
		metrics.Read(h.gc[i][:]) // the first call of a program allocates
	}
	return h
}

// begin reads the counts. ReadMemStats flushes the caches of all processors, so that
// its counts are exact, and stops the world for that.
func (h *heap) begin() {
	metrics.Read(h.gc[0][:])
	runtime.ReadMemStats(&h.before)
}

func (h *heap) end() {
	runtime.ReadMemStats(&h.after)
	metrics.Read(h.gc[1][:])
}

func (h *heap) report(u *Usage) {
	a, b := &h.before, &h.after
	u.Bytes, u.Objects = b.TotalAlloc-a.TotalAlloc, b.Mallocs-a.Mallocs
	u.GCCycles = b.NumGC - a.NumGC
	u.GCPause = time.Duration(b.PauseTotalNs - a.PauseTotalNs)
	for i := range min(int(u.GCCycles), len(b.PauseNs)) {
		last := (int(b.NumGC) + len(b.PauseNs) - 1) % len(b.PauseNs) // see MemStats.PauseNs
		pause := time.Duration(b.PauseNs[(last+len(b.PauseNs)-i)%len(b.PauseNs)])
		u.GCPauseMax = max(u.GCPauseMax, pause)
	}
	switch x, y := h.gc[0][0].Value, h.gc[1][0].Value; {
	case x.Kind() != metrics.KindFloat64 || y.Kind() != metrics.KindFloat64:
		u.markUnavailable(fmt.Sprintf("%s has no metric %s", runtime.Version(), gcCPU), FigureGCCPU)
	case u.GCCycles == 0:
		u.markUnavailable("no garbage collection ended during the task, and the runtime updates its estimate only then", FigureGCCPU)
	default:
		u.GCCPU = time.Duration((y.Float64() - x.Float64()) * float64(time.Second))
	}
}
