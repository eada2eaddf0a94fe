//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Where a goroutine is that runs, only its thread can tell. It is asked by the signal that otherwise asks to make room
// for another goroutine, and answers as to the CPU profiler. Mostly it does within some µs, for which we wait. A thread
// that the kernel does not let run answers when it goes on, and the goroutine cannot have moved until then: meanwhile
// its stack has a number that says nothing yet.

// States of an ask.
const (
	tareSampleFree = iota
	tareSampleAsked
	tareSampleAnswering
	tareSampleAnswered
)

const (
	tareSampleAsks     = 256   // goroutines that run at a time: of more, it is not found out where they are
	tareSamplePatience = 8_000 // ns of a look that answers are waited for
)

type tareSampleAsk struct {
	state  uint32
	moved  bool    // the thread has another goroutine by now, or none
	tid    uint64  // of the thread
	gp     uintptr // *g, which are never freed
	goid   uint64
	slot   uintptr
	number uint64 // of its stack; 0: it is of this look
	n      int    // frames; 0: it could not be found out
	stack  [tareSampleDepth]uintptr
}

func tareSampleAskAt(i uint32) *tareSampleAsk {
	return (*tareSampleAsk)(unsafe.Pointer(tareSampler.asks + uintptr(i)*unsafe.Sizeof(tareSampleAsk{})))
}

// tareSampleAskAbout asks where a goroutine is that runs.
func tareSampleAskAbout(gp *g, slot uintptr) {
	goid := gp.goid
	var free *tareSampleAsk
	for i := range tareSampler.high {
		a := tareSampleAskAt(i)
		if atomic.Load(&a.state) == tareSampleFree {
			free = a
		} else if a.goid == goid { // since an earlier look
			tareSampleSlotAt(slot).found(goid, tareSampleRunning, a.number)
			return
		}
	}
	if free == nil && tareSampler.high < tareSampleAsks {
		free = tareSampleAskAt(tareSampler.high)
		atomic.Xadd(&tareSampler.high, 1)
	}
	mp := gp.m // it may end before it is asked: it is only read
	if mp == nil {
		tareSampleAfter(gp, goid, slot)
		return
	}
	if free == nil {
		tareSampleSlotAt(slot).found(goid, tareSampleRunning, tareSampleNew())
		return
	}
	free.moved, free.n, free.number = false, 0, 0
	free.tid, free.gp, free.goid, free.slot = mp.procid, uintptr(unsafe.Pointer(gp)), goid, slot
	tareSampler.open++
	atomic.Store(&free.state, tareSampleAsked)
	tareSampleInterrupt(free.tid)
}

// tareSampleAfter is for a goroutine that was found running and is not any more: where it came to.
func tareSampleAfter(gp *g, goid uint64, slot uintptr) {
	const tries = 3
	for range tries {
		if status := readgstatus(gp); tareSampleHold(gp, status) {
			n, what := tareSampleUnwind(gp)
			same := gp.goid == goid
			casfrom_Gscanstatus(gp, status|_Gscan, status)
			if same {
				tareSampleSlotAt(slot).found(goid, tareSampleRunning, tareSampleNumber(&tareSampler.stack, n, what|tareSampleMoved))
				return
			}
		}
	}
	tareSampleSlotAt(slot).found(goid, tareSampleRunning, tareSampleNew())
}

// tareSampleAwait takes the answers to what was asked since it was called last, and leaves to the next looks those
// that do not come.
func tareSampleAwait() {
	if tareSampler.open == 0 {
		return
	}
	began := nanotime()
	for {
		for i := range tareSampler.high {
			if a := tareSampleAskAt(i); a.number == 0 && atomic.Load(&a.state) == tareSampleAnswered {
				tareSampleTake(a)
				tareSampler.open--
			}
		}
		if tareSampler.open == 0 || nanotime()-began >= tareSampler.patience {
			break
		}
		procyield(20)
	}
	tareSampler.patience -= nanotime() - began
	if tareSampler.open == 0 {
		return
	}
	tareSampler.open = 0
	for i := range tareSampler.high {
		if a := tareSampleAskAt(i); a.number == 0 && atomic.Load(&a.state) != tareSampleFree {
			a.number = tareSampleNew()
			tareSampleSlotAt(a.slot).found(a.goid, tareSampleRunning, a.number)
		}
	}
}

