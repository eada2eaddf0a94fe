//go:build (linux || darwin) && (amd64 || arm64)

package runtime

const tareSampleDrain = 100_000_000 // ns between two readings of the CPU profiler

// tareSampleCPU is a goroutine of its own. By its name it is one of the runtime's.
func tareSampleCPU() {
	const second = 1_000_000_000
	hz := max((second+tareSampler.interval/2)/tareSampler.interval, 1)
	tareSamplePut(7)
	tareSamplePut(uint64(hz))
	tareSamplePut(uint64(tareSampleUsed(tareSampleProcess)))
	tareSampleCommit()
	tareSampler.profiles = getg().goid // it alone may turn the profiler on
	SetCPUProfileRate(int(hz))
	for tareSampler.words[tareSampleFull] == 0 {
		tareSamplePause(tareSampleDrain)
		tareSampleTakeCPU()
	}
}

// tareSamplePause sleeps without a P. Its thread counts as one of the runtime's meanwhile, so that a deadlock of the
// program is still found.
func tareSamplePause(ns int64) {
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

// tareSampleTakeCPU writes the new samples of the CPU profiler, and the CPU time that they stand for.
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

// tareSampleHit writes a sample of the CPU profiler: its length, time, count and stack.
func tareSampleHit(data []uint64) bool {
	if !tareSampleRoom(64) {
		return false
	}
	stack := data[3:]
	switch {
	case len(stack) == 0: // the first, which holds the rate
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
