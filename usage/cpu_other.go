//go:build !unix && !windows

package usage

import (
	"errors"
	"runtime"
)

var errNoCPU = errors.New(runtime.GOOS + " does not report the CPU time of a process")

func readCPU() cpuTimes { return cpuTimes{err: errNoCPU} }
