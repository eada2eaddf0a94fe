//go:build unix

package load

import "golang.org/x/sys/unix"

// cpuTime returns the CPU time of this process so far, in ns.
func cpuTime() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
