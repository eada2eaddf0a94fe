//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// Only the thread of a running goroutine can tell its stack. It is asked by the signal that otherwise preempts the
// goroutine, and answers as to the CPU profiler, usually within some µs, for which the sampler waits. A thread that the
// kernel does not run answers when it goes on. The goroutine cannot move until then; meanwhile its stack has a
// number without addresses.

// States of an ask.
const (
	tareSampleFree = iota
	tareSampleAsked
	tareSampleAnswering
	tareSampleAnswered
)

const (
	tareSampleAsks     = 256   // running goroutines that can be asked at a time: the stacks of others are unknown
	tareSamplePatience = 8_000 // ns for which a sample waits for answers
)

type tareSampleAsk struct {
	state  uint32
	moved  bool    // the thread runs another goroutine by now, or none
	tid    uint64  // of the thread
	gp     uintptr // *g, which are never freed
	goid   uint64
	slot   uintptr
	number uint64 // of its stack; 0: the ask is of this sample
	n      int    // frames; 0: the stack is unknown
	stack  [tareSampleDepth]uintptr
}

func tareSampleAskAt(i uint32) *tareSampleAsk {
	return (*tareSampleAsk)(unsafe.Pointer(tareSampler.asks + uintptr(i)*unsafe.Sizeof(tareSampleAsk{})))
}

// tareSampleAskThread asks for the stack of a running goroutine.
func tareSampleAskThread(gp *g, slot uintptr) {
	goid := gp.goid
	var free *tareSampleAsk
	for i := range tareSampler.high {
		a := tareSampleAskAt(i)
		if atomic.Load(&a.state) == tareSampleFree {
			free = a
		} else if a.goid == goid { // it was asked by an earlier sample
			tareSampleSlotAt(slot).found(goid, tareSampleRunning, a.number)
			return
		}
	}
	if free == nil && tareSampler.high < tareSampleAsks {
		free = tareSampleAskAt(tareSampler.high)
		atomic.Xadd(&tareSampler.high, 1)
	}
	mp := gp.m // the m may end before it is asked: it is only read
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

// tareSampleAfter records the stack of a goroutine that was running and has stopped since.
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

// tareSampleAwait waits for the answers to what was asked since its last call. Later samples collect those that do
// not come in time.
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

// tareSampleTake takes the answer to an ask of this sample.
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

// known returns the number of the stack in an answer.
func (a *tareSampleAsk) known() uint64 {
	what := uint64(tareSampleLogical)
	if a.n == tareSampleDepth {
		what |= tareSampleCut
	}
	return tareSampleNumber(&a.stack, a.n, what)
}

// tareSampleCollect takes the answers to asks of earlier samples.
func tareSampleCollect() {
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
			if s := readgstatus(gp) &^ _Gscan; gp.goid != a.goid || s != _Grunning && s != _Gcopystack { // the signal did not find it
				if atomic.Cas(&a.state, tareSampleAsked, tareSampleFree) {
					tareSampleSettled()
				}
			}
		}
	}
}

// tareSampleSignal is the first statement of sighandler, on the thread that was asked.
//
//go:nowritebarrierrec
func tareSampleSignal(sig uint32, info *siginfo, ctxt unsafe.Pointer, gp *g) {
	if sig != sigPreempt || tareSampler.asks == 0 || *cgo_yield != nil { // the last: TSAN delays signals
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

// tareSampleHere returns the stack that a signal has interrupted, by the same rules as sigprof.
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
