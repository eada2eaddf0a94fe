//go:build (linux || darwin) && (amd64 || arm64)

package runtime

const tareSampleDrain = 100_000_000 // ns between two times of taking what the CPU profiler has found

// tareSampleCPU is a goroutine of its own, one of the system's by its name.
func tareSampleCPU() {
	const second = 1_000_000_000
	hz := max((second+tareSampler.interval/2)/tareSampler.interval, 1)
	tareSamplePut(7)
	tareSamplePut(uint64(hz))
	tareSamplePut(uint64(tareSampleUsed(tareSampleProcess)))
	tareSampleCommit()
	tareSampler.profiles = getg().goid // which alone turns it on
	SetCPUProfileRate(int(hz))
	for tareSampler.words[tareSampleFull] == 0 {
		tareSampleNap(tareSampleDrain)
		tareSampleTakeCPU()
	}
}

// tareSampleNap sleeps without a P, and counts as a thread of the system meanwhile: that a program is deadlocked is
// found as ever.
func tareSampleNap(ns int64) {
	entersyscallblock()
	systemstack(func() {
		lock(&sched.lock)
		sched.nmsys++
		checkdead()
		unlock(&sched.lock)
		tareSampleSleep(ns)
		lock(&sched.lock)
		sched.nmsys--
		unlock(&sched.lock)
	})
	exitsyscall()
}

// tareSampleTakeCPU writes what the CPU profiler has found, and the CPU time in which it has.
func tareSampleTakeCPU() {
	found, log := false, cpuprof.log
	for log != nil {
		data, _, _ := log.read(profBufNonBlocking)
		if len(data) == 0 {
			break
		}
		for len(data) >= 3 {
			n := min(int(data[0]), len(data))
			if n < 3 || !tareSampleHit(data[:n]) {
				return
			}
			data, found = data[n:], true
		}
	}
	if used := tareSampleUsed(tareSampleProcess); found && used > 0 && tareSampleRoom(16) {
		tareSamplePut(9)
		tareSamplePut(uint64(used))
	}
	if tareSampleRoom(0) {
		tareSampleCommit()
	}
}

// tareSampleHit writes a sample: its length, the time, how often, and the stack.
func tareSampleHit(data []uint64) bool {
	if !tareSampleRoom(64) {
		return false
	}
	stack := data[3:]
	switch {
	case len(stack) == 0: // the first, which tells the rate
	case data[2] == 0:
		tareSamplePut(8)
		tareSamplePut(stack[0])
	default:
		what := uint64(tareSampleLogical)
		if len(stack) >= maxCPUProfStack {
			what |= tareSampleCut
		}
		n := min(len(stack), tareSampleDepth)
		for i, pc := range stack[:n] {
			tareSampler.stack[i] = uintptr(pc)
		}
		number := tareSampleNumber(&tareSampler.stack, n, what)
		if !tareSampleRoom(64) {
			return false
		}
		tareSamplePut(2)
		tareSamplePutSpan(int64(data[1]) - tareSampler.start)
		tareSamplePut(data[2])
		tareSamplePut(number)
	}
	return true
}
