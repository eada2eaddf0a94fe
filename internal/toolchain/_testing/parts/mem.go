package testing

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// tareMem measures the memory that a benchmark keeps alive. It collects garbage and writes to /proc, so
// that the times of these forks do not count.
//
// Retained memory is read while the measured values are alive: in the last call of b.Loop, or, for
// benchmarks that loop over b.N, by garbage collections that a second goroutine forces in the last
// fifth of the window ("mid-run"). What remains when the function has returned is reported apart.
var tareMem = tarePart{
	process: tareMemProcess, before: tareMemBefore, begin: tareMemBegin, end: tareMemEnd, live: tareMemLive, after: tareMemAfter, values: tareMemValues, written: tareMemWarnings,
}

// tareMemFigures are bytes.
type tareMemFigures struct {
	heap  uint64 // objects of the heap, HeapAlloc
	used  uint64 // mapped by the runtime, less what is free, unused or returned
	total uint64 // mapped by the runtime, less what is returned
}

// Benchmarks run one after the other and share one state.
var tareMemory tareMemState

type tareMemState struct {
	hwm     int            // descriptor of clear_refs, 0: none
	weighed bool           // the baseline is measured
	base    tareMemFigures // before the benchmark's function was first called
	rss     uint64         // resident memory then

	cycles       uint32 // of the collector in the window
	fin, settled tareMemFigures
	rounds       int    // collections until the heap no longer shrank
	how          string // when it was read: "loop", "mid-run", "": not at all
	spread       uint64 // mid-run: by which the heap may be more than settled
	left         uint64 // heap after the function has returned
	status       map[string]uint64
	pss          uint64

	begun    time.Time    // the window
	polled   atomic.Int64 // time that reading at the ends of cycles took in it, ns
	share    float64      // of the window
	watch    atomic.Bool  // the ends of cycles of the collector are read
	seen     atomic.Uint32
	usedMax  atomic.Uint64
	totalMax atomic.Uint64
	mid      *tareMidRun
}

// tareMidRun is one window in which the heap is read while the benchmark runs.
type tareMidRun struct {
	over    atomic.Bool   // the window
	done    chan struct{} // closed when nothing more will be read
	stop    chan struct{} // closed with the window
	ok      bool
	fin     tareMemFigures
	settled tareMemFigures
	spread  uint64 // by which the heap may be more than settled
	rounds  int
}

func tareMemProcess() {
	m := &tareMemory
	if fd, err := syscall.Open("/proc/self/clear_refs", syscall.O_WRONLY|syscall.O_CLOEXEC, 0); err == nil {
		m.hwm = fd
	}
	tareMemPoll() // the first one allocates
}

func tareMemRead(s *runtime.MemStats) tareMemFigures {
	runtime.ReadMemStats(s)
	return tareMemFigures{
		heap:  s.HeapAlloc,
		used:  s.Sys - s.HeapIdle - s.HeapInuse + s.HeapAlloc,
		total: s.Sys - s.HeapReleased,
	}
}

// tareMemPolled are read at the end of each cycle. In the order of tareMemPoll.
var tareMemPolled = []metrics.Sample{
	{Name: "/memory/classes/total:bytes"},
	{Name: "/memory/classes/heap/released:bytes"},
	{Name: "/memory/classes/heap/free:bytes"},
	{Name: "/memory/classes/heap/unused:bytes"},
}

// tareMemPoll reads what tareMemRead does, except the heap, without stopping the world: a program with
// a thousand collections a second would otherwise stand still for a quarter of its time. Finalizers
// run one after the other, so that they can share the samples.
func tareMemPoll() tareMemFigures {
	metrics.Read(tareMemPolled)
	s := func(i int) uint64 { return tareMemPolled[i].Value.Uint64() }
	return tareMemFigures{used: s(0) - s(1) - s(2) - s(3), total: s(0) - s(1)}
}

// tareMemSettle collects until the heap no longer shrinks: pools are emptied by
// the second collection, what had a finalizer is freed by the one after it ran.
// pause is between the collections, for finalizers and cleanups.
func tareMemSettle(pause time.Duration) (fin, settled tareMemFigures, rounds int) {
	var s runtime.MemStats
	runtime.GC()
	fin = tareMemRead(&s)
	settled = fin
	for rounds = 1; rounds < tareMemRounds; rounds++ {
		time.Sleep(pause)
		runtime.GC()
		now := tareMemRead(&s)
		fell := now.used < settled.used
		settled.heap, settled.used, settled.total = min(now.heap, settled.heap), min(now.used, settled.used), now.total
		if !fell {
			break
		}
	}
	return fin, settled, rounds
}

