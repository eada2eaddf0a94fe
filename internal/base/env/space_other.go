//go:build !linux && !darwin && !windows

package env

import (
	"fmt"
	"runtime"
)

func dirSpace(string) (space, error) {
	return space{}, fmt.Errorf("not asked for on %s", runtime.GOOS)
}
