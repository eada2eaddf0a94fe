package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tareJoin gives the goroutine a state. There is none on a thread's own stack,
// where the scheduler calls back into package time, and none without an arena.
func tareJoin(gp *g) *tareState {
	h := tareArena
	if h == nil {
		tareDeepen()
		return nil
	}
	if gp.m.curg != gp {
		atomic.Xadd64(&h.system, 1)
		return nil
	}
	size, chunk := unsafe.Sizeof(tareState{}), uintptr(tareFirst)
	if h.counts != 0 {
		size += tareLines((uintptr(h.funcs) + tarePage - 1) / tarePage * 8)
	}
	for chunk < size {
		chunk *= 2
	}
	at := tareTake(chunk)
	if at == 0 {
		atomic.Xadd64(&h.lost, 1)
		return nil
	}
	s := (*tareState)(unsafe.Pointer(at))
	s.free, s.limit, s.chunk = at+size, at+chunk, 2*tareFirst
	s.root.id = ^uint64(0)
	s.root.to = &s.root
	s.at = &s.root
	if h.counts != 0 {
		s.pages = (*tarePages)(unsafe.Pointer(at + unsafe.Sizeof(tareState{})))
	}
	for {
		old := atomic.Load64(&h.states)
		s.next = old
		if atomic.Cas64(&h.states, old, uint64(at-tareBase)) {
			break
		}
	}
	gp.tare = s
	return s
}

// tareTake allocates n bytes of the arena, a multiple of a cache line, and returns their address; 0: there is no room. New
// bytes are zero.
func tareTake(n uintptr) uintptr {
	h := tareArena
	for {
		used := atomic.Load64(&h.used)
		if used+uint64(n) > h.size {
			return 0
		}
		if atomic.Cas64(&h.used, used, used+uint64(n)) {
			return tareBase + uintptr(used)
		}
	}
}

// tareLines rounds a number of bytes up to whole cache lines.
func tareLines(n uintptr) uintptr { return (n + tareLine - 1) &^ (tareLine - 1) }

// tareRoom allocates n bytes of the goroutine's own chunk, or of its next one.
func tareRoom(s *tareState, n uintptr) uintptr {
	n = tareLines(n)
	if n > s.limit-s.free {
		chunk := s.chunk
		for chunk < n {
			chunk *= 2
		}
		at := tareTake(chunk)
		if at == 0 {
			return 0
		}
		s.free, s.limit = at, at+chunk
		s.chunk = min(2*s.chunk, tareMost)
	}
	at := s.free
	s.free += n
	return at
}

// tareCallOf makes the record of the first call of an element. That takes as long as many probes, and longer in untouched
// memory. The time is added to tareState.probes.
func tareCallOf(s *tareState, from *tareCall, id uint64) *tareCall {
	start := tareNow()
	c := tareNewCall(s, from, id)
	s.probes += tareUnits(start)
	return c
}

// tareUnits returns the time since start as probes, for tareState.probes.
func tareUnits(start uint64) uint64 {
	if d := int64(tareNow() - start); d > 0 {
		return uint64(float64(d) * tarePerTick)
	}
	return 0
}

// tareOver counts a call without room in a tree.
func tareOver(id uint32) {
	if h := tareArena; h != nil {
		atomic.Xadd64((*uint64)(unsafe.Pointer(tareBase+uintptr(h.over)+uintptr(id)*8)), 1)
	}
}

func tareNewCall(s *tareState, from *tareCall, id uint64) *tareCall {
	f := tareFuncOf(s, id)
	at := tareRoom(s, unsafe.Sizeof(tareCall{}))
	if f == nil || at == 0 {
		return nil
	}
	c := (*tareCall)(unsafe.Pointer(at))
	c.id, c.from, c.fn, c.min, c.to, c.unit = id, from, f, ^uint64(0), c, tareUnit
	if tareEvery != 0 {
		c.due = 1
	}
	for up := from; up.from != nil; up = up.from {
		if up.id == id {
			c.to = up
			break
		}
	}
	slot := &from.kids
	for h := uint32(id) * 0x9E3779B1; *slot != nil; h <<= 2 {
		slot = &(*slot).next[h>>30]
	}
	atomic.StorepNoWB(unsafe.Pointer(slot), unsafe.Pointer(c)) // the record is complete, in case the process is killed
	return c
}

func tareFuncOf(s *tareState, id uint64) *tareFunc {
	slot := &s.funcs
	for h := uint32(id) * 0x9E3779B1; *slot != nil; h <<= 2 {
		if (*slot).id == id {
			return *slot
		}
		slot = &(*slot).next[h>>30]
	}
	at := tareRoom(s, unsafe.Sizeof(tareFunc{}))
	if at == 0 {
		return nil
	}
	f := (*tareFunc)(unsafe.Pointer(at))
	f.id = id
	atomic.StorepNoWB(unsafe.Pointer(slot), unsafe.Pointer(f))
	return f
}

// tareBuckets makes the buckets of an octave and returns their offset. Without room for them it returns that of the bytes
// behind the header, which are never read.
func tareBuckets(s *tareState, c *tareCall, octave uint) uint32 {
	at := tareRoom(s, tareSubs*8)
	if at == 0 {
		return uint32(unsafe.Sizeof(tareHeader{}))
	}
	*(*uint64)(unsafe.Pointer(at)) = 0 // so that the page exists
	c.hist[octave] = uint32(at - tareBase)
	return c.hist[octave]
}
