package spawn

import (
	"fmt"
	"syscall"
	"time"

	"github.com/tarebench/tare/internal/base/units"
)

// Result describes a child that has ended.
type Result struct {
	Pid int

	Start int64 // before fork, ns of CLOCK_MONOTONIC (on systems without it, since this process began)
	End   int64 // after it ended, same clock

	User, Sys time.Duration // CPU time, including children that it reaped

	// FirstCPU is the CPU time of the child's first thread, FirstDelay its run delay. They are zero where the system does not
	// report them.
	FirstCPU, FirstDelay time.Duration

	Peak      int64  // most resident memory of the child or of one child that it reaped, bytes; 0: not available
	PeakBelow int64  // where Peak is 0, it was below this, bytes; 0: nothing is known
	PeakBy    string // how Peak was obtained, or "not available: " and why

	MinorFaults, MajorFaults int64 // page faults without and with I/O; 0 on Windows
	Voluntary, Involuntary   int64 // context switches; 0 on Windows

	ExitCode int            // 0 to 255; -1 if a signal ended it
	Signal   syscall.Signal // that signal; 0 if none
}

// Wall returns how long the child lived, including fork and exec, which take some hundred microseconds.
func (r Result) Wall() time.Duration { return time.Duration(r.End - r.Start) }

// setPeak sets the peak from ru_maxrss if it exceeds the launcher's, which every child inherits. Otherwise the
// child's own peak is only known to be below both. Both are in bytes.
func (r *Result) setPeak(maxrss, launcher int64) {
	if maxrss > launcher+peakMargin {
		r.Peak, r.PeakBelow, r.PeakBy = maxrss, 0, "ru_maxrss"
		return
	}
	r.PeakBelow = launcher + peakMargin
	r.PeakBy = fmt.Sprintf("not available: %s does not exceed the launcher's own high-water mark of %s", units.Bytes(maxrss), units.Bytes(launcher))
}

// peakMargin is the most by which an inherited mark may exceed the launcher's, in bytes. exec passes on an
// estimate, off by up to 32 pages per CPU the launcher ran on; the launcher reads the exact figure.
const peakMargin = 256 << 10
