package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// TareWindow opens or closes the window in which calls are counted. It is open at the start, unless the header of the arena
// says closed. Calls that begin while it is closed are not counted, nor their time. A call that begins before it is
// closed and ends later is counted with all of its time.
func TareWindow(open bool) {
	if tareArena == nil {
		return
	}
	if open {
		atomic.And(&tareMode, ^uint32(tareClosed))
	} else {
		atomic.Or(&tareMode, tareClosed)
	}
}

// TareForget sets all counts to 0. Calls in progress are not counted when they end, except the panics and Goexits that end
// calls without a time, which the reader limits to the number of calls. Calls that other goroutines make meanwhile may be
// counted in part.
func TareForget() {
	h := tareArena
	if h == nil {
		return
	}
	tareSince = tareNow()
	for at := atomic.Load64(&h.states); at != 0; {
		s := (*tareState)(unsafe.Pointer(tareBase + uintptr(at)))
		s.goid, s.goroutines, s.lost, s.since = 0, 0, 0, s.probes
		tareForgetCalls(s.root.kids)
		tareForgetFuncs(s.funcs)
		tareForgetPages(h, s)
		at = s.next
	}
	memclrNoHeapPointers(unsafe.Pointer(tareBase+uintptr(h.over)), uintptr(h.funcs)*8)
	atomic.Store64(&h.lost, 0)
	atomic.Store64(&h.system, 0)
	if h.steps > 0 {
		steps := min(atomic.Load64(&h.next), h.steps)
		memclrNoHeapPointers(unsafe.Pointer(tareBase+uintptr(h.path)), uintptr(steps)*unsafe.Sizeof(tareStep{}))
		atomic.Store64(&h.next, 0)
		atomic.Or(&tareMode, tareOpen)
	}
}

// tareForgetCalls sets the counts of elements and those below them to 0. They stay in the tree, for calls in progress.
func tareForgetCalls(c *tareCall) {
	if c == nil {
		return
	}
	c.calls, c.timed, c.sum, c.min, c.max, c.inner, c.square, c.first = 0, 0, 0, ^uint64(0), 0, 0, 0, 0
	c.panics, c.goexits, c.near, c.unit, c.loose = 0, 0, 0, tareUnit, 0
	c.again, c.nested, c.nestedInner, c.nestedTimed = 0, 0, 0, 0
	c.head, c.heads, c.headSum, c.headInner = 0, 0, 0, 0
	if tareEvery != 0 {
		c.due = 1
	}
	for _, at := range c.hist {
		if at != 0 {
			memclrNoHeapPointers(unsafe.Pointer(tareBase+uintptr(at)), tareSubs*8)
		}
	}
	tareForgetCalls(c.kids)
	for _, next := range c.next {
		tareForgetCalls(next)
	}
}

func tareForgetFuncs(f *tareFunc) {
	if f == nil {
		return
	}
	f.goid, f.goroutines = 0, 0
	for _, next := range f.next {
		tareForgetFuncs(next)
	}
}

func tareForgetPages(h *tareHeader, s *tareState) {
	if s.pages == nil {
		return
	}
	for i := uintptr(0); i < (uintptr(h.funcs)+tarePage-1)/tarePage; i++ {
		if p := s.pages.of[i]; p != nil {
			p.n = [tarePage]uint64{}
		}
	}
}
