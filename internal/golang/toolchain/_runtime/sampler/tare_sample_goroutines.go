//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/goarch"
	"unsafe"
)

// tareSampleTakeAll samples all goroutines, one after the other, while the program goes on. A goroutine that does not run is
// held while its stack is read, as by the garbage collector. The thread of one that runs is asked for its stack.
func tareSampleTakeAll() {
	ptr, n := atomicAllG()
	tareSampleCollect()
	if !tareSampleGrow(n) || !tareSampleRoom(64) {
		return
	}
	now := nanotime()
	many := uint64(0)
	const batch = 64 // goroutines between two waits for answers
	for i := uintptr(0); i < n; i++ {
		if tareSampleVisit(atomicAllGIndex(ptr, i), i) {
			many++
		}
		if i%batch == batch-1 {
			tareSampleAwait()
		}
	}
	tareSampleAwait()
	tareSampleWrite(now, many)
}

// tareSampleWrite writes a sample.
func tareSampleWrite(now int64, many uint64) {
	if !tareSampleRoom(128) {
		return
	}
	tareSamplePut(1)
	tareSamplePutSpan(now - tareSampler.last)
	tareSamplePutSpan(tareSampler.cost)
	for _, n := range tareSampler.skipped {
		tareSamplePutSpan(n)
	}
	tareSamplePutSpan(tareSampler.late)
	tareSamplePut(many)
	before := uintptr(0)
	for i := uintptr(0); i < tareSampler.nslots; i++ {
		slot := tareSampleSlotAt(i)
		if !slot.changed {
			continue
		}
		if !tareSampleRoom(64) {
			return
		}
		tareSamplePut(uint64(i + 1 - before))
		before = i + 1
		switch {
		case slot.state == tareSampleGone:
			tareSamplePut(0)
		case slot.other:
			tareSamplePut(uint64(slot.state)*2 + 1)
			tareSamplePut(slot.goid)
			tareSamplePut(slot.stack)
		default:
			tareSamplePut(uint64(slot.state) * 2)
			tareSamplePut(slot.stack)
		}
		slot.changed, slot.other = false, false
	}
	if tareSampleRoom(1) {
		tareSamplePut(0)
		tareSampleCommit()
		tareSampler.last = now
	}
}

func tareSampleSlotAt(i uintptr) *tareSampleSlot {
	return (*tareSampleSlot)(unsafe.Pointer(tareSampler.slots + i*unsafe.Sizeof(tareSampleSlot{})))
}

// found stores the state and stack of a slot's goroutine.
func (slot *tareSampleSlot) found(goid uint64, state uint32, stack uint64) {
	if slot.goid == goid && slot.state == state && slot.stack == stack {
		return
	}
	slot.changed, slot.other = true, slot.other || slot.goid != goid
	slot.goid, slot.state, slot.stack = goid, state, stack
}

// belongs reports whether a goroutine is the program's and not the runtime's own. Those of finalizers and cleanups are the
// program's while they call one.
func (slot *tareSampleSlot) belongs(gp *g) bool {
	if slot.user && slot.goid == gp.goid {
		return true
	}
	if isSystemGoroutine(gp, false) {
		return false
	}
	slot.user = gp != fing && !gp.runningCleanups.Load()
	return true
}

// tareSampleVisit samples one goroutine, and reports whether it is alive and the program's.
func tareSampleVisit(gp *g, i uintptr) bool {
	slot := tareSampleSlotAt(i)
	const tries = 100 // of some 0.1 µs
	for try := 0; ; try++ {
		status := readgstatus(gp)
		switch status &^ _Gscan {
		case _Grunning, _Gcopystack, _Grunnable, _Gpreempted, _Gsyscall, _Gwaiting:
			if slot.belongs(gp) {
				break
			}
			fallthrough
		default:
			slot.found(0, tareSampleGone, 0)
			return false
		}
		switch {
		case status&^_Gscan == _Grunning || status&^_Gscan == _Gcopystack:
			tareSampleAskThread(gp, i)
		case tareSampleHold(gp, status):
			state := tareSampleState(gp, status)
			n, what := tareSampleUnwind(gp)
			goid := gp.goid
			casfrom_Gscanstatus(gp, status|_Gscan, status)
			slot.found(goid, state, tareSampleNumber(&tareSampler.stack, n, what))
		case try < tries: // it is changing, or the garbage collector holds it
			procyield(10)
			continue
		default:
			stack := slot.stack
			if slot.goid != gp.goid {
				stack = tareSampleNew()
			}
			slot.found(gp.goid, tareSampleState(gp, status), stack)
		}
		return true
	}
}

