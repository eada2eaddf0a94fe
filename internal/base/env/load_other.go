//go:build !darwin

package env

import (
	"fmt"
	"os"
)

// Load returns the load average of the last minute: the number of running and runnable threads, on Linux also
// of those waiting for a disk.
func Load() (float64, error) {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, fmt.Errorf("load average is not available: %w", err)
	}
	return parseLoad(string(b))
}
