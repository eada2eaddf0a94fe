package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"math/bits"
	"unsafe"
)

// Set once, before package main and what it imports are initialised.
var (
	tareArena *tareHeader
	tareBase  uintptr
	tareSlow  bool   // the clock is nanotime
	tareLoose bool   // TareExit does not wait for the body to be done
	tareOpen  bool   // there may be room in the path
	tareEvery uint64 // 0: every call is timed
	tareLight uint64 // what a call that is not timed adds to tareState.probes
)

// TareEnter is called where a function begins. What it returns is for TareBegin: a
// time of 0 is none, 1 is to be read there.
//
//go:nosplit
func TareEnter(id uint32) (c *tareCall, begin, probes uint64, step *tareStep) {
	gp := getg()
	s := gp.tare
	if s == nil {
		if s = tareJoin(gp); s == nil {
			return nil, 0, 0, nil
		}
	}
	from := s.at
	c = from.kids
	for h := id * 0x9E3779B1; c != nil && c.id != uint64(id); h <<= 2 {
		c = c.next[h>>30]
	}
	if c == nil {
		if c = tareCallOf(s, from, uint64(id)); c == nil {
			s.lost++
			return nil, 0, 0, nil
		}
	}
	c.calls++ // before all that a reader may expect to be less
	f := c.fn
	if f.goid != gp.goid {
		tareMeet(s, f, gp.goid)
	}
	f.active++
	s.at = c.to
	if tareOpen {
		step = tareWalk(id, gp.goid)
	}
	if c.calls < c.due {
		s.probes += tareLight
		return c, 0, s.probes, step
	}
	s.probes += tareUnit
	if tareSlow {
		return c, uint64(nanotime()), s.probes, step
	}
	return c, 1, s.probes, step // TareBegin reads the counter
}

// tareExit is the rest of TareExit: now is what the counter said there.
//
//go:nosplit
func tareExit(c *tareCall, begin, probes uint64, step *tareStep, now uint64) {
	if c == nil {
		return
	}
	gp := getg()
	s, f := gp.tare, c.fn
	if begin != 0 {
		if tareSlow {
			now = uint64(nanotime())
		}
		d := now - begin
		if int64(d) < 0 { // the counters of two processors differ
			d = 0
		}
		inner := s.probes - probes
		c.sum += d
		c.inner += inner
		if d < c.min {
			if c.min == ^uint64(0) {
				c.first = d
			}
			c.min = d
		}
		if d > c.max {
			c.max = d
		}
		x := float64(int64(d - c.first))
		c.square += x * x
		c.timed++
		octave, sub := uint(bits.Len64(d|7))-3, d
		if octave > 0 {
			sub >>= octave - 1
			if octave >= tareOctaves {
				octave = tareOctaves - 1
			}
		}
		h := c.hist[octave]
		if h == 0 {
			h = tareBuckets(s, c, octave)
		}
		*(*uint64)(unsafe.Pointer(tareBase + uintptr(h) + uintptr(sub&7)*8))++
		if f.active != 1 {
			f.nested += d
			f.inner += inner
			f.timed++
		}
		if step != nil {
			step.end = now
		}
		if c.due != 0 {
			c.due = c.calls + 1 + uint64(cheaprandn(uint32(2*tareEvery-1)))
		}
	}
	f.active--
	if f.active != 0 {
		f.again++
	}
	s.at = c.from
	if gp._panic != nil {
		tareUnwound(c)
	}
}

// TareCount is called where a function begins of which only calls are counted.
//
//go:nosplit
func TareCount(id uint32) {
	if s := getg().tare; s != nil && s.pages != nil {
		p := *(**[tarePage]uint64)(add(unsafe.Pointer(s.pages), uintptr(id/tarePage)*8))
		if p != nil {
			p[id%tarePage]++
			return
		}
	}
	tareCountSlow(id)
}

// tareNow reads the clock where it is no hurry.
func tareNow() uint64 {
	if tareSlow {
		return uint64(nanotime())
	}
	return tareTicks()
}

