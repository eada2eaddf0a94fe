//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import (
	"internal/abi"
	"unsafe"
)

// This file and its neighbours tare_sample_*.go are added to package runtime for one build, by package prof/sample of
// tareSampler. They look at the goroutines of the program every now and then, or take what the runtime's own CPU
// profiler finds, and write what they saw into a mapped file, which outlives the process however that ends. They
// do nothing unless TARE_SAMPLE is set: "wall" or "cpu", a space, ns from look to look, a space, the path of the file.
//
// The file begins with tareSampleHeader words of 64 bits; then come records of unsigned varints:
//
//	1 look: ns since the last, ns that the look before took, looks that were due since and left out,
//	  goroutines; then for each slot whose goroutine is not where it was: distance from the slot before,
//	  state, and unless that is 0 (there is none any more) its number and its stack; then 0
//	2 sample of the CPU profiler: ns since the start, how many, its stack; none with a stack of one
//	  element: that many were lost
//	3 names: how many, and for each its length and bytes: of the states from tareSampleWaiting on
//	4 the program, as it was called: length and bytes
//
// A stack is its number, from 1 in the order in which they came, or 0 and then what it is (tareSampleCut,
// tareSampleLogical), how many addresses, and the addresses, innermost first.
//
// Rules: nothing between tareSampleNap's two system calls needs a P or the goroutine's stack; nothing here holds a
// pointer to the heap.

// Words of the header.
const (
	tareSampleMagic   = iota // "tarelook"
	tareSampleClaimed        // 1 when a process has begun to write
	tareSampleLength         // bytes behind the header that are whole records
	tareSampleAnchor         // address of tareSampleRun
	tareSampleStart          // ns of the monotonic clock when it began
	tareSampleFull           // 1: there was no room for more
	tareSampleHeader
)

// States of a goroutine.
const (
	tareSampleGone     = iota
	tareSampleRunning  // on a P when the look was due
	tareSampleRunnable // waiting for a P
	tareSampleSyscall
	tareSampleWaiting // and a waitReason
)

const (
	tareSampleCut     = 1 // outer frames are missing
	tareSampleLogical = 2 // functions that were inlined are elements of their own

	tareSampleDepth  = 128     // frames of a stack, at most
	tareSampleStacks = 1 << 16 // that are known again when they are seen again: three quarters of these
	tareSampleShare  = 50      // looks may take the 50th part of the time
	tareSampleStop   = 100_000 // ns
	tareSampleDrain  = 100_000_000
)

type tareSampleSlot struct {
	goid, stack uint64 // the stack's hash
	state       uint64
}

type tareSampleStack struct {
	hash, number uint64
}

var tareSampler struct {
	mode     string
	interval int64

	words   *[tareSampleHeader]uint64 // of the file, which is no memory of the heap
	at, end uintptr                   // where to write, and where no more

	self    uint64
	slots   uintptr // of tareSampleSlot, as many as:
	nslots  uintptr
	stacks  uintptr // of tareSampleStack
	nstacks uint64

	start, last int64 // of the first look, and of the last
	cost        int64 // of the last look, ns
	costs       [9]int64
	skipped     int64

	running  [256]uint64 // goroutines on a P when the look was due
	nrunning int
	looks    uint32
	pcs      [tareSampleDepth]uintptr
}

func init() {
	if s := gogetenv("TARE_SAMPLE"); s != "" && tareSampleOpen(s) {
		go tareSampleRun()
	}
}

// tareSampleRun is a goroutine of its own, one of the system's by its name.
func tareSampleRun() {
	tareSampler.self = getg().goid
	tareSampler.start = nanotime()
	tareSampler.last = tareSampler.start
	tareSampler.words[tareSampleAnchor] = uint64(abi.FuncPCABIInternal(tareSampleRun))
	tareSampler.words[tareSampleStart] = uint64(tareSampler.start)
	tareSampleNames()
	tareSampleCommit()
	if tareSampler.mode == "cpu" {
		SetCPUProfileRate(int(1_000_000_000 / tareSampler.interval))
		for {
			tareSampleNap(tareSampleDrain)
			tareSampleTakeCPU()
		}
	}
	due := tareSampler.start
	for {
		began := nanotime()
		stw := stopTheWorld(stwGoroutineProfile)
		systemstack(tareSampleLook)
		looked := nanotime()
		startTheWorld(stw)
		// A world that stops slowly waits for a thread that does not run, and when it goes on others may take our
		// processor: both hold up little, and say nothing about the next look.
		tareSampler.cost = looked - stw.finishedStopping + min(stw.finishedStopping-began, tareSampleStop)
		tareSampler.costs[tareSampler.looks%uint32(len(tareSampler.costs))] = tareSampler.cost
		now := nanotime()
		due, tareSampler.skipped = tareSampleDue(due, now)
		tareSampleNap(due - now)
	}
}

