package spawn

import (
	"fmt"
	"syscall"
	"time"
)

// Result is what is known about a child that has ended.
type Result struct {
	Pid int

	Start int64 // before fork, CLOCK_MONOTONIC in ns (where there is none, since this process began)
	End   int64 // when it had ended, same clock

	User, Sys time.Duration // CPU time, with that of its children that it waited for

	Peak   int64  // most resident memory of the child or one of its waited-for children, bytes; 0: not available
	PeakBy string // how Peak was obtained, or "not available: " and why

	MinorFaults, MajorFaults int64 // page faults without and with I/O; 0 on Windows
	Voluntary, Involuntary   int64 // context switches; 0 on Windows

	ExitCode int            // 0 to 255; -1 if a signal ended it
	Signal   syscall.Signal // that signal; 0 if none
}

// Wall is how long the child lived, including its start: fork and exec take some hundred microseconds.
func (r Result) Wall() time.Duration { return time.Duration(r.End - r.Start) }

// setPeak takes a ru_maxrss for what it is: the child's own peak only while it is above the launcher's, which
// every child inherits.
func (r *Result) setPeak(maxrss, launcher int64) {
	if maxrss > launcher+peakMargin {
		r.Peak, r.PeakBy = maxrss, "ru_maxrss"
		return
	}
	r.PeakBy = fmt.Sprintf("not available: %s does not exceed the launcher's own high-water mark of %s", mib(maxrss), mib(launcher))
}

// peakMargin is by how much what a child inherits may exceed the mark that the launcher reads: exec folds in
// an estimate, off by up to 32 pages per CPU the launcher has run on, and the launcher reads the exact figure.
const peakMargin = 256 << 10

func mib(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }
