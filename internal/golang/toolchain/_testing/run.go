package testing

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	_ "unsafe" // for linkname
)

// tareOut is the pipe to tare, and tareOn whether there was one at the start.
var (
	tareOut tarePipe
	tareOn  bool
)

func init() {
	tareOut.open(os.Getenv("TARE_FD"))
	if tareOn = tareOut.fd != 0; !tareOn {
		return
	}
	for _, p := range tareParts {
		if p.process != nil {
			p.process()
		}
	}
}

// tareNow is CLOCK_MONOTONIC in ns, or the clock that takes its place in the Go
// runtime of other systems.
//
//go:linkname tareNow runtime.nanotime
func tareNow() int64

// tareRun is what the hooks know of one benchmark, over all of its iterations. There is none without
// a pipe.
type tareRun struct {
	iter  int // the current one, from 1
	procs int // its GOMAXPROCS

	// Of the last iteration. n is 0 if there was none or if N cannot be derived from it.
	n, ns int64
	loop  bool // by b.Loop

	loopEnd bool // TareLoopEnd was called in a run
	// Of the current run, or of the last one.
	asked   int           // N
	waiting bool          // it has ended; whether it is an iteration is not known yet
	marked  bool          // its marks are written
	ended   bool          // the end of parts was called
	begin   int64         // first start of the timer after its last reset; 0: not yet
	end     int64         // last stop of the timer
	segment int64         // last start of the timer
	timed   time.Duration // b.duration then
	gc      uint32        // cycles of the garbage collector while the timer ran
	pause   uint64        // time for which they stopped the world, ns
	gc0     uint32        // both, at the last start of the timer
	pause0  uint64
	units   []string // reused
}

// tareBefore is called before each run, and before the garbage collection that testing begins it
// with: so it leaves no garbage for the timed part.
func tareBefore(b *B, n int) {
	if !tareOn {
		return
	}
	t := b.tare
	if t == nil {
		if b.bstate == nil {
			return // func Benchmark, whose benchmark has no name
		}
		t = &tareRun{iter: 1, procs: runtime.GOMAXPROCS(0)}
		b.tare = t
	}
	if t.waiting && !t.marked {
		t.marks(b, "warmup") // the run before was part of the search for N
	}
	t.asked, t.waiting, t.marked, t.ended = n, false, false, false
	for _, p := range tareParts {
		if p.before != nil {
			p.before(b)
		}
	}
}

// tareReset is called when the timer is set to zero.
func tareReset(b *B) {
	if t := b.tare; t != nil {
		t.begin, t.gc, t.pause, t.ended = 0, 0, 0, false
	}
}

// tareStart is called when the timer is about to start, after testing has read
// the memory statistics: it must not allocate.
func tareStart(b *B) {
	t := b.tare
	if t == nil {
		return
	}
	for i := range tareParts {
		call := tareParts[i].start
		if t.begin == 0 {
			call = tareParts[i].begin
		}
		if call != nil {
			call(b)
		}
	}
	t.gc0, t.pause0 = memStats.NumGC, memStats.PauseTotalNs
	if t.timed = b.duration; b.timerOn {
		t.timed = 0 // ResetTimer is about to
	}
	t.segment = tareNow()
	if t.begin == 0 {
		t.begin = t.segment
	}
}

// tareStop is called when the timer has stopped and testing has read the memory statistics. Reading
// them takes time, so the end is computed from the timer.
func tareStop(b *B) {
	t := b.tare
	if t == nil {
		return
	}
	if t.ended {
		return // what follows TareLoopEnd is not measured
	}
	t.end = t.segment + int64(b.duration-t.timed)
	t.gc += memStats.NumGC - t.gc0
	t.pause += memStats.PauseTotalNs - t.pause0
	for i := range tareParts {
		if stop := tareParts[i].stop; stop != nil {
			stop(b)
		}
	}
}

// tareLive is called by the last call of b.Loop, with the timer stopped. The measured values are still
// alive: the benchmark's function has not returned.
func tareLive(b *B) {
	t := b.tare
	if t == nil || b.hasSub.Load() {
		return
	}
	t.marks(b, "measure") // with b.Loop every run is an iteration
	tareOut.flush()
	t.windowEnded(b)
	t.live(b)
}

// TareLoopEnd is called behind the loop over b.N, while the measured values are still alive: by copies of the
// benchmarks' sources that profiler mem compiles, and by package bench when its workers have returned. A benchmark with
// several such loops calls it behind each; what is read of living values is then that of the last. b.Loop needs no
// such call.
func (b *B) TareLoopEnd() {
	t := b.tare
	if t == nil || b.loop.n > 0 || b.hasSub.Load() {
		return
	}
	t.loopEnd = true
	on := b.timerOn
	b.StopTimer()
	t.windowEnded(b)
	t.live(b)
	if on {
		b.StartTimer()
	}
}

func (t *tareRun) live(b *B) {
	for _, p := range tareParts {
		if p.live != nil {
			p.live(b)
		}
	}
}

// tareAfter is called when the benchmark's function has returned.
func tareAfter(b *B) {
	t := b.tare
	if t == nil {
		return
	}
	if b.hasSub.Load() { // it only has sub-benchmarks; the outermost one ends last
		tareOut.flush()
		return
	}
	t.windowEnded(b)
	t.waiting = true
	for _, p := range tareParts {
		if p.after != nil {
			p.after(b)
		}
	}
}

