package usage

import (
	"time"

	"golang.org/x/sys/unix"
)

// noThreadCPU is why threads have no CPU clock; empty on Linux, where they have one.
const noThreadCPU = ""

// threadCPU returns the CPU time of the calling thread so far.
func threadCPU() (time.Duration, error) { return clockTime(unix.CLOCK_THREAD_CPUTIME_ID) }

func threadID() int { return unix.Gettid() }
