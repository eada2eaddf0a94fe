//go:build !linux

package usage

import (
	"errors"
	"runtime"
	"time"
)

const noThreadCPU = "the CPU time of a thread is read on Linux only, and this is " + runtime.GOOS

var errNoThreadCPU = errors.New(noThreadCPU)

func threadCPU() (time.Duration, error) { return 0, errNoThreadCPU }

func threadID() int { return 0 }
