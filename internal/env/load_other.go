//go:build !darwin

package env

import (
	"fmt"
	"os"
)

// Load returns the load average of the last minute: how many threads ran or
// wanted to run, on Linux also how many waited for a disk.
func Load() (float64, error) {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, fmt.Errorf("load average is not available: %w", err)
	}
	return parseLoad(string(b))
}
