//go:build darwin && (amd64 || arm64)

package runtime

// Clocks of CPU time.
const (
	tareSampleProcess = iota
	tareSampleThread
)

// tareSampleUsed is 0 for the CPU time of the process, which is not known here. That of our thread is not either: the clock
// stands for it, without the naps.
func tareSampleUsed(clock uintptr) int64 {
	if clock == tareSampleProcess {
		return 0
	}
	return nanotime() - tareSampler.slept
}

func tareSampleHurry() {}

// tareSampleInterrupt sends the signal. The m is not touched, since it may be no more; a thread that is no more gets nothing.
// As preemptM it does not while the program becomes another by exec, which waits for what is pending.
func tareSampleInterrupt(tid uint64) {
	execLock.rlock()
	pendingPreemptSignals.Add(1)
	pthread_kill(pthread(tid), sigPreempt)
	execLock.runlock()
}

// tareSampleSettled is for a thread that was asked and has been heard, or never will be.
func tareSampleSettled() { pendingPreemptSignals.Add(-1) }

// tareSampleCame is for a signal that has come to its thread. doSigPreempt is about to take one off those that are
// pending, as if it were the runtime's: unless one of those is under way, it is to take this one.
func tareSampleCame(mp *m) {
	if debug.asyncpreemptoff == 0 && mp.signalPending.CompareAndSwap(0, 1) {
		pendingPreemptSignals.Add(1)
	}
}
