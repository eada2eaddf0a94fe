//go:build !linux

package env

import (
	"fmt"
	"runtime"
)

// tryEvent has nothing to try.
func tryEvent(event) (userOnly bool, err error) {
	return false, fmt.Errorf("%s has no perf_event", runtime.GOOS)
}
