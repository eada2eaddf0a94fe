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

// tareSampleInterrupt sends the signal, in the runtime's own way, which knows of exec.
func tareSampleInterrupt(mp *m, _ uint64) { preemptM(mp) }

// tareSampleAcknowledge does what doSigPreempt does, unless that does it.
func tareSampleAcknowledge(mp *m) {
	if debug.asyncpreemptoff != 0 && mp.signalPending.CompareAndSwap(1, 0) {
		pendingPreemptSignals.Add(-1)
	}
}
