package clock

import "golang.org/x/sys/unix"

// kernel reads CLOCK_UPTIME_RAW, which is mach_absolute_time in nanoseconds and
// thus the clock of the Go runtime. CLOCK_MONOTONIC would be another one here:
// it goes on during sleep and is steered by time adjustments.
func kernel() (ns int64, ok bool) {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_UPTIME_RAW, &ts); err != nil {
		return 0, false
	}
	return ts.Nano(), true
}
