package env

import (
	"errors"
	"io/fs"
	"unsafe"

	"golang.org/x/sys/unix"
)

// tryEvent opens an event on this thread and closes it again without counting. userOnly means that the kernel
// allows it for user code only.
func tryEvent(e event) (userOnly bool, err error) {
	err = openEvent(e, 0)
	if errors.Is(err, fs.ErrPermission) {
		err = openEvent(e, unix.PerfBitExcludeKernel)
		userOnly = err == nil
	}
	return userOnly, err
}

func openEvent(e event, bits uint64) error {
	attr := unix.PerfEventAttr{
		Type:   unix.PERF_TYPE_HARDWARE,
		Config: unix.PERF_COUNT_HW_CPU_CYCLES,
		Bits:   unix.PerfBitDisabled | unix.PerfBitExcludeHv | bits,
	}
	if e == cpuClock {
		attr.Type, attr.Config = unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_CPU_CLOCK
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
