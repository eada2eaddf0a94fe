//go:build darwin && (amd64 || arm64)

package runtime

// Clocks of CPU time.
const (
	tareSampleProcess = iota
	tareSampleThread
)

// tareSampleUsed returns 0 for the CPU time of the process, which is unknown here. The CPU time of our thread is estimated
// by the clock, without the time that it slept.
func tareSampleUsed(clock uintptr) int64 {
	if clock == tareSampleProcess {
		return 0
	}
	return nanotime() - tareSampler.slept
}

func tareSampleRaisePriority() {}

// tareSampleInterrupt sends the signal. It does not use the m, which may have ended; a thread that has ended gets no signal.
// As preemptM it sends none during exec, which waits for pending signals.
func tareSampleInterrupt(tid uint64) {
	execLock.rlock()
	pendingPreemptSignals.Add(1)
	pthread_kill(pthread(tid), sigPreempt)
	execLock.runlock()
}

// tareSampleSettled is called when a thread has answered, or never will.
func tareSampleSettled() { pendingPreemptSignals.Add(-1) }

// tareSampleCame is called when a signal has come to its thread. doSigPreempt then subtracts one from the pending
// signals, as if it were the runtime's own: it must subtract this one unless one of the runtime's is pending.
func tareSampleCame(mp *m) {
	if debug.asyncpreemptoff == 0 && mp.signalPending.CompareAndSwap(0, 1) {
		pendingPreemptSignals.Add(1)
	}
}
