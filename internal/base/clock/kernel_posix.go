//go:build linux || freebsd || netbsd || openbsd || dragonfly

package clock

import "golang.org/x/sys/unix"

// kernel reads CLOCK_MONOTONIC by a system call. It is the clock that the Go
// runtime reads on these systems (runtime.nanotime1), and the one that
// perf_event stamps samples with under use_clockid.
func kernel() (ns int64, ok bool) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0, false
	}
	return ts.Nano(), true
}