// tareSampleHold keeps a goroutine that does not run from running, until casfrom_Gscanstatus. A running one must not be held:
// if it is about to scan its own stack for the garbage collector, it would wait for itself.
func tareSampleHold(gp *g, status uint32) bool {
	switch status {
	case _Grunnable, _Gsyscall, _Gwaiting:
		return castogscanstatus(gp, status, status|_Gscan)
	}
	return false
}

func tareSampleState(gp *g, status uint32) uint32 {
	switch status &^ _Gscan {
	case _Gsyscall:
		return tareSampleSyscall
	case _Gwaiting:
		if gp.waitreason.isWaitingForSuspendG() { // it works for the runtime, and its thread has its P
			return tareSampleRunning
		}
		return tareSampleWaiting + uint32(gp.waitreason)
	}
	return tareSampleRunnable
}

// tareSampleUnwind puts the stack of a goroutine that is held into tareSampler.stack. It follows frame pointers, or unwinds
// where those do not suffice: where a goroutine was interrupted, as a function without a frame hides its caller, and
// where functions of C are between those of Go.
func tareSampleUnwind(gp *g) (n int, what uint64) {
	n, ok := 0, false
	if !tracefpunwindoff() && !gp.asyncSafePoint && !tareSampleThroughC(gp) {
		n, ok = tareSampleFrames(gp)
	}
	if !ok {
		n, what = gcallers(gp, 0, tareSampler.stack[:]), tareSampleLogical
	}
	if n == tareSampleDepth {
		what |= tareSampleCut
	}
	return n, what
}

// tareSampleThroughC reports whether functions of C may be on the stack. A goroutine that C has called is locked to its
// thread, and has no thread while it is preempted.
func tareSampleThroughC(gp *g) bool {
	return gp.m != nil && gp.m.hasCgoOnStack() || gp.lockedm != 0 && gp.lockedm.ptr().hasCgoOnStack()
}

// tareSampleFrames follows the frame pointers, as traceStack does, and reports whether each led to an outer frame on the
// goroutine's own stack.
func tareSampleFrames(gp *g) (n int, ok bool) {
	stack := &tareSampler.stack
	var fp uintptr
	if gp.syscallsp != 0 {
		stack[0], fp = gp.syscallpc, gp.syscallbp
	} else {
		stack[0], fp = gp.sched.pc, gp.sched.bp
		if gp.syncSafePoint { // in morestack: sched.bp is already the caller's
			if usesLR {
				stack[1] = gp.sched.lr
			} else {
				stack[1] = *(*uintptr)(unsafe.Pointer(gp.sched.sp))
			}
			n = 1
		}
	}
	n++
	lo, hi := gp.stack.lo, gp.stack.hi-2*goarch.PtrSize
	for ; n < len(stack) && fp != 0; n++ {
		if fp < lo || fp > hi || fp%goarch.PtrSize != 0 {
			return 0, false
		}
		lo = fp + 1
		stack[n] = *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		fp = *(*uintptr)(unsafe.Pointer(fp))
	}
	return n, true
}

// tareSampleGrow makes slots for so many goroutines.
func tareSampleGrow(n uintptr) bool {
	if n <= tareSampler.nslots {
		return true
	}
	const size = unsafe.Sizeof(tareSampleSlot{})
	more := max(2*tareSampler.nslots, n, 1024)
	p := persistentalloc(more*size, 8, &memstats.other_sys)
	if p == nil {
		return false
	}
	if tareSampler.nslots > 0 {
		memmove(p, unsafe.Pointer(tareSampler.slots), tareSampler.nslots*size)
	}
	tareSampler.slots, tareSampler.nslots = uintptr(p), more
	return true
}