// tareJoin gives the goroutine a state. There is none on a thread's own stack,
// where the scheduler calls back into package time, and none without an arena.
func tareJoin(gp *g) *tareState {
	h := tareArena
	if h == nil {
		return nil
	}
	if gp.m.curg != gp {
		atomic.Xadd64(&h.system, 1)
		return nil
	}
	at := tareTake(tareFirst)
	if at == 0 {
		atomic.Xadd64(&h.lost, 1)
		return nil
	}
	s := (*tareState)(unsafe.Pointer(at))
	s.free, s.limit, s.chunk = at+unsafe.Sizeof(*s), at+tareFirst, 2*tareFirst
	s.root.id = ^uint64(0)
	s.root.to = &s.root
	s.at = &s.root
	if h.counts != 0 {
		s.pages = (**[tarePage]uint64)(unsafe.Pointer(tareRoom(s, (uintptr(h.funcs)+tarePage-1)/tarePage*8)))
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

// tareTake takes n bytes of the arena, a multiple of what a processor may fetch at
// once; 0: there are not as many. The arena is zero where nobody has written.
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

// tareRoom takes n bytes of the goroutine's own chunk, or of its next one.
func tareRoom(s *tareState, n uintptr) uintptr {
	n = (n + tareLine - 1) &^ (tareLine - 1)
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

// tareCallOf makes the record of a call that is made for the first time.
func tareCallOf(s *tareState, from *tareCall, id uint64) *tareCall {
	f := tareFuncOf(s, id)
	at := tareRoom(s, unsafe.Sizeof(tareCall{}))
	if f == nil || at == 0 {
		return nil
	}
	c := (*tareCall)(unsafe.Pointer(at))
	c.id, c.from, c.fn, c.min, c.to = id, from, f, ^uint64(0), c
	if tareEvery != 0 {
		c.due = 1 + uint64(cheaprandn(uint32(tareEvery)))
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
	atomic.StorepNoWB(unsafe.Pointer(slot), unsafe.Pointer(c)) // whole, whenever the process may be killed
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

// tareBuckets makes the buckets of an octave. Without room for them, times are in
// those of the arena's first bytes behind the header, which nobody reads.
func tareBuckets(s *tareState, c *tareCall, octave uint) uint32 {
	at := tareRoom(s, tareSubs*8)
	if at == 0 {
		return uint32(unsafe.Sizeof(tareHeader{}))
	}
	c.hist[octave] = uint32(at - tareBase)
	return c.hist[octave]
}

// tareMeet notes that a goroutine calls a function for the first time.
func tareMeet(s *tareState, f *tareFunc, goid uint64) {
	f.goid = goid
	f.goroutines++
	if s.goid != goid {
		s.goid = goid
		s.goroutines++
	}
}

// tareWalk notes a step of the path.
func tareWalk(id uint32, goid uint64) *tareStep {
	h := tareArena
	n := atomic.Xadd64(&h.next, 1) - 1
	if n >= h.steps {
		tareOpen = false
		return nil
	}
	p := (*tareStep)(unsafe.Pointer(tareBase + uintptr(h.path) + uintptr(n)*unsafe.Sizeof(tareStep{})))
	p.goid, p.begin = goid, tareNow()
	atomic.Store64(&p.id, uint64(id)+1)
	return p
}

func tareCountSlow(id uint32) {
	gp := getg()
	s := gp.tare
	if s == nil {
		if s = tareJoin(gp); s == nil {
			return
		}
	}
	if s.pages == nil {
		s.lost++
		return
	}
	page := (**[tarePage]uint64)(add(unsafe.Pointer(s.pages), uintptr(id/tarePage)*8))
	at := tareRoom(s, tarePage*8)
	if at == 0 {
		s.lost++
		return
	}
	p := (*[tarePage]uint64)(unsafe.Pointer(at))
	p[id%tarePage]++
	*page = p
}

// tareUnwound finds out whether a call that ends while there is a panic is ended
// by it, or has returned in a function that is run on the panic's behalf.
func tareUnwound(c *tareCall) {
	var pcs [8]uintptr
	n := callers(0, pcs[:])
	for i, pc := range pcs[:n] {
		f := findfunc(pc - 1)
		if !f.valid() {
			return
		}
		name := funcname(f)
		switch {
		case i < 2 || f.funcID == abi.FuncIDWrapper: // this, tareExit, and what calls it
		case f.funcID == abi.FuncID_gopanic:
			c.panics++
			return
		case name == "runtime.Goexit":
			c.goexits++
			return
		default:
			return
		}
	}
}
