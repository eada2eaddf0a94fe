package testing

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"
)

// tareMem measures the memory that a benchmark keeps alive. It collects garbage and writes to /proc, so
// that the times of these forks do not count.
//
// Retained memory is read while the measured values are alive and nothing runs: in the last call of b.Loop, or in
// TareLoopEnd behind a loop over b.N. Where neither is called, as in a loop that a package outside of the test files
// has, a second goroutine forces collections in the last fifth of the window ("mid-run"). What remains when the
// function has returned is reported separately.
//
// In one window the live heap is also read on the way; see tareMemReads.
var tareMem = tarePart{
	process: tareMemProcess, before: tareMemBefore, begin: tareMemBegin, end: tareMemEnd, live: tareMemLive, after: tareMemAfter, values: tareMemValues, written: tareMemWarnings,
}

// Benchmarks run one after the other and share one state.
var tareMemory tareMemState

type tareMemState struct {
	hwm     int            // descriptor of clear_refs, 0: none
	weighed bool           // the baseline is measured
	base    tareMemFigures // before the benchmark's function was first called
	rss     uint64         // resident memory then

	cycles0, cycles uint32 // of the collector: before the window, and in it
	tareMemLiving
	left   uint64 // heap after the function has returned
	status map[string]uint64

	begun    time.Time    // the window
	polled   atomic.Int64 // time that reading at the ends of cycles took in it, ns
	share    float64      // of the window
	watch    atomic.Bool  // the ends of cycles of the collector are read
	seen     atomic.Uint32
	usedMax  atomic.Uint64
	totalMax atomic.Uint64
	mid      *tareMidRun
	reads    *tareMemReads
}

// tareMemLiving is what was read while the measured values were alive.
type tareMemLiving struct {
	how          string // when it was read: "loop", "mid-run", "": not at all
	fin, settled tareMemFigures
	rounds       int    // collections until the heap no longer shrank
	spread       uint64 // mid-run: by which the heap may be more than settled
	resident     uint64 // when free memory was returned to the system; 0: not known
	pss          uint64 // when free memory was returned to the system; 0: not known
}

func tareMemProcess() {
	m := &tareMemory
	if fd, err := syscall.Open("/proc/self/clear_refs", syscall.O_WRONLY|syscall.O_CLOEXEC, 0); err == nil {
		m.hwm = fd
	}
	tareMemPoll() // the first one allocates
}

func tareMemBefore(b *B) {
	m := &tareMemory
	if !m.weighed {
		m.weighed = true
		_, m.base, _ = tareMemSettle(tareMemPause)
		debug.FreeOSMemory()
		m.rss, _ = tareMemResident()
	}
	m.tareMemLiving = tareMemLiving{}
	m.mid, m.reads, m.status, m.left = nil, nil, nil, 0
}

// tareMemBegin collects the garbage of the set-up, returns it to the system and sets the peak to the
// resident memory.
func tareMemBegin(b *B) {
	m := &tareMemory
	m.mid.end() // of a timer that was reset
	m.reads.end()
	tareMemSettle(tareMemPause)
	debug.FreeOSMemory()
	if m.hwm != 0 {
		if _, err := syscall.Write(m.hwm, []byte("5")); err != nil {
			m.hwm = 0 // VmHWM remains the peak of the process
		}
	}
	m.seen.Store(0)
	m.polled.Store(0)
	m.begun = time.Now()
	m.usedMax.Store(0)
	m.totalMax.Store(0)
	m.watch.Store(true)
	tareMemSentinel()
	m.mid, m.reads = tareMemWatch(b), tareMemStartReads(b)
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m.cycles0 = s.NumGC
}

// tareMemExpected returns the expected length of the window; 0 if it is unknown.
func tareMemExpected(b *B) time.Duration {
	switch t := b.tare; {
	case t.iter == 1:
		return 0
	case b.benchTime.n == 0:
		return b.benchTime.d // in the search for N the window ends earlier
	default:
		return time.Duration(t.ns)
	}
}

func tareMemEnd(b *B) {
	m := &tareMemory
	m.share = float64(m.polled.Load()) / float64(max(time.Since(m.begun), 1))
	m.reads.end()
	m.mid.end()
	if m.mid != nil && m.mid.ok {
		m.tareMemLiving = m.mid.tareMemLiving
	}
	m.status = tareMemStatus("/proc/self/status") // VmHWM before anything else moves it
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m.cycles = s.NumGC - m.cycles0
	m.watch.Store(false)
}

// tareMemLive reads what is alive. Nothing is measured meanwhile.
func tareMemLive(b *B) {
	x := tareMemLiving{how: "loop"}
	x.fin, x.settled, x.rounds = tareMemSettle(tareMemPause)
	debug.FreeOSMemory()
	x.resident, x.pss = tareMemResident()
	tareMemory.tareMemLiving = x
}

func tareMemAfter(b *B) {
	_, left, _ := tareMemSettle(tareMemPause)
	tareMemory.left = left.heap
}
