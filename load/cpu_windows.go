package load

import "golang.org/x/sys/windows"

// cpuTime returns the CPU time of this process so far, in ns.
func cpuTime() int64 {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return (ticks(kernel) + ticks(user)) * 100
}

// ticks returns a length of time in units of 100 ns.
func ticks(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
