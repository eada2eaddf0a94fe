package testing

import (
	"runtime"
	"runtime/metrics"
	"time"
)

const tareMemMost = 110 // reading at the ends of cycles may take 1/110 of the window

// tareMemPolled are read at the end of each cycle. In the order of tareMemPoll.
var tareMemPolled = []metrics.Sample{
	{Name: "/memory/classes/total:bytes"},
	{Name: "/memory/classes/heap/released:bytes"},
	{Name: "/memory/classes/heap/free:bytes"},
	{Name: "/memory/classes/heap/unused:bytes"},
}

// tareMemPoll reads what tareMemStats does, except the heap, without stopping the world: a program with
// a thousand collections a second would otherwise stand still for a quarter of its time. Finalizers
// run one after the other, so that they can share the samples.
func tareMemPoll() tareMemFigures {
	metrics.Read(tareMemPolled)
	s := func(i int) uint64 { return tareMemPolled[i].Value.Uint64() }
	return tareMemFigures{used: s(0) - s(1) - s(2) - s(3), total: s(0) - s(1)}
}

// tareMemSentinel reads at the end of each cycle of the collector: in the finalizer of an object without
// references. The object is larger than those that the runtime allocates and frees together.
func tareMemSentinel() {
	type sentinel struct {
		self *byte
		_    [2]uintptr
	}
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		m := &tareMemory
		if !m.watch.Load() {
			return
		}
		start := time.Now()
		if tareMemMost*m.polled.Load() > int64(start.Sub(m.begun)) {
			tareMemSentinel() // this cycle is not read, and counts as missed
			m.polled.Add(int64(time.Since(start)))
			return
		}
		now := tareMemPoll()
		m.usedMax.Store(max(m.usedMax.Load(), now.used)) // finalizers run one after the other
		m.totalMax.Store(max(m.totalMax.Load(), now.total))
		m.seen.Add(1)
		tareMemSentinel()
		m.polled.Add(int64(time.Since(start)))
	})
}

// fewPeaks reports whether most ends of cycles were not read: the largest that was read is then no peak.
func (m *tareMemState) fewPeaks() bool { return 2*(m.seen.Load()+1) < m.cycles }
