//go:build linux || darwin

package spawn

import "runtime"

// clockOffset is what to add to the launcher's clock, which has just shown now, to get ours. On Linux both are the
// same; elsewhere the launcher's starts when it does, and is known to within the delay of its first message.
func clockOffset(now int64) int64 {
	if runtime.GOOS == "linux" {
		return 0
	}
	return mono() - now
}
