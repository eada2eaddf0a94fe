package cputime

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// A Process is another process whose times are read. All methods work on nil, for which nothing is known. They must not
// be called at the same time.
type Process struct {
	pid     int
	cpu     int64 // of the last reading
	threads threads
	stat    statFile
}

// Open returns the process with this number. It opens no file yet.
func Open(pid int) *Process { return OpenIn("/proc", pid) }

// OpenIn is Open for a file system of processes at another place than /proc, for tests. The CPU time is that of the process
// with that number in any case.
func OpenIn(proc string, pid int) *Process {
	dir := fmt.Sprintf("%s/%d", proc, pid)
	return &Process{pid: pid, threads: threads{dir: dir + "/task"}, stat: statFile{path: dir + "/stat"}}
}

// Close closes the files that readings have opened.
func (p *Process) Close() {
	if p != nil {
		p.threads.close()
		p.stat.close()
	}
}

// CPU returns the CPU time of all threads since the process's start, ended ones included, in ns. It is known until the
// process's parent has reaped it.
func (p *Process) CPU() (ns int64, ok bool) {
	if p == nil {
		return 0, false
	}
	var ts unix.Timespec
	if err := unix.ClockGettime(processClock(p.pid), &ts); err != nil {
		return 0, false
	}
	if ns = ts.Nano(); ns < p.cpu {
		return 0, false // the number belongs to another process by now
	}
	p.cpu = ns
	return ns, true
}

// processClock returns the CPU clock of a process; see MAKE_PROCESS_CPUCLOCK in the kernel's
// include/linux/posix-timers_types.h.
func processClock(pid int) int32 {
	const scheduled = 2
	return int32(^uint32(pid)<<3 | scheduled)
}

// Delay returns how long the threads were ready to run and had no processor, in ns, summed over the threads since each
// one's start. It is not known (ok is false) if a thread has ended since the last reading, because its last wait is
// missing from the sum; ns is then a lower bound. Readings never fall.
func (p *Process) Delay() (ns int64, ok bool) {
	if p == nil {
		return 0, false
	}
	return p.threads.delay()
}