// windowEnded calls the end of parts, once in a run.
func (t *tareRun) windowEnded(b *B) {
	if t.ended {
		return
	}
	t.ended = true
	for _, p := range tareParts {
		if p.end != nil {
			p.end(b)
		}
	}
}

// tareDone is called with the result of an iteration, before it is printed.
func tareDone(b *B, r BenchmarkResult) BenchmarkResult {
	t := b.tare
	if t == nil {
		return r
	}
	t.n = 0
	if !b.failed && r.N > 0 { // of a run that was cut off testing returns no result
		if !t.marked {
			t.marks(b, "measure")
		}
		t.sample(b, r)
		for _, p := range tareParts {
			if p.written != nil {
				p.written(b)
			}
		}
		t.loop = b.loop.n > 0
		if t.loop || r.N == t.asked { // otherwise the benchmark chose its own N
			t.n, t.ns = int64(r.N), int64(r.T)
		}
	}
	t.waiting = false
	t.iter++
	tareOut.flush()
	return r
}

// tareRun1 takes the place of run1, the first run with N = 1. It is skipped where the iteration before
// has found N.
func tareRun1(b *B) {
	if t := b.tare; t != nil {
		if procs := runtime.GOMAXPROCS(0); procs != t.procs {
			t.procs, t.n = procs, 0
		}
		if t.knows(b) && !t.loop {
			return
		}
	}
	b.run1()
}

// knows reports whether N can be derived from the iteration before.
func (t *tareRun) knows(b *B) bool { return t.n > 0 && b.benchTime.n == 0 }

// tareFirst returns the N with which testing begins its search. Where N is known from the iteration
// before, it is run, and that run is the iteration. Discarding a run because it ended a little early
// would discard the fast ones. Only if it took less than half of the intended time does the search
// go on.
func tareFirst(b *B) int64 {
	const enough = 1e9 // it ends the search
	t := b.tare
	if t == nil || !t.knows(b) || t.loop {
		return 1
	}
	b.previousN, b.previousDuration = int(t.n), time.Duration(t.ns) // RunParallel sizes its portions by these
	b.runN(int(tareNext(int64(b.benchTime.d), t.n, t.ns)))
	if b.duration >= b.benchTime.d/2 {
		return enough
	}
	return int64(b.N)
}

// tareLoop returns the N with which b.Loop begins.
func tareLoop(b *B) uint64 {
	t := b.tare
	if t == nil || !t.knows(b) || !t.loop {
		return 1
	}
	return uint64(tareNext(int64(b.benchTime.d), t.n, t.ns))
}

// marks writes where the window of the last run began and ended.
func (t *tareRun) marks(b *B, phase string) {
	t.marked = true
	t.mark(b, phase, "begin", t.begin, 0)
	t.mark(b, phase, "end", t.end, b.N)
}

func (t *tareRun) mark(b *B, phase, ev string, at int64, ops int) {
	l := tareOut.line("mark")
	l.text("name", strings.TrimPrefix(b.name, "Benchmark"))
	l.int("iter", int64(t.iter))
	l.text("phase", phase)
	l.text("ev", ev)
	l.int("t", at)
	l.int("ops", int64(ops))
	tareOut.end()
}

// sample writes what testing prints of an iteration, without rounding.
func (t *tareRun) sample(b *B, r BenchmarkResult) {
	l := tareOut.line("sample")
	l.int("iter", int64(t.iter))
	l.text("phase", "measure")
	l.int("t", t.end)
	l.int("ns", int64(r.T))
	l.int("ops", int64(r.N))
	l.object("v")
	ns, ok := r.Extra["ns/op"]
	if !ok {
		ns = float64(r.T) / float64(r.N)
	}
	if ns != 0 { // as testing prints it
		l.float("ns/op", ns)
	}
	if mbs := r.mbPerSec(); mbs != 0 {
		l.float("MB/s", mbs)
	}
	t.unlessReported(l, r, "B/op", float64(r.MemBytes)/float64(r.N))
	t.unlessReported(l, r, "allocs/op", float64(r.MemAllocs)/float64(r.N))
	t.unlessReported(l, r, "gc-cycles", float64(t.gc))
	t.unlessReported(l, r, "gc-pause-ns", float64(t.pause))
	t.units = t.units[:0]
	for unit := range r.Extra {
		switch unit {
		case "ns/op", "MB/s", "B/op", "allocs/op", "gc-cycles", "gc-pause-ns":
		default:
			t.units = append(t.units, unit)
		}
	}
	slices.Sort(t.units)
	for _, unit := range t.units {
		l.float(unit, r.Extra[unit])
	}
	for _, p := range tareParts {
		if p.values != nil {
			p.values(b, l)
		}
	}
	l.close()
	tareOut.end()
}

// unlessReported writes a value, unless the benchmark has reported its own of that unit.
func (t *tareRun) unlessReported(l *tareLine, r BenchmarkResult, unit string, x float64) {
	if own, ok := r.Extra[unit]; ok {
		x = own
	}
	l.float(unit, x)
}

// tareWarn writes a warning about the fork, for parts. facts are names and texts by turns. The parent has the sentences,
// in its package diagnosis.
func tareWarn(code, form string, facts ...string) {
	l := tareOut.line("warn")
	l.text("about", "fork")
	l.text("code", code)
	l.text("form", form)
	l.object("facts")
	for i := 0; i < len(facts); i += 2 {
		l.text(facts[i], facts[i+1])
	}
	l.close()
	tareOut.end()
}
