package usage

import (
	"fmt"
	"syscall"
	"time"
)

// readCPU returns times in steps of the clock interrupt, 15.6 ms by default.
func readCPU() cpuTimes {
	self, err := syscall.GetCurrentProcess()
	var created, ended, kernel, user syscall.Filetime
	if err == nil {
		err = syscall.GetProcessTimes(self, &created, &ended, &kernel, &user)
	}
	if err != nil {
		return cpuTimes{err: fmt.Errorf("GetProcessTimes: %w", err)}
	}
	return cpuTimes{user: fileTime(user), sys: fileTime(kernel)}
}

// fileTime converts a Windows duration, in units of 100 ns.
func fileTime(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}
