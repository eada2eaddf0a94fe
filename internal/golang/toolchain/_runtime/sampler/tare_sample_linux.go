//go:build linux && (amd64 || arm64)

package runtime

import (
	"internal/goarch"
	linux "internal/runtime/syscall/linux"
	"unsafe"
)

// Clocks of CPU time.
const (
	tareSampleProcess = 2 // CLOCK_PROCESS_CPUTIME_ID
	tareSampleThread  = 3 // CLOCK_THREAD_CPUTIME_ID
)

// tareSampleUsed returns the CPU time by a clock, in ns; 0: unknown.
func tareSampleUsed(clock uintptr) int64 {
	const gettime = goarch.IsAmd64*228 + goarch.IsArm64*113
	var t [2]int64
	if _, _, errno := linux.Syscall6(gettime, clock, uintptr(unsafe.Pointer(&t)), 0, 0, 0, 0); errno != 0 {
		return 0
	}
	return t[0]*1_000_000_000 + t[1]
}

// tareSampleRaisePriority has the kernel wake up our thread when a sample is due, and not when the program's own threads
// pause, which samples would then find pausing. It asks for real-time priority, or without the permission for that, for a
// short time slice and exact timers.
func tareSampleRaisePriority() {
	const (
		setscheduler = goarch.IsAmd64*144 + goarch.IsArm64*119
		setattr      = goarch.IsAmd64*314 + goarch.IsArm64*274
		fifo         = 1 | 1<<30 // SCHED_FIFO|SCHED_RESET_ON_FORK
		timerSlack   = 29        // PR_SET_TIMERSLACK
		leastSlice   = 100_000   // ns
	)
	priority := int32(1)
	if _, _, errno := linux.Syscall6(setscheduler, 0, fifo, uintptr(unsafe.Pointer(&priority)), 0, 0, 0); errno == 0 {
		return
	}
	var attr struct {
		size, policy              uint32
		flags                     uint64
		nice                      int32
		priority                  uint32
		runtime, deadline, period uint64
	}
	attr.size, attr.runtime = uint32(unsafe.Sizeof(attr)), leastSlice
	linux.Syscall6(setattr, 0, uintptr(unsafe.Pointer(&attr)), 0, 0, 0, 0)
	linux.Syscall6(linux.SYS_PRCTL, timerSlack, 1, 0, 0, 0, 0)
}

// tareSampleInterrupt sends the signal. It does not use the m, which may have ended; a thread that has ended gets no signal.
func tareSampleInterrupt(tid uint64) { tgkill(getpid(), int(tid), sigPreempt) }

func tareSampleSettled() {}

func tareSampleCame(*m) {}
