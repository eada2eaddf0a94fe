//go:build linux || darwin || freebsd || openbsd || dragonfly

package spawn

import "golang.org/x/sys/unix"

// monotonicNow returns CLOCK_MONOTONIC in nanoseconds.
func monotonicNow() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0 // does not happen: the clock exists and ts is ours
	}
	return ts.Nano()
}
