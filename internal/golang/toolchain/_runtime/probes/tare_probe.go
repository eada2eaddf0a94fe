// Package runtime gets this file and its neighbours for one build, by package toolchain: the functions that probes call.
// They write to a mapped file, the arena, which tare's process reads.
package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"math/bits"
	"unsafe"
)

// Set once, before package main and its imports are initialised; only tareMode and tareSince change later.
var (
	tareArena   *tareHeader
	tareBase    uintptr
	tareMode    uint32  // bits, see below
	tareEvery   uint64  // 0: every call is timed
	tareNear    uint64  // ticks: a shorter call hardly takes more than the probe, see tareExit
	tareRecheck uint64  // number of near calls before one is timed exactly again
	tareLight   uint64  // what a call that is not timed adds to tareState.probes
	tareLoosely uint64  // what a near call adds to tareState.probes
	tareSince   uint64  // ticks: calls that began before are discarded
	tarePerTick float64 // what a tick of making a record adds to tareState.probes
)

// Bits of tareMode.
const (
	tareSlow   = 1 << iota // the clock is nanotime
	tareOpen               // there may be room in the path
	tareClosed             // calls that begin now are not counted
)

// tareTrust is how many calls in a row must be near before the next ones are not timed
// exactly.
const tareTrust = 4

// TareEnter is called where a function begins. Its results are the arguments of TareBegin. Begin is 0 if the call is not
// timed, and 1 if TareBegin has to read the counter.
//
//go:nosplit
func TareEnter(id uint32) (c *tareCall, begin, probes uint64, step *tareStep) {
	mode := tareMode
	gp := getg()
	s := gp.tare
	if s == nil || mode&tareClosed != 0 {
		if mode&tareClosed != 0 {
			return nil, 0, 0, nil
		}
		if s = tareJoin(gp); s == nil {
			tareOver(id)
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
			s.probes += tareLight
			tareOver(id)
			return nil, 0, 0, nil
		}
	}
	c.calls++ // first, so that a reader never finds fewer calls than timed ones
	f := c.fn
	if f.goid != gp.goid {
		tareMeet(s, f, gp.goid)
	}
	f.active++
	s.at = c.to
	if mode&tareOpen != 0 {
		step = tareWalk(id, gp.goid)
	}
	if c.calls < c.due {
		s.probes += tareLight
		return c, 0, s.probes, step
	}
	if c.due != 0 {
		tareNext(c, s.probes+c.unit)
	}
	s.probes += c.unit
	if mode&tareSlow != 0 {
		return c, uint64(nanotime()), s.probes, step
	}
	return c, 1, s.probes, step // TareBegin reads the counter
}

// tareNext draws the next call to be timed, among the 2*tareEvery-1 that follow. It is called at the beginning of a call,
// since others may follow before this one ends. The first call is always timed, and recognised by tareCall.head:
// otherwise nothing would be known of functions that are called once, nor how much longer the first call takes.
//
//go:nosplit
func tareNext(c *tareCall, probes uint64) {
	if c.calls == 1 {
		c.head = probes
	}
	c.due = c.calls + 1 + uint64(cheaprandn(uint32(2*tareEvery-1)))
}

