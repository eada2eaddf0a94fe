package instrument

// Offsets of fields in the arena, as written by the probes; see the types in
// toolchain/_runtime/probes/tare_layout.go. All fields have 8 bytes.
const (
	magic   = 0x7461_7265_7761_7665
	version = 2

	hdrMagic, hdrLayout, hdrSize, hdrFuncs, hdrSteps, hdrEvery, hdrClock, hdrCounts = 0, 8, 16, 24, 32, 40, 48, 56

	hdrTaken, hdrBase, hdrTicks0, hdrNanos0, hdrTicks1, hdrNanos1, hdrEnded, hdrPath = 64, 72, 80, 88, 96, 104, 112, 120

	hdrOutside, hdrInside, hdrLight, hdrEmpty, hdrStep, hdrLooseIn, hdrLoose, hdrClosed = 128, 136, 144, 152, 160, 168, 176, 184

	hdrUsed, hdrStates, hdrLost, hdrSystem, hdrOver = 192, 200, 208, 216, 224

	// at 256: the next step of the path

	hdrBytes = 320
	pathAt   = hdrBytes + 64 // after an unused area for buckets that have no room

	stepID, stepGoid, stepBegin, stepEnd, stepBytes = 0, 8, 16, 24, 32

	stateProbes, stateGoroutines, stateLost, stateNext, stateFuncs, statePages, stateSince = 8, 24, 32, 40, 48, 56, 88
	stateRoot, stateBytes                                                                  = 128, 128 + callBytes

	callID, callCalls, callFrom, callTo, callKids, callFn, callDue, callTimed                                 = 0, 8, 16, 24, 32, 40, 48, 56
	callSum, callMin, callMax, callInner, callSquare, callFirst, callPanics, callGoexits                      = 64, 72, 80, 88, 96, 104, 112, 120
	callLoose, callHeads, callAgain, callNested, callNestedInner, callNestedTimed, callHeadSum, callHeadInner = 144, 152, 160, 168, 176, 184, 200, 208
	callNext, callHist, callBytes                                                                             = 224, 256, 448
	funcID, funcActive, funcGoroutines, funcKids                                                              = 0, 8, 24, 32
	funcBytes                                                                                                 = 64

	clockCounter, clockKernel = 0, 1

	octaves = 48
	subs    = 8
	unit    = 4096 // added to callInner by one timed probe
	page    = 32   // counters per page
)

// bucket returns the range of times of a bucket of an octave: from ≤ ticks < to.
func bucket(octave, sub int) (from, to float64) {
	if octave == 0 {
		return float64(sub), float64(sub + 1)
	}
	step := float64(uint64(1) << (octave - 1))
	return float64(subs+sub) * step, float64(subs+sub+1) * step
}
