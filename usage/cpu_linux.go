package usage

import (
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readCPU reads user and system time first and the more precise total last, because
// the last reading is the closest to the task.
func readCPU() cpuTimes {
	c := rusage()
	if total, err := clockTime(unix.CLOCK_PROCESS_CPUTIME_ID); err == nil {
		c.total, c.fine = total, true
	}
	return c
}

func rusage() cpuTimes {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return cpuTimes{err: fmt.Errorf("getrusage: %w", err)}
	}
	return cpuTimes{user: time.Duration(ru.Utime.Nano()), sys: time.Duration(ru.Stime.Nano())}
}

func clockTime(clock int32) (time.Duration, error) {
	var ts unix.Timespec
	if err := unix.ClockGettime(clock, &ts); err != nil {
		return 0, err
	}
	return time.Duration(ts.Nano()), nil
}
