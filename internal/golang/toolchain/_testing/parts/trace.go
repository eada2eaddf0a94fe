package testing

import (
	"os"
	"runtime"
	"strconv"
)

// tareTrace opens the window in which functions with probes count their calls while the timer
// runs, in the iteration whose number is in TARE_TRACE, and in no other. What was counted
// in a run before, or before the timer was set to zero, is discarded. It compiles where
// toolchain.Runtime has added its files to package runtime.
var tareTrace = tarePart{process: tareTraceProcess, begin: tareTraceBegin, start: tareTraceStart, stop: tareTraceStop, end: tareTraceStop}

var tareTraceIter int // the one that counts; 0: none

func tareTraceProcess() { tareTraceIter, _ = strconv.Atoi(os.Getenv("TARE_TRACE")) }

// tareTraceHere reports whether this is the iteration that counts, of a benchmark without
// sub-benchmarks: the timer of one with sub-benchmarks runs while those are measured.
func tareTraceHere(b *B) bool { return b.tare.iter == tareTraceIter && !b.hasSub.Load() }

func tareTraceBegin(b *B) {
	if tareTraceHere(b) {
		runtime.TareForget()
		runtime.TareWindow(true)
	}
}

func tareTraceStart(b *B) {
	if tareTraceHere(b) {
		runtime.TareWindow(true)
	}
}

func tareTraceStop(b *B) {
	if tareTraceHere(b) {
		runtime.TareWindow(false)
	}
}
