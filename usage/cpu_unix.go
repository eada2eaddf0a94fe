//go:build unix && !linux

package usage

import (
	"fmt"
	"syscall"
	"time"
)

// readCPU returns times in µs, their sum as precise as the parts.
func readCPU() cpuTimes {
	var ru syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &ru); err != nil {
		return cpuTimes{err: fmt.Errorf("getrusage: %w", err)}
	}
	return cpuTimes{user: time.Duration(ru.Utime.Nano()), sys: time.Duration(ru.Stime.Nano())}
}
