package marks

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"

	"github.com/tarebench/tare/record"
)

// schedLatencies is the runtime's distribution of how long goroutines that could run waited until they ran.
const schedLatencies = "/sched/latencies:seconds"

// generator is tare's own process.
type generator struct {
	process *process
	gc      debug.GCStats
	sched   []metrics.Sample
	before  []uint64 // counts of the distribution at the last reading
}

func newGenerator(proc string) generator {
	return generator{process: newProcess(proc, os.Getpid()), sched: []metrics.Sample{{Name: schedLatencies}}}
}

func (g *generator) begin() { g.take() }

// take returns what happened since the last reading.
func (g *generator) take() record.GeneratorMarks {
	m := record.GeneratorMarks{GC: g.takeGC(), Process: g.process.take()}
	metrics.Read(g.sched)
	if g.sched[0].Value.Kind() == metrics.KindFloat64Histogram {
		h := g.sched[0].Value.Float64Histogram()
		m.SchedP99, m.SchedMax = since(h, g.before)
		g.before = append(g.before[:0], h.Counts...)
	}
	return m
}

func (g *generator) takeGC() record.GCMarks {
	n, total := g.gc.NumGC, g.gc.PauseTotal
	debug.ReadGCStats(&g.gc)
	m := record.GCMarks{Count: g.gc.NumGC - n, Pause: int64(g.gc.PauseTotal - total)}
	for _, p := range g.gc.Pause[:min(m.Count, int64(len(g.gc.Pause)))] { // the last one first
		m.Max = max(m.Max, int64(p))
	}
	return m
}

// since returns the 99th percentile and the maximum, in ns, of the values that a distribution has more than before. They are the lower
// ends of buckets, which are up to a quarter wide.
func since(h *metrics.Float64Histogram, before []uint64) (p99, most int64) {
	all := uint64(0)
	n := make([]uint64, len(h.Counts))
	for i, c := range h.Counts {
		if i < len(before) {
			c -= before[i]
		}
		n[i], all = c, all+c
	}
	above := uint64(0)
	for i := len(n) - 1; i >= 0; i-- {
		if n[i] == 0 {
			continue
		}
		low := int64(math.Max(h.Buckets[i], 0) * 1e9)
		if above == 0 {
			most = low
		}
		if above += n[i]; above*100 > all {
			return low, most
		}
	}
	return 0, most
}
