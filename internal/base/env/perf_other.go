//go:build !linux

package env

import (
	"fmt"
	"runtime"
)

// tryEvent fails: only Linux has perf_event.
func tryEvent(event) (userOnly bool, err error) {
	return false, fmt.Errorf("%s has no perf_event", runtime.GOOS)
}