// tareSampleDue is when the next look is due: an interval after the last, a tenth more or less so that it does
// not keep step with the program, but not before looks have their share of the time. What would have been
// due until then is left out.
func tareSampleDue(due, now int64) (next, skipped int64) {
	tenth := tareSampler.interval / 10
	next = due + tareSampler.interval + int64(cheaprandn(uint32(tenth)*2+1)) - tenth
	if earliest := now + max(tareSampleUsual()*tareSampleShare, tenth); next < earliest {
		skipped = (earliest - next) / tareSampler.interval
		next = earliest
	}
	return next, skipped
}

// tareSampleUsual is the median of what the last looks took, or of those that there were: one in which the kernel had
// the thread wait for others says nothing about the next.
func tareSampleUsual() int64 {
	sorted, n := tareSampler.costs, 0
	for i, x := range sorted {
		for ; i > 0 && sorted[i-1] > x; i-- {
			sorted[i] = sorted[i-1]
		}
		sorted[i] = x
	}
	for _, x := range sorted {
		if x > 0 {
			n++
		}
	}
	return sorted[len(sorted)-1-n/2]
}

// tareSampleNap sleeps without a P, and counts as a thread of the system meanwhile: that a program is deadlocked is
// found as ever. When it is time it notes who is running.
func tareSampleNap(ns int64) {
	entersyscallblock()
	systemstack(func() {
		lock(&sched.lock)
		sched.nmsys++
		checkdead()
		unlock(&sched.lock)
		for ; ns > 1_000_000_000; ns -= 1_000_000_000 {
			usleep(1_000_000)
		}
		if ns > 0 {
			usleep(uint32(ns/1000) + 1)
		}
		tareSampleNote()
		lock(&sched.lock)
		sched.nmsys--
		unlock(&sched.lock)
	})
	exitsyscall()
}

// tareSampleNote notes which goroutines are on a P, before one of them has to make room for us.
func tareSampleNote() {
	tareSampler.nrunning = 0
	lock(&allpLock)
	for _, pp := range allp {
		if pp.status != _Prunning {
			continue
		}
		if mp := pp.m.ptr(); mp != nil && mp.curg != nil && tareSampler.nrunning < len(tareSampler.running) {
			tareSampler.running[tareSampler.nrunning] = mp.curg.goid
			tareSampler.nrunning++
		}
	}
	if tareSampler.looks++; sched.npidle.Load() == 0 && tareSampler.mode == "wall" { // do not wait for the end of a time slice
		preemptone(allp[tareSampler.looks%uint32(len(allp))])
	}
	unlock(&allpLock)
}

// tareSampleLook looks at all goroutines. The world is stopped.
func tareSampleLook() {
	ptr, n := atomicAllG()
	if !tareSampleGrow(n) || !tareSampleRoom(64) {
		return
	}
	now := nanotime()
	tareSamplePut(1)
	tareSamplePut(uint64(now - tareSampler.last))
	tareSamplePut(uint64(tareSampler.cost))
	tareSamplePut(uint64(tareSampler.skipped))
	tareSampler.last = now
	many := uint64(0)
	for i := uintptr(0); i < n; i++ {
		if tareSampleState(atomicAllGIndex(ptr, i)) != tareSampleGone {
			many++
		}
	}
	tareSamplePut(many)
	before := uintptr(0)
	for i := uintptr(0); i < n; i++ {
		if tareSampleChanged(atomicAllGIndex(ptr, i), (*tareSampleSlot)(unsafe.Pointer(tareSampler.slots+i*unsafe.Sizeof(tareSampleSlot{}))), i+1-before) {
			before = i + 1
		}
	}
	if tareSampleRoom(1) {
		tareSamplePut(0)
		tareSampleCommit()
	}
}