// tareMemSettleRunning does what tareMemSettle does while the benchmark allocates. What is allocated
// during a collection is not collected by it, garbage or not: it is in the heap that is read afterwards. So what lives is
// between that heap and the same less all that was allocated meanwhile. Settled is the largest of these lower
// bounds, spread is how far below the least upper bound it is.
func tareMemSettleRunning(pause time.Duration) (fin, settled tareMemFigures, spread uint64, rounds int) {
	var s runtime.MemStats
	runtime.GC() // ends what an earlier cycle has left to sweep
	most := ^uint64(0)
	for rounds = 1; rounds <= tareMemRounds; rounds++ {
		time.Sleep(pause)
		runtime.ReadMemStats(&s)
		was := s.TotalAlloc
		runtime.GC()
		now := tareMemRead(&s)
		most = min(most, now.heap)
		meanwhile := min(s.TotalAlloc-was, now.heap)
		now.heap -= meanwhile
		now.used -= min(meanwhile, now.used)
		if rounds == 1 {
			fin = now
		}
		rose := now.heap > settled.heap
		settled.heap, settled.used, settled.total = max(settled.heap, now.heap), max(settled.used, now.used), now.total
		if !rose || most-settled.heap <= settled.heap/tareMemClose {
			break
		}
	}
	most = max(most, settled.heap)
	return fin, settled, most - settled.heap, min(rounds, tareMemRounds-1)
}

const (
	tareMemClose  = 100 // a spread of less than 1/100 is as good as none
	tareMemPause  = 20 * time.Millisecond
	tareMemRounds = 10 // collections at most

	tareMemMost = 110 // reading at the ends of cycles may take 1/110 of the window
)

func tareMemBefore(b *B) {
	m := &tareMemory
	if !m.weighed {
		m.weighed = true
		_, m.base, _ = tareMemSettle(tareMemPause)
		debug.FreeOSMemory()
		m.rss, _ = tareMemResident()
	}
	m.how, m.mid, m.status, m.pss, m.left = "", nil, nil, 0, 0
}

// tareMemBegin collects the garbage of the set-up, returns it to the system and sets the peak to the
// resident memory.
func tareMemBegin(b *B) {
	m := &tareMemory
	m.mid.end() // of a timer that was reset
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
	if d := tareMemExpected(b); d > 0 {
		m.mid = &tareMidRun{done: make(chan struct{}), stop: make(chan struct{})}
		go m.mid.watch(d * 4 / 5)
	}
	var now runtime.MemStats
	tareMemRead(&now)
	m.cycles = now.NumGC
}

// tareMemExpected returns the expected length of the window; 0 if it is unknown, or if b.Loop will end
// it.
func tareMemExpected(b *B) time.Duration {
	t := b.tare
	if t == nil || t.loop || t.iter == 1 {
		return 0
	}
	if b.benchTime.n == 0 {
		return b.benchTime.d // in the search for N the window ends earlier
	}
	return time.Duration(t.ns)
}

// end returns when nothing more will be read.
func (r *tareMidRun) end() {
	if r != nil {
		r.over.Store(true)
		close(r.stop)
		<-r.done
	}
}

func (r *tareMidRun) watch(wait time.Duration) {
	defer close(r.done)
	select {
	case <-r.stop:
		return
	case <-time.After(wait):
	}
	r.fin, r.settled, r.spread, r.rounds = tareMemSettleRunning(time.Millisecond)
	r.ok = !r.over.Load()
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

func tareMemEnd(b *B) {
	m := &tareMemory
	m.share = float64(m.polled.Load()) / float64(max(time.Since(m.begun), 1))
	m.mid.end()
	if m.mid != nil && m.mid.ok {
		m.how, m.fin, m.settled, m.rounds, m.spread = "mid-run", m.mid.fin, m.mid.settled, m.mid.rounds, m.mid.spread
	}
	m.status = tareMemStatus("/proc/self/status") // VmHWM before anything else moves it
	var now runtime.MemStats
	tareMemRead(&now)
	m.cycles = now.NumGC - m.cycles
	m.watch.Store(false)
}

func tareMemLive(b *B) {
	m := &tareMemory
	m.how = "loop"
	m.fin, m.settled, m.rounds = tareMemSettle(tareMemPause)
	m.resident()
}

// resident reads the resident memory after all free memory was returned to the system.
func (m *tareMemState) resident() {
	debug.FreeOSMemory()
	var rss uint64
	rss, m.pss = tareMemResident()
	if m.status != nil {
		m.status["settled VmRSS"] = rss
	}
}

// tareMemResident reads the resident memory, and its proportional part, from the page
// tables. VmRSS in /proc/self/status is counted in batches per CPU, can be short
// by some hundred KiB, and then comes out below the proportional part.
func tareMemResident() (rss, pss uint64) {
	m := tareMemStatus("/proc/self/smaps_rollup")
	if m["Rss"] == 0 {
		return tareMemStatus("/proc/self/status")["VmRSS"], m["Pss"]
	}
	return m["Rss"], m["Pss"]
}

func tareMemAfter(b *B) {
	m := &tareMemory
	_, left, _ := tareMemSettle(tareMemPause)
	m.left = left.heap
}

// tareMemStatus reads a file of /proc in which sizes stand as "Name:  12 kB", in
// bytes; nil if the file does not exist.
func tareMemStatus(path string) map[string]uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	out := map[string]uint64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 3 && f[2] == "kB" {
			if n, err := strconv.ParseUint(f[1], 10, 64); err == nil {
				out[strings.TrimSuffix(f[0], ":")] = n << 10
			}
		}
	}
	return out
}

