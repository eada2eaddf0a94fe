//go:build (linux || darwin) && (amd64 || arm64)

// Package runtime gets this file and its neighbours tare_sample_*.go for one build, by package toolchain. Some of its
// functions get a first statement that calls them: sighandler (tare_sample_ask.go), and those of the CPU profiler
// (tare_sample_standin.go). They sample all goroutines of the program, or read the results of the runtime's own CPU profiler,
// and write them to a mapped file, which survives any end of the process. They do nothing unless TARE_SAMPLE is set:
// "wall" or "cpu", a space, ns from sample to sample, a space, the path of the file. The variable is removed from the
// environment.
//
// The file begins with tareSampleHeader words of 64 bits. Then come records of unsigned varints:
//
//	1 sample of all goroutines: ns since the last, ns that the one before took; number of samples omitted since, because
//	  of their cost, to save room, and because the last one was not over; ns of delay; number of goroutines; then for
//	  each slot whose goroutine has changed: distance from the slot before; twice its state, plus 1 if the number of
//	  another goroutine follows; unless the state is 0 (it has ended) that number, and the number of its stack; then 0
//	2 sample of the CPU profiler: ns since the start, count, number of its stack
//	3 names of the states from tareSampleWaiting on: how many, and for each its length and bytes
//	4 path of the program, as it was started: length and bytes
//	5 stack: its number, flags (tareSampleCut …), number of addresses, and the addresses, innermost first: each its
//	  number, or 0 and the address itself; the first tareSamplePCs*3/4 addresses are numbered from 1
//	6 same stack: number of a stack, and of another one that is equal
//	7 rate of the CPU profiler: samples per second of CPU time, and CPU time used before, ns
//	8 lost samples of the CPU profiler
//	9 CPU time of the process that the samples before stand for, ns
//
// The number of a stack may come before the stack. If the stack never comes, it is unknown.
//
// Rules: sampling needs neither a P nor a goroutine, and nothing here holds a pointer to the heap.
package runtime

import (
	"internal/abi"
	"unsafe"
)

// Words of the header.
const (
	tareSampleMagic   = iota // "tarelook"
	tareSampleClaimed        // 1 when a process has begun to write
	tareSampleLength         // bytes behind the header that are whole records
	tareSampleAnchor         // address of tareSampleRun
	tareSampleStart          // ns of the monotonic clock when it began
	tareSampleFull           // 1: the file is full
	tareSampleRival          // how often the program wanted the CPU profiler for itself
	tareSampleDueAt          // ns of the monotonic clock when the next sample is due; 0: not known
	tareSampleHeader
)

// States of a goroutine.
const (
	tareSampleGone    = iota
	tareSampleRunning // on a thread with a P
	tareSampleRunnable
	tareSampleSyscall
	tareSampleWaiting // plus its waitReason
)

const (
	tareSampleCut     = 1 // outer frames are missing
	tareSampleLogical = 2 // functions that were inlined are elements of their own
	tareSampleMoved   = 4 // it ran when it was sampled; the stack is from right after

	tareSampleDepth  = 512     // frames of a stack, at most
	tareSampleStacks = 1 << 16 // table of known stacks, filled up to three quarters
	tareSamplePCs    = 1 << 14 // table of known addresses, filled up to three quarters
	tareSampleShare  = 50      // samples may take 1/50 of the time
	tareSampleFloor  = 16      // the shortest interval is 1/16 of the mean
	tareSampleThin   = 6       // how often the interval is doubled, at most, to save room
)

type tareSampleSlot struct {
	goid, stack uint64 // the stack's number
	state       uint32
	user        bool // the program's, and not the runtime's own
	changed     bool // since the last sample
	other       bool // by another goroutine in this slot
}

type tareSampleStack struct {
	hash, number uint64
}

var tareSampler struct {
	mode     string
	interval int64

	words   *[tareSampleHeader]uint64 // header of the file, which is not on the heap
	at, end uintptr                   // the room that is left

	slots   uintptr // array of tareSampleSlot, of length nslots
	nslots  uintptr
	stacks  uintptr // hash table of tareSampleStack
	nstacks uint64  // the last number of a stack
	kept    uint64  // stacks in the table
	pcs     uintptr // hash table of tareSamplePC
	npcs    uint64

	asks     uintptr // array of tareSampleAsk
	high     uint32  // how many of these were in use at most
	open     int     // asks of this sample without an answer
	patience int64   // ns for which this sample waits for answers

	start, last int64 // time of the start, and of the last sample
	used        int64 // CPU time of the sampler until the last sample, ns
	answers     int64 // ns that other threads took to answer
	cost        int64 // of the last sample, ns
	costs       [9]int64
	slept       int64 // ns
	looks       uint32
	slower      int64 // ns by which intervals were longer to limit the cost; less than an interval
	thinner     int64 // ns by which intervals were longer to save room
	skipped     [3]int64
	late        int64 // ns

	profiles uint64 // number of our goroutine that has turned the CPU profiler on
	sham     tareSampleStandIn

	stack [tareSampleDepth]uintptr
}

