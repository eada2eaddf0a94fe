package runtime

import "internal/runtime/sys"

// The types that tare's parent process reads. A change of them also changes tareLayout here, and the offsets in
// internal/golang/instrument. Offsets are the same on all 64-bit systems, since every field is as long as its alignment.
const (
	tareMagic  = 0x7461_7265_7761_7665 // also shows the byte order
	tareLayout = 2

	tareClockCounter = 0 // the cycle counter
	tareClockKernel  = 1 // nanotime

	tareOctaves = 48   // of histograms; longer times are in the last one
	tareSubs    = 8    // buckets of an octave
	tareUnit    = 4096 // what one timed probe adds to tareState.probes
	tarePage    = 32   // counters of a page, if calls are only counted
	tareLine    = 64   // bytes
	tareFirst   = 2048 // bytes of a goroutine's first chunk, the next is twice as long
	tareMost    = 32 << 10
)

// tareHeader is at the beginning of the arena. Its first part is written before the program starts, and is
// the configuration.
type tareHeader struct {
	_      sys.NotInHeap
	magic  uint64
	layout uint64
	size   uint64 // of the arena, bytes
	funcs  uint64 // number of functions with probes
	steps  uint64 // of the path, for which there is room
	every  uint64 // one of so many calls is timed, on average; 0 and 1: all
	clock  uint64 // one of the tareClock constants
	counts uint64 // 1: calls are only counted

	taken  uint64 // 1: a process writes here
	base   uint64 // address of the arena in that process
	ticks0 uint64 // two readings of both clocks: at the start, and at the end of a
	nanos0 uint64 // program that returns or exits, otherwise after calibration
	ticks1 uint64
	nanos1 uint64
	ended  uint64 // 1: the program has returned or exited
	path   uint64 // offset of the path

	// What a probe costs, in ticks, as the bits of float64.
	outside uint64 // a timed call: all of it
	inside  uint64 // a timed call: the part that is in the time that it measures
	light   uint64 // a call that is not timed: all of it
	empty   uint64 // a call without probes, for comparison
	step    uint64 // resolution of the counter
	looseIn uint64 // inside, of a call that is near, see tareExit
	loose   uint64 // outside, of a call that is near
	closed  uint64 // 1: nothing is counted until TareWindow(true)

	// Several goroutines write these, rarely.
	used   uint64 // bytes of the arena that are taken
	states uint64 // offset of the newest state
	lost   uint64 // calls without room for a state: they are only counted, in over
	system uint64 // calls on a thread's own stack, which has no state: they are only counted, in over
	over   uint64 // offset of a counter for each function
	_      [3]uint64

	next uint64 // the next step of the path; written by all calls until the path is full
	_    [7]uint64
}

// tareState is the state of a goroutine, and after its end of the next one that gets its g.
type tareState struct {
	_          sys.NotInHeap
	at         *tareCall // the call that the goroutine is in
	probes     uint64    // the cost of probes so far: tareUnit for each timed one, and for as much time to make records
	goid       uint64    // the last one that used it
	goroutines uint64    // how many used it
	lost       uint64    // calls without room for a record: they are only counted, in tareHeader.over
	next       uint64    // offset of the state before this one
	funcs      *tareFunc
	pages      *tarePages // behind the state, if calls are only counted

	free  uintptr // the room in the chunk begins here
	limit uintptr // and ends here
	chunk uintptr // length of the next chunk
	since uint64  // probes when all counts were discarded
	_     [4]uint64

	root tareCall
}

// tareCall is an element of the tree of calls: a function, called by that of the element above. A recursive call leads back
// to the element of the function that is in progress (see to), so that the tree is never deeper than there are functions.
type tareCall struct {
	_     sys.NotInHeap
	id    uint64
	calls uint64 // that began
	from  *tareCall
	to    *tareCall // itself, or an element further up with the same id
	kids  *tareCall // the elements below: a trie
	fn    *tareFunc
	due   uint64 // the next call to be timed
	timed uint64 // timed calls that have ended

	sum     uint64 // ticks of timed calls
	min     uint64
	max     uint64
	inner   uint64  // probes in them, in units of 1/tareUnit
	square  float64 // sum of squares of ticks - first
	first   uint64
	panics  uint64 // calls that a panic ended
	goexits uint64 // calls that runtime.Goexit ended

	unit  uint64 // what the next timed call adds to tareState.probes: tareUnit, or tareLoosely if calls are near
	near  uint64 // calls in a row that were near, see tareExit
	loose uint64 // timed calls that were not timed exactly
	heads uint64 // 1: the first call was timed, and has ended; 2: during another of the same function

	again       uint64 // recursive calls that have ended
	nested      uint64 // ticks of timed recursive calls
	nestedInner uint64 // probes in those, in units of 1/tareUnit
	nestedTimed uint64 // timed recursive calls
	head        uint64 // tareState.probes in the first call, if one of several is timed
	headSum     uint64 // its ticks
	headInner   uint64 // and probes in it
	_           uint64

	next [4]*tareCall // of the trie, over the hash of ids
	hist [tareOctaves]uint32
}

// tarePages has the pointers to the pages of all functions, as many as there are. A pointer is nil if none of the page's
// functions was called.
type tarePages struct {
	_  sys.NotInHeap
	of [1 << 32 / tarePage]*tareCountPage
}

// tareCountPage has the counters of functions with consecutive numbers.
type tareCountPage struct {
	_ sys.NotInHeap
	n [tarePage]uint64
}

// tareFunc is the state of a function in that of a goroutine.
type tareFunc struct {
	_          sys.NotInHeap
	id         uint64
	active     uint64 // calls that have not ended
	goid       uint64 // the goroutine that called last
	goroutines uint64 // how many called
	next       [4]*tareFunc
}

// tareStep is a call of the execution path.
type tareStep struct {
	_     sys.NotInHeap
	id    uint64 // plus 1; 0: not written
	goid  uint64
	begin uint64
	end   uint64 // 0: it has not ended, or was not timed
}
