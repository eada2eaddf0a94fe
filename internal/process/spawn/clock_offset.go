//go:build linux || darwin

package spawn

import "runtime"

// clockOffset returns the ns to add to the launcher's clock, which has just read now, to get ours. On Linux it is 0.
// Elsewhere the launcher's clock starts with the launcher, and the offset is exact to the delay of its first message.
func clockOffset(now int64) int64 {
	if runtime.GOOS == "linux" {
		return 0
	}
	return monotonicNow() - now
}
