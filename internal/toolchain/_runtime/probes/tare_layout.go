package runtime

import "internal/runtime/sys"

// What tare's parent process reads: each change of these types is one of
// tareLayout here and of the offsets in its reader. Offsets are the same on all
// 64-bit systems, since every field is as long as its alignment.
const (
	tareMagic  = 0x7461_7265_7761_7665 // also says which end of a word comes first
	tareLayout = 2

	tareClockCounter = 0 // the cycle counter
	tareClockKernel  = 1 // nanotime

	tareOctaves = 48   // of histograms; what is longer is in the last
	tareSubs    = 8    // buckets of an octave
	tareUnit    = 4096 // what one timed probe adds to tareState.probes
	tarePage    = 32   // counters of a page, where calls are only counted
	tareLine    = 64   // bytes
	tareFirst   = 2048 // bytes of a goroutine's first chunk, the next is twice as long
	tareMost    = 32 << 10
)

// tareHeader is at the beginning of the arena. Its first line is written before
// the program starts, and says what is wanted.
type tareHeader struct {
	_      sys.NotInHeap
	magic  uint64
	layout uint64
	size   uint64 // of the arena, bytes
	funcs  uint64 // functions are numbered below this
	steps  uint64 // of the path, that have room
	every  uint64 // of how many calls one is timed, on average; 0 and 1: all
	clock  uint64 // one of the tareClock constants
	counts uint64 // 1: calls are only counted

	taken  uint64 // 1: a process writes here
	base   uint64 // where it sees the arena
	ticks0 uint64 // two readings of both clocks: at the start, and where the
	nanos0 uint64 // program ends in an orderly way, else right after calibration
	ticks1 uint64
	nanos1 uint64
	ended  uint64 // 1: in an orderly way
	path   uint64 // offset of the path

	// What a probe costs, in ticks, as the bits of float64.
	outside uint64 // a timed call, whole
	inside  uint64 // of that, what is in the time that it measures
	light   uint64 // a call that is not timed, whole
	empty   uint64 // a call without probes, for comparison
	step    uint64 // ticks by which the counter goes on at a time
	looseIn uint64 // inside, of a call that is near, see tareExit
	loose   uint64 // outside, likewise
	closed  uint64 // 1: nothing is counted before TareWindow

	// What several goroutines write, now and then.
	used   uint64 // bytes of the arena that are taken
	states uint64 // offset of the newest state
	lost   uint64 // calls that are only counted, in over: there was no room for a state
	system uint64 // likewise calls on a thread's own stack, which has none
	over   uint64 // offset of a counter for each function
	_      [3]uint64

	next uint64 // step of the path; while it is open, whoever calls writes this
	_    [7]uint64
}

// tareState is what a goroutine has, and after its end the next one that gets its g.
type tareState struct {
	_          sys.NotInHeap
	at         *tareCall // the call that the goroutine is in
	probes     uint64    // tareUnit for each that it went through, and for as long as one takes to make a record
	goid       uint64    // who wrote last
	goroutines uint64    // that used it
	lost       uint64    // calls that are only counted, in tareHeader.over: there was no room for a record
	next       uint64    // offset of the state before this one
	funcs      *tareFunc
	pages      *tarePages // where calls are only counted

	free  uintptr // room in the chunk: from here
	limit uintptr // to here
	chunk uintptr // length of the next chunk
	since uint64  // probes when all was forgotten
	_     [4]uint64

	root tareCall
}

// tareCall is an edge of the tree of calls: one function called by another that
// was called so. What is called while it is already on the way to here leads back
// there (see to), which keeps the tree as deep as there are functions.
type tareCall struct {
	_     sys.NotInHeap
	id    uint64
	calls uint64 // that began
	from  *tareCall
	to    *tareCall // itself, or a call further up with the same id
	kids  *tareCall // what is called here: the first one, and below it a trie
	fn    *tareFunc
	due   uint64 // the next call to be timed
	timed uint64 // calls that were, and have ended

	sum     uint64 // ticks of timed calls
	min     uint64
	max     uint64
	inner   uint64  // probes in them, in tareUnit-ths
	square  float64 // sum of squares of ticks - first
	first   uint64
	panics  uint64 // calls that a panic ended
	goexits uint64 // calls that runtime.Goexit ended

	unit  uint64 // what the next timed call adds to tareState.probes: tareUnit, or tareLoosely where it is near
	near  uint64 // calls in a row that were
	loose uint64 // calls that were not timed exactly, of timed
	heads uint64 // 1: the first call was timed, and has ended; 2: during another of the same function

	again       uint64 // calls during another of the same function: counted where they end
	nested      uint64 // ticks of those that were timed
	nestedInner uint64 // probes in those, in tareUnit-ths
	nestedTimed uint64 // how many of those were timed
	head        uint64 // tareState.probes in the first call, where one of several is timed
	headSum     uint64 // its ticks
	headInner   uint64 // and probes in it
	_           uint64

	next [4]*tareCall // of the trie, over the hash of ids
	hist [tareOctaves]uint32
}

// tarePages are pointers to the pages of all functions, of which this has the first; those of
// functions that were not called are nil.
type tarePages struct {
	_     sys.NotInHeap
	first *tareCountPage
}

// tareCountPage is a page: counters of functions whose numbers follow each other.
type tareCountPage struct {
	_ sys.NotInHeap
	n [tarePage]uint64
}

// tareFunc is what a goroutine's state has for a function.
type tareFunc struct {
	_          sys.NotInHeap
	id         uint64
	active     uint64 // calls that have not ended
	goid       uint64 // who called last
	goroutines uint64 // that called
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
