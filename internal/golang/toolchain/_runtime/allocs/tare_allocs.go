// Package runtime gets this file and tare_allocs_read.go for one build, by package toolchain. They count the objects that the
// program allocates on the heap, by call stack, type and size of the slot. They count nothing until the part in package
// testing asks for it, and then what MemStats.Mallocs and MemStats.TotalAlloc count, including objects that share a tiny
// block. The table is outside of the heap, and no profile of the runtime is touched.
//
// Counts begin and end where memory statistics are read, with the world stopped. So they cover the same interval as the
// differences of those statistics, to the object.
package runtime

import "unsafe"

const (
	tareAllocRoom   = 1 << 14           // stacks in the table
	tareAllocFrames = 28                // of a stack, innermost first, without inlined ones
	tareAllocShort  = 10                // of a stack that comes when half of the table is taken
	tareAllocIndex  = 2 * tareAllocRoom // a power of two
)

// tareAllocStack is where objects of one type and size were allocated.
type tareAllocStack struct {
	hash    uintptr
	typ     uintptr                      // address of the type, 0 for memory without one
	size    uintptr                      // bytes of the slot; 0: the object shares the block of another one
	pending uint64                       // objects since statistics were last read
	kept    uint64                       // objects before, while the timer ran
	n       uintptr                      // words of pc
	pc      [1 + tareAllocFrames]uintptr // as fpunwindExpand reads it
}

// tareAllocTable has the stacks in the order in which they came, and their numbers from 1 by hash.
type tareAllocTable struct {
	index  [tareAllocIndex]uint16
	stacks [tareAllocRoom]tareAllocStack
}

// tareAllocLoss is what was allocated when the table was full.
type tareAllocLoss struct{ objects, bytes uint64 }

var tareAllocs struct {
	lock  mutex
	table *tareAllocTable
	used  int

	on    bool // allocations are counted
	armed bool // reading statistics begins to count
	timer bool // the timer runs
	usual bool // debug.malloc without tare

	pending, kept tareAllocLoss
}

// tareAlloc is called at the end of each allocation while debug.malloc is set.
func tareAlloc(size uintptr, typ *_type) {
	if tareAllocs.on {
		tareAllocAdd(size, typ)
	}
}

// tareAllocAdd counts an object. Unwinding by frame pointers takes a tenth of the time of the general way.
//
//go:noinline
func tareAllocAdd(size uintptr, typ *_type) {
	var pc [1 + tareAllocFrames]uintptr
	mp := acquirem() // otherwise the world may stop while the lock is held
	n := 1
	if getg() != mp.curg || tracefpunwindoff() || mp.hasCgoOnStack() {
		pc[0] = logicalStackSentinel
		n += callers(0, pc[1:])
	} else {
		n += fpTracebackPCs(unsafe.Pointer(getfp()), pc[1:])
	}
	lock(&tareAllocs.lock)
	if tareAllocs.used >= tareAllocRoom/2 {
		n = min(n, 1+tareAllocShort)
	}
	if s := tareAllocFind(pc[:n], uintptr(unsafe.Pointer(typ)), size); s != nil {
		s.pending++
	} else {
		tareAllocs.pending.objects++
		tareAllocs.pending.bytes += uint64(size)
	}
	unlock(&tareAllocs.lock)
	releasem(mp)
}

// tareAllocFind returns the element of a stack and adds it if there is none. It returns nil if the table is full.
func tareAllocFind(pc []uintptr, typ, size uintptr) *tareAllocStack {
	h := typ ^ size<<7
	for _, x := range pc {
		h = (h ^ x) * 0x9e3779b1
		h ^= h >> 15
	}
	t := tareAllocs.table
	at := h % tareAllocIndex
	for ; t.index[at] != 0; at = (at + 1) % tareAllocIndex {
		s := &t.stacks[t.index[at]-1]
		if s.hash == h && s.typ == typ && s.size == size && tareAllocSame(s.pc[:s.n], pc) {
			return s
		}
	}
	if tareAllocs.used == tareAllocRoom {
		return nil
	}
	s := &t.stacks[tareAllocs.used]
	tareAllocs.used++
	t.index[at] = uint16(tareAllocs.used)
	s.hash, s.typ, s.size, s.n = h, typ, size, uintptr(len(pc))
	copy(s.pc[:], pc)
	return s
}

func tareAllocSame(a, b []uintptr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// tareAllocCut is called when memory statistics are read, with the world stopped. What was counted since the last time is
// kept if the timer ran, and dropped otherwise.
func tareAllocCut() {
	t := &tareAllocs
	if !t.armed {
		return
	}
	for i := range t.used {
		s := &t.table.stacks[i]
		if t.timer {
			s.kept += s.pending
		}
		s.pending = 0
	}
	if t.timer {
		t.kept.objects += t.pending.objects
		t.kept.bytes += t.pending.bytes
	}
	t.pending = tareAllocLoss{}
	t.on, debug.malloc = true, true
}