// tareExit is the rest of TareExit: now is its reading of the counter.
//
// Waiting for the body to be done (see TareExit) is a fifth of the cost of a probe, and useless where there is hardly a
// body. A call that is shorter than tareNear is near. After tareTrust near calls in a row, the next ones are timed
// loosely, without waiting, until one is not near. Out-of-order execution may make other calls look near, so that
// one of tareRecheck is timed exactly.
//
//go:nosplit
func tareExit(c *tareCall, begin, probes uint64, step *tareStep, now uint64) {
	if c == nil {
		return
	}
	gp := getg()
	s, f := gp.tare, c.fn
	nested := f.active != 1
	if begin != 0 && begin >= tareSince {
		if tareMode&tareSlow != 0 {
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
		if c.unit != tareUnit {
			c.loose++
		}
		if !nested && d < tareNear {
			if c.near++; c.near >= tareTrust {
				c.unit = tareLoosely
				if c.near >= tareRecheck {
					c.near, c.unit = tareTrust-1, tareUnit
				}
			}
		} else {
			c.near, c.unit = 0, tareUnit
		}
		octave, sub := uint(bits.Len64(d|7))-3, d
		if octave > 0 {
			sub >>= octave - 1
			if octave >= tareOctaves {
				octave = tareOctaves - 1
			}
		}
		h := c.hist[octave]
		if h == 0 {
			start := tareNow()
			h = tareBuckets(s, c, octave)
			s.probes += tareUnits(start)
		}
		*(*uint64)(unsafe.Pointer(tareBase + uintptr(h) + uintptr(sub&7)*8))++
		if nested {
			c.nested += d
			c.nestedInner += inner
			c.nestedTimed++
		}
		if step != nil {
			step.end = now
		}
		if c.due != 0 && probes == c.head {
			c.heads, c.headSum, c.headInner = 1, d, inner
			if nested {
				c.heads = 2
			}
		}
	}
	f.active--
	s.at = c.from
	if begin != 0 && begin < tareSince {
		return // it is discarded
	}
	if nested {
		c.again++
	}
	if gp._panic != nil {
		tareUnwound(c)
	}
}

// TareCount is called where a function begins, if calls are only counted. slow is TareCountSlow: the compiler lets a function
// that calls a parameter be larger and still be inlined, so that this one is, and small functions with it.
//
//go:nosplit
func TareCount(id uint32, slow func(id uint32)) {
	if s := getg().tare; s != nil && tareMode == 0 {
		if p := s.pages.of[id/tarePage]; p != nil {
			p.n[id%tarePage]++
			return
		}
	}
	slow(id)
}

// TareCountSlow counts a call for which there is no counter yet. It is linked only if a function with a probe is, which tare's
// process checks.
//
//go:noinline
func TareCountSlow(id uint32) { tareCountSlow(id) }

// tareNow reads the clock, outside of timed parts.
func tareNow() uint64 {
	if tareMode&tareSlow != 0 {
		return uint64(nanotime())
	}
	return tareTicks()
}

// tareMeet counts a goroutine that calls a function for the first time.
func tareMeet(s *tareState, f *tareFunc, goid uint64) {
	f.goid = goid
	f.goroutines++
	if s.goid != goid {
		s.goid = goid
		s.goroutines++
	}
}

// tareWalk writes a step of the path.
func tareWalk(id uint32, goid uint64) *tareStep {
	h := tareArena
	n := atomic.Xadd64(&h.next, 1) - 1
	if n >= h.steps {
		atomic.And(&tareMode, ^uint32(tareOpen))
		return nil
	}
	p := (*tareStep)(unsafe.Pointer(tareBase + uintptr(h.path) + uintptr(n)*unsafe.Sizeof(tareStep{})))
	p.goid, p.begin = goid, tareNow()
	atomic.Store64(&p.id, uint64(id)+1)
	return p
}

//go:noinline
func tareCountSlow(id uint32) {
	if tareMode&tareClosed != 0 {
		return
	}
	gp := getg()
	s := gp.tare
	if s == nil {
		if s = tareJoin(gp); s == nil {
			tareOver(id)
			return
		}
	}
	page := &s.pages.of[id/tarePage]
	if *page == nil {
		at := tareRoom(s, tarePage*8)
		if at == 0 {
			s.lost++
			tareOver(id)
			return
		}
		*page = (*tareCountPage)(unsafe.Pointer(at))
	}
	(*page).n[id%tarePage]++
}

// tareUnwound counts a call that ends during a panic, if the panic or Goexit ends it: it may also return in a deferred
// function that the panic runs.
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
