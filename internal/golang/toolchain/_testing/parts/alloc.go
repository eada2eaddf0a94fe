package testing

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// tareAlloc counts allocations by call stack in two iterations: the first measured one, with a quarter of the operations, and
// the last one. From their difference follows what an operation allocates, without what a run allocates once. It writes
// what it counted in iteration N to the file N.json of the directory in TARE_ALLOC, for internal/profile/alloc. It compiles
// where toolchain.Runtime has added its files to package runtime.
var tareAlloc = tarePart{
	process: tareAllocProcess, before: tareAllocBefore, begin: tareAllocBegin, start: tareAllocStart, stop: tareAllocStop,
	end: tareAllocEnd, values: tareAllocValues,
}

const tareAllocLess = 4 // how many times more operations the last iteration has than the first measured one

// Benchmarks run one after the other and share one state.
var tareAllocNow struct {
	dir    string // "": nothing is counted
	warmup int    // iterations before the first measured one

	asked *durationOrCountFlag // -test.benchtime; nil: not known yet
	of    *B                   // whose allocations count in this run; nil: of none
	seen  tareAllocSeen        // of its last run
}

// tareAllocSeen is what was counted in a run. Objects and bytes are testing's own counts.
type tareAllocSeen struct {
	all                    []runtime.TareAlloc
	objects, bytes         uint64
	lostObjects, lostBytes uint64
}

// tareAllocProcess reads the variable: the number of warm-up iterations, a space, the directory.
func tareAllocProcess() {
	warmup, dir, _ := strings.Cut(os.Getenv("TARE_ALLOC"), " ")
	tareAllocNow.warmup, _ = strconv.Atoi(warmup)
	tareAllocNow.dir = dir
}

func tareAllocBefore(b *B) {
	m := &tareAllocNow
	if m.dir == "" {
		return
	}
	if m.asked == nil {
		flag := benchTime
		m.asked = &flag
	}
	length, counts := *m.asked, true
	switch iter := b.tare.iter; {
	case iter == int(*count):
	case iter == m.warmup+1:
		length.n, length.d = (length.n+tareAllocLess-1)/tareAllocLess, length.d/tareAllocLess
	default:
		if counts = false; iter > m.warmup {
			length.n, length.d = min(length.n, 1), length.d/tareAllocLess
		}
	}
	b.benchTime, benchTime = length, length // package bench reads the flag
	m.of, m.seen = nil, tareAllocSeen{}
	if counts {
		m.of = b
	}
	runtime.TareAllocArm(counts)
}

// tareAllocHere reports whether the allocations of a benchmark count. The timer of one with sub-benchmarks runs while those
// are measured.
func tareAllocHere(b *B) bool { return tareAllocNow.of == b && !b.hasSub.Load() }

func tareAllocBegin(b *B) {
	if tareAllocHere(b) {
		runtime.TareAllocForget()
		runtime.TareAllocTimer(true)
	}
}

func tareAllocStart(b *B) {
	if tareAllocHere(b) {
		runtime.TareAllocTimer(true)
	}
}

func tareAllocStop(b *B) {
	if tareAllocHere(b) {
		runtime.TareAllocTimer(false)
	}
}

func tareAllocEnd(b *B) {
	if !tareAllocHere(b) {
		return
	}
	runtime.TareAllocArm(false)
	s := &tareAllocNow.seen
	s.objects, s.bytes = b.netAllocs, b.netBytes
	s.all, s.lostObjects, s.lostBytes = runtime.TareAllocRead()
}

// tareAllocValues writes the file. If that fails, the parent finds none.
func tareAllocValues(b *B, _ *tareLine) {
	m := &tareAllocNow
	if !tareAllocHere(b) {
		return
	}
	var w tareAllocWriter
	name := filepath.Join(m.dir, strconv.Itoa(b.tare.iter)+".json")
	os.WriteFile(name, w.write(&m.seen), 0o600)
	m.of, m.seen = nil, tareAllocSeen{}
}
