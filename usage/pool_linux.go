package usage

import (
	"time"

	"golang.org/x/sys/unix"
)

// noThreadCPU is empty: threads have clocks here.
const noThreadCPU = ""

// threadCPU is the CPU time of the calling thread so far, in ns.
func threadCPU() (time.Duration, error) { return clockTime(unix.CLOCK_THREAD_CPUTIME_ID) }

func threadID() int { return unix.Gettid() }
