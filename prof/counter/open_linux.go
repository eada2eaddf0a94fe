package counter

import (
	"syscall"
	"unsafe"
)

// attr is struct perf_event_attr in its first version.
type attr struct {
	kind, size                                    uint32
	config, period, sampleType, readFormat, flags uint64
	wakeup, bpType                                uint32
	config1                                       uint64
}

// openTaskClock opens PERF_COUNT_SW_TASK_CLOCK, see perf_event_open(2).
func openTaskClock(userOnly bool) error {
	const (
		software, taskClock         = 1, 1
		disabled, noKernel, noHyper = 1 << 0, 1 << 5, 1 << 6
		closeExec                   = 8
	)
	a := attr{kind: software, config: taskClock, flags: disabled | noHyper}
	a.size = uint32(unsafe.Sizeof(a))
	if userOnly {
		a.flags |= noKernel
	}
	fd, _, errno := syscall.Syscall6(syscall.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(&a)), 0, ^uintptr(0), ^uintptr(0), closeExec, 0)
	if errno != 0 {
		return errno
	}
	return syscall.Close(int(fd))
}