func tareMemValues(b *B, v *tareLine) {
	m := &tareMemory
	if m.how != "" {
		v.float("usedMem_fin-B", float64(m.fin.used))
		v.float("usedMem_settled-B", float64(m.settled.used))
		v.float("usedHeap_settled-B", float64(m.settled.heap))
		v.float("usedHeap_growth-B", float64(m.settled.heap)-float64(m.base.heap))
		v.float("totalMem_settled-B", float64(m.settled.total))
	}
	v.float("usedHeap_baseline-B", float64(m.base.heap))
	v.float("usedMem_baseline-B", float64(m.base.used))
	v.float("usedHeap_returned-B", float64(m.left))
	if m.seen.Load() > 0 && !m.fewPeaks() { // what was read apart may have been more than at the end of any cycle
		used, total := m.usedMax.Load(), m.totalMax.Load()
		if m.how != "" {
			used, total = max(used, m.fin.used), max(total, m.fin.total)
		}
		v.float("usedMem_max-B", float64(used))
		v.float("totalMem_max-B", float64(total))
		v.float("mem-poll-share", m.share)
	}
	peak := uint64(0)
	if m.hwm != 0 && m.status["VmHWM"] != 0 {
		peak = max(m.status["VmHWM"], m.status["settled VmRSS"])
	}
	for _, x := range []struct {
		unit  string
		bytes uint64
	}{{"VmRSS_baseline-B", m.rss}, {"VmHWM-B", peak}, {"VmRSS-B", m.status["settled VmRSS"]}, {"PSS-B", m.pss}} {
		if x.bytes > 0 {
			v.float(x.unit, float64(x.bytes))
		}
	}
}

// fewPeaks reports whether most ends of cycles were not read: the largest that was read is then no peak.
func (m *tareMemState) fewPeaks() bool { return 2*(m.seen.Load()+1) < m.cycles }

// tareMemWarnings writes warnings about figures that are missing or inexact.
func tareMemWarnings(b *B) {
	m := &tareMemory
	if b.tare.iter < 2 {
		return // warm-up
	}
	switch {
	case m.how == "":
		tareWarn("not-settled", "mem: nothing was read while the subject lived: the window was too short for it, or is the first",
			"use a larger --time; a benchmark that loops by b.Loop is read in its last call, however short it is")
	case m.how == "mid-run":
		tareWarn("mid-run", "mem: settled figures were read while the benchmark ran, by collections forced in the last fifth of the window",
			"a benchmark that loops by b.Loop is read in its last call, which waits for it")
	}
	if m.how == "mid-run" && m.spread > m.settled.heap/20 {
		tareWarn("heap-spread", "mem: the heap settled is a lower bound, and may be "+strconv.FormatUint(m.spread>>10, 10)+" KiB more: the benchmark allocated as much while the collections ran, and it is not known what of that lives",
			"a benchmark that loops by b.Loop is read in its last call, when nothing allocates")
	}
	if m.how != "" && m.rounds >= tareMemRounds {
		tareWarn("unsettled", "mem: the heap was still shrinking after "+strconv.Itoa(m.rounds)+" collections", "something frees memory in the background; read the figures as upper bounds")
	}
	if seen := m.seen.Load(); 10*(seen+1) < 9*m.cycles {
		text := "mem: peaks were read at " + strconv.Itoa(int(seen)) + " of " + strconv.Itoa(int(m.cycles)) + " cycles of the collector"
		if m.fewPeaks() {
			text += ": too few for a peak of memory in use or committed, which are left out"
		}
		tareWarn("peaks-missed", text, "VmHWM, which the kernel keeps, misses none")
	}
	if m.status["VmHWM"] == 0 || m.hwm == 0 {
		tareWarn("not-available", "mem: peak RSS of the window: not available: /proc/self/status or clear_refs cannot be used here", "the peak of the whole fork is in its line")
	}
}