func init() {
	s := tareForget("TARE_SAMPLE")
	if s == "" || !tareSampleOpen(s) {
		return
	}
	tareSampler.start = nanotime()
	tareSampler.last = tareSampler.start
	tareSampler.words[tareSampleAnchor] = uint64(abi.FuncPCABIInternal(tareSampleRun))
	tareSampler.words[tareSampleStart] = uint64(tareSampler.start)
	tareSampleNames()
	tareSampleCommit()
	if tareSampler.mode == "cpu" {
		go tareSampleCPU()
		return
	}
	systemstack(func() { newm(tareSampleRun, nil, -1) })
}

// tareSampleRun takes samples until the file is full, on a thread of its own that never has a P, as sysmon.
func tareSampleRun() {
	lock(&sched.lock)
	sched.nmsys++ // so that a deadlock of the program is found
	checkdead()
	unlock(&sched.lock)
	tareSampleRaisePriority()
	due := tareSampleDue(tareSampler.start, tareSampler.start)
	tareSampler.words[tareSampleDueAt] = uint64(due)
	tareSampleSleep(due - tareSampler.start)
	for tareSampler.words[tareSampleFull] == 0 {
		tareSampler.late = max(nanotime()-due, 0)
		tareSampleTakeAll()
		used := tareSampleUsed(tareSampleThread) + tareSampler.answers
		tareSampler.cost = used - tareSampler.used
		tareSampler.used = used
		tareSampler.costs[tareSampler.looks%uint32(len(tareSampler.costs))] = tareSampler.cost
		tareSampler.looks++
		now := nanotime()
		due = tareSampleDue(due, now)
		tareSampler.words[tareSampleDueAt] = uint64(due)
		tareSampleSleep(due - now)
	}
	for {
		tareSampleSleep(1_000_000_000)
		tareSampleCollect() // the last answers
	}
}

// tareSampleDue returns when the next sample is due. The time between samples is uniformly random, from 1/16 to 31/16 of
// its mean, so that they keep step with nothing. The mean is the interval, or longer where samples would take more than
// their share of the time, and is doubled whenever half of the remaining room is used up. Samples that are due
// before the current one is over are omitted.
func tareSampleDue(due, now int64) int64 {
	mean := max(tareSampler.interval, tareSampleMedianCost()*tareSampleShare)
	tareSampler.slower += mean - tareSampler.interval
	tareSampler.skipped[0] = tareSampler.slower / tareSampler.interval
	tareSampler.slower %= tareSampler.interval

	full := mean << tareSampleHalvings()
	tareSampler.thinner += full - mean
	tareSampler.skipped[1] = tareSampler.thinner / tareSampler.interval
	tareSampler.thinner %= tareSampler.interval

	floor := full / tareSampleFloor
	tareSampler.skipped[2] = 0
	for n := int64(0); due <= now; n++ {
		tareSampler.skipped[2] = n
		due += floor + int64(uint64(cheaprand64())%uint64(2*(full-floor)))
	}
	return due
}

// tareSampleHalvings returns how often half of the remaining room was used up.
func tareSampleHalvings() (n int) {
	left := tareSampler.end - tareSampler.at
	for all := tareSampler.end - uintptr(unsafe.Pointer(tareSampler.words)); n < tareSampleThin && 2*left < all; all /= 2 {
		n++
	}
	return n
}

// tareSampleMedianCost returns the median cost of the last samples, or 0 if there was only one: it may have been held up,
// and the next one would come far too late.
func tareSampleMedianCost() int64 {
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
	if n < 2 {
		return 0
	}
	return sorted[len(sorted)-1-n/2]
}

// tareSampleSleep sleeps for a time, also if signals interrupt its thread.
func tareSampleSleep(ns int64) {
	began := nanotime()
	now := began
	for end := began + ns; now < end; now = nanotime() {
		usleep(uint32(min(end-now, 1_000_000_000)/1000) + 1)
	}
	tareSampler.slept += now - began
}