// tareSampleTake takes the answer to what this look has asked.
func tareSampleTake(a *tareSampleAsk) {
	switch {
	case a.moved:
		tareSampleAfter((*g)(unsafe.Pointer(a.gp)), a.goid, a.slot)
	case a.n == 0:
		tareSampleSlotAt(a.slot).found(a.goid, tareSampleRunning, tareSampleNew())
	default:
		tareSampleSlotAt(a.slot).found(a.goid, tareSampleRunning, a.known())
	}
	atomic.Store(&a.state, tareSampleFree)
}

// known is the number of the stack in an answer.
func (a *tareSampleAsk) known() uint64 {
	what := uint64(tareSampleLogical)
	if a.n == tareSampleDepth {
		what |= tareSampleCut
	}
	return tareSampleNumber(&a.stack, a.n, what)
}

// tareSampleHear takes the answers to what earlier looks have asked.
func tareSampleHear() {
	tareSampler.patience = tareSamplePatience
	for i := range tareSampler.high {
		a := tareSampleAskAt(i)
		switch atomic.Load(&a.state) {
		case tareSampleAnswered:
			if a.n > 0 && !a.moved && tareSampleRoom(64) {
				same := a.known()
				tareSamplePut(6)
				tareSamplePut(a.number)
				tareSamplePut(same)
			}
			atomic.Store(&a.state, tareSampleFree)
		case tareSampleAsked:
			gp := (*g)(unsafe.Pointer(a.gp))
			if s := readgstatus(gp) &^ _Gscan; gp.goid != a.goid || s != _Grunning && s != _Gcopystack { // it was not told
				if atomic.Cas(&a.state, tareSampleAsked, tareSampleFree) {
					tareSampleSettled()
				}
			}
		}
	}
}

// tareSampleSignal is called first of all by sighandler, on the thread that was asked.
//
//go:nowritebarrierrec
func tareSampleSignal(sig uint32, info *siginfo, ctxt unsafe.Pointer, gp *g) {
	if sig != sigPreempt || tareSampler.asks == 0 || *cgo_yield != nil { // the last: TSAN, which is late
		return
	}
	mp := getg().m
	for i := range atomic.Load(&tareSampler.high) {
		a := tareSampleAskAt(i)
		if atomic.Load(&a.state) == tareSampleAsked && a.tid == mp.procid && atomic.Cas(&a.state, tareSampleAsked, tareSampleAnswering) {
			tareSampleSettled()
			began := nanotime()
			if curg := mp.curg; curg == nil || curg.goid != a.goid {
				a.moved = true
			} else {
				mp.mallocing++
				a.n = tareSampleHere(&sigctxt{info, ctxt}, gp, mp, a.stack[:])
				mp.mallocing--
			}
			atomic.Xaddint64(&tareSampler.answers, nanotime()-began)
			atomic.Store(&a.state, tareSampleAnswered)
		}
	}
	tareSampleCame(mp)
}

// tareSampleHere is the stack of what a signal has interrupted, by the same rules as in sigprof.
func tareSampleHere(c *sigctxt, gp *g, mp *m, stack []uintptr) int {
	var u unwinder
	switch {
	case mp.ncgo > 0 && mp.curg.syscallpc != 0 && mp.curg.syscallsp != 0:
		u.initAt(mp.curg.syscallpc, mp.curg.syscallsp, 0, mp.curg, unwindSilentErrors)
	case usesLibcall() && mp.libcallg != 0 && mp.libcallpc != 0 && mp.libcallsp != 0:
		u.initAt(mp.libcallpc, mp.libcallsp, 0, mp.libcallg.ptr(), unwindSilentErrors)
	case mp.vdsoSP != 0:
		u.initAt(mp.vdsoPC, mp.vdsoSP, 0, gp, unwindSilentErrors|unwindJumpStack)
	default:
		u.initAt(c.sigpc(), c.sigsp(), c.siglr(), gp, unwindSilentErrors|unwindTrap|unwindJumpStack)
	}
	return tracebackPCs(&u, 0, stack)
}
