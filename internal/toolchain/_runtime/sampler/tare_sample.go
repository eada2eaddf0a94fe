//go:build (linux || darwin) && (amd64 || arm64)

// Package runtime gets this file and its neighbours tare_sample_*.go for one build, by package prof/sample, and some functions get a first line that calls them: sighandler (tare_sample_ask.go), and those of the
// CPU profiler (tare_sample_sham.go). They look at the goroutines of the program every now and then, or take what the
// runtime's own CPU profiler finds, and write what they saw into a mapped file, which outlives the process however that
// ends. They do nothing unless TARE_SAMPLE is set: "wall" or "cpu", a space, ns from look to look, a space, the path of
// the file. That is taken out of the environment.
//
// The file begins with tareSampleHeader words of 64 bits; then come records of unsigned varints:
//
//	1 look: ns since the last, ns that the look before took; looks left out since because they would cost too
//	  much, to save room, and because the last was not over; ns that it came late; goroutines; then for each slot
//	  whose goroutine is not where it was: distance from the slot before, twice its state, and unless that is 0
//	  (there is none any more) one more if its number follows, the number, and the number of its stack; then 0
//	2 sample of the CPU profiler: ns since the start, how many, number of its stack
//	3 names: how many, and for each its length and bytes: of the states from tareSampleWaiting on
//	4 the program, as it was called: length and bytes
//	5 stack: its number, what it is (tareSampleCut …), how many addresses, and the addresses, innermost first:
//	  each its number, or 0 and then itself; the first tareSamplePCs*3/4 that came so have numbers from 1
//	6 same: number of a stack, and of another that it turned out to be
//	7 rate of the CPU profiler: samples a second of CPU time, and how much of that was used before, ns
//	8 lost: samples of the CPU profiler
//	9 used: CPU time of the process, ns; that of all samples before
//
// A number may be used before its stack comes, which may be never: that was not found out.
//
// Rules: looks need neither a P nor a goroutine; nothing here holds a pointer to the heap.
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
	tareSampleFull           // 1: there was no room for more
	tareSampleRival          // how often the program wanted the CPU profiler for itself
	tareSampleDueAt          // ns of the monotonic clock when the next look is due; 0: not known
	tareSampleHeader
)

// States of a goroutine.
const (
	tareSampleGone    = iota
	tareSampleRunning // on a thread with a P
	tareSampleRunnable
	tareSampleSyscall
	tareSampleWaiting // and a waitReason
)

const (
	tareSampleCut     = 1 // outer frames are missing
	tareSampleLogical = 2 // functions that were inlined are elements of their own
	tareSampleMoved   = 4 // it ran when it was looked at, and this is where it came to right after

	tareSampleDepth  = 512     // frames of a stack, at most
	tareSampleStacks = 1 << 16 // that are known again when they are seen again: three quarters of these
	tareSamplePCs    = 1 << 14 // addresses, likewise
	tareSampleShare  = 50      // looks may take the 50th part of the time
	tareSampleFloor  = 16      // the shortest gap is this part of the mean
	tareSampleThin   = 6       // how often the gaps are doubled, at most, to save room
)

type tareSampleSlot struct {
	goid, stack uint64 // the stack's number
	state       uint32
	user        bool // it is not the runtime's own
	changed     bool // since the last look
	other       bool // and is another goroutine than before
}

type tareSampleStack struct {
	hash, number uint64
}

var tareSampler struct {
	mode     string
	interval int64

	words   *[tareSampleHeader]uint64 // of the file, which is no memory of the heap
	at, end uintptr                   // where to write, and where no more

	slots   uintptr // of tareSampleSlot, as many as:
	nslots  uintptr
	stacks  uintptr // of tareSampleStack
	nstacks uint64  // numbers given
	kept    uint64  // of those, in the table
	pcs     uintptr // of tareSamplePC
	npcs    uint64

	asks     uintptr // of tareSampleAsk
	high     uint32  // how many of these were ever in use
	open     int     // asks of this look that were not answered
	patience int64   // ns for which this look waits for answers

	start, last int64 // of the sampler, and of the last look
	used        int64 // by the sampler until the last look, ns
	answers     int64 // ns that other threads took to tell where they were
	cost        int64 // of the last look, ns
	costs       [9]int64
	slept       int64 // ns
	looks       uint32
	slower      int64 // ns by which gaps were longer to keep the cost down, less than an interval
	thinner     int64 // likewise to save room
	skipped     [3]int64
	late        int64 // ns

	profiles uint64 // the goroutine that has turned the CPU profiler on
	sham     tareSampleSham

	stack [tareSampleDepth]uintptr
}

func init() {
	s := tareSampleForget("TARE_SAMPLE")
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

// tareSampleRun looks again and again, on a thread of its own that never has a P, as sysmon.
func tareSampleRun() {
	lock(&sched.lock)
	sched.nmsys++ // so that a deadlock of the program is found
	checkdead()
	unlock(&sched.lock)
	tareSampleHurry()
	due := tareSampleDue(tareSampler.start, tareSampler.start)
	tareSampler.words[tareSampleDueAt] = uint64(due)
	tareSampleSleep(due - tareSampler.start)
	for tareSampler.words[tareSampleFull] == 0 {
		tareSampler.late = max(nanotime()-due, 0)
		tareSampleLook()
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
		tareSampleHear() // of those that were asked last
	}
}

// tareSampleDue is when the next look is due. Gaps are as likely to be of any length from a 16th of their mean to 31
// 16ths, so that looks keep step with nothing; the mean is the interval, or what keeps looks to their share of the time,
// and doubles whenever half of the room that was left is used up. What is due before this one is over is left out.
func tareSampleDue(due, now int64) int64 {
	mean := max(tareSampler.interval, tareSampleUsual()*tareSampleShare)
	tareSampler.slower += mean - tareSampler.interval
	tareSampler.skipped[0] = tareSampler.slower / tareSampler.interval
	tareSampler.slower %= tareSampler.interval

	full := mean << tareSampleScarce()
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

// tareSampleScarce is how often half of the room that was left has been used up.
func tareSampleScarce() (n int) {
	left := tareSampler.end - tareSampler.at
	for all := tareSampler.end - uintptr(unsafe.Pointer(tareSampler.words)); n < tareSampleThin && 2*left < all; all /= 2 {
		n++
	}
	return n
}

// tareSampleUsual is the median of what the last looks took, or of those that there were. It is not known from one
// alone, which may have been held up: the next would come far too late.
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
	if n < 2 {
		return 0
	}
	return sorted[len(sorted)-1-n/2]
}

// tareSampleSleep sleeps until the time is over, whatever signals come to its thread meanwhile.
func tareSampleSleep(ns int64) {
	began := nanotime()
	now := began
	for end := began + ns; now < end; now = nanotime() {
		usleep(uint32(min(end-now, 1_000_000_000)/1000) + 1)
	}
	tareSampler.slept += now - began
}