// tareSampleChanged writes where a goroutine is, unless it is where it was.
func tareSampleChanged(gp *g, slot *tareSampleSlot, distance uintptr) bool {
	state := tareSampleState(gp)
	if state == tareSampleGone {
		if slot.state == tareSampleGone || !tareSampleRoom(16) {
			return false
		}
		*slot = tareSampleSlot{}
		tareSamplePut(uint64(distance))
		tareSamplePut(tareSampleGone)
		return true
	}
	n, what := tareSampleUnwind(gp)
	hash := uint64(what)
	for _, pc := range tareSampler.pcs[:n] {
		hash = (hash ^ uint64(pc)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	if slot.state == state && slot.goid == gp.goid && slot.stack == hash || !tareSampleRoom(64+uintptr(n)*10) {
		return false
	}
	*slot = tareSampleSlot{gp.goid, hash, state}
	tareSamplePut(uint64(distance))
	tareSamplePut(state)
	tareSamplePut(gp.goid)
	tareSamplePutStack(hash, n, what)
	return true
}

func tareSampleState(gp *g) uint64 {
	switch readgstatus(gp) &^ _Gscan {
	case _Grunning, _Grunnable, _Gpreempted, _Gcopystack:
		if gp.goid == tareSampler.self {
			return tareSampleGone
		}
		for _, id := range tareSampler.running[:tareSampler.nrunning] {
			if id == gp.goid {
				return tareSampleRunning
			}
		}
		return tareSampleRunnable
	case _Gsyscall:
		return tareSampleSyscall
	case _Gwaiting:
		if gp.goid == tareSampler.self { // for the world to stop
			return tareSampleGone
		}
		return tareSampleWaiting + uint64(gp.waitreason)
	}
	return tareSampleGone
}

// tareSampleUnwind puts the stack of a goroutine that does not run into tareSampler.pcs, as traceStack does. Where it was
// interrupted the slow way is taken: a function that has no frame hides its caller from the fast one.
func tareSampleUnwind(gp *g) (n int, what uint8) {
	if tracefpunwindoff() || gp.asyncSafePoint || gp.m != nil && gp.m.hasCgoOnStack() {
		n, what = gcallers(gp, 0, tareSampler.pcs[:]), tareSampleLogical
	} else if gp.syscallsp != 0 {
		tareSampler.pcs[0] = gp.syscallpc
		n = 1 + fpTracebackPCs(unsafe.Pointer(gp.syscallbp), tareSampler.pcs[1:])
	} else {
		tareSampler.pcs[0] = gp.sched.pc
		n = 1
		if gp.syncSafePoint { // in morestack: sched.bp is already the caller's
			if usesLR {
				tareSampler.pcs[1] = gp.sched.lr
			} else {
				tareSampler.pcs[1] = *(*uintptr)(unsafe.Pointer(gp.sched.sp))
			}
			n = 2
		}
		n += fpTracebackPCs(unsafe.Pointer(gp.sched.bp), tareSampler.pcs[n:])
	}
	if n == tareSampleDepth {
		what |= tareSampleCut
	}
	return n, what
}

// tareSampleTakeCPU writes what the CPU profiler has found.
func tareSampleTakeCPU() {
	for {
		data, _, _ := cpuprof.log.read(profBufNonBlocking)
		if len(data) == 0 {
			return
		}
		for len(data) >= 3 {
			n := min(int(data[0]), len(data))
			if n < 3 || !tareSampleRoom(64+uintptr(n)*10) {
				return
			}
			tareSamplePut(2)
			tareSamplePut(uint64(max(int64(data[1])-tareSampler.start, 0)))
			tareSamplePut(data[2])
			tareSamplePut(0)
			tareSamplePut(tareSampleLogical)
			tareSamplePut(uint64(n - 3))
			for _, pc := range data[3:n] {
				tareSamplePut(pc)
			}
			data = data[n:]
		}
		tareSampleCommit()
	}
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
