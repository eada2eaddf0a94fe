//go:build !unix && !windows

package load

// cpuTime is not known here.
func cpuTime() int64 { return 0 }
