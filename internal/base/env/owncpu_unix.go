//go:build unix

package env

import (
	"time"

	"golang.org/x/sys/unix"
)

// OwnCPU returns the CPU time that this process has used, 0 where it is not known.
func OwnCPU() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
