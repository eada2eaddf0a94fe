// Package testing gets the files of this directory for one build, by package toolchain:
// for each profiler the part that runs in the measured process. A build has only the
// parts of the profilers that it is for.
package testing

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// tareCounter counts events of the processor and the kernel in the window: by perf_event_open(2) on
// every thread of the process, while it has few, inherited by the threads that these start. The
// counters are read when the timer starts and when it has stopped.
var tareCounter = tarePart{process: tareCounterProcess, begin: tareCounterBegin, end: tareCounterEnd, values: tareCounterValues, written: tareCounterWritten}

// tareEvent is one kind of event, over all threads.
type tareEvent struct {
	unit   string
	kind   uint32 // PERF_TYPE_HARDWARE 0, PERF_TYPE_SOFTWARE 1
	config uint64
	fds    []int
	user   bool          // without those in the kernel, which it did not permit to count
	why    syscall.Errno // why there are none
	from   tareCount
	to     tareCount
}

var tareEvents = []*tareEvent{
	{unit: "cycles/op", kind: 0, config: 0},
	{unit: "instructions/op", kind: 0, config: 1},
	{unit: "branch-misses/op", kind: 0, config: 5},
	{unit: "cache-misses/op", kind: 0, config: 3},
	{unit: "task-clock-ns/op", kind: 1, config: 1},
	{unit: "page-faults/op", kind: 1, config: 2},
	{unit: "context-switches/op", kind: 1, config: 3},
	{unit: "cpu-migrations/op", kind: 1, config: 4},
}

// tareEventAttr is struct perf_event_attr in its first version.
type tareEventAttr struct {
	kind, size                                    uint32
	config, period, sampleType, readFormat, flags uint64
	wakeup, bpType                                uint32
	config1                                       uint64
}

const (
	tareEventInherit   = 1 << 1
	tareEventNoKernel  = 1 << 5
	tareEventNoHyper   = 1 << 6
	tareEventTimes     = 1 | 2 // read_format: total time enabled, total time running
	tareEventCloseExec = 8
)

func tareCounterProcess() {
	seen := map[int]bool{}
	for more := true; more; { // until no new thread is found
		more = false
		for _, tid := range tareThreads() {
			if !seen[tid] {
				seen[tid], more = true, true
				for _, e := range tareEvents {
					e.open(tid)
				}
			}
		}
	}
}

// tareThreads returns the threads of this process.
func tareThreads() []int {
	dir, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return []int{0} // this one
	}
	var out []int
	for _, d := range dir {
		if tid, err := strconv.Atoi(d.Name()); err == nil {
			out = append(out, tid)
		}
	}
	return out
}

// open counts on one more thread. An event that one thread cannot count is not counted at all.
func (e *tareEvent) open(tid int) {
	if e.why != 0 {
		return
	}
	attr := tareEventAttr{kind: e.kind, config: e.config, readFormat: tareEventTimes, flags: tareEventInherit | tareEventNoHyper}
	attr.size = uint32(unsafe.Sizeof(attr))
	for {
		if e.user {
			attr.flags |= tareEventNoKernel
		}
		fd, errno := tareEventOpen(&attr, tid)
		switch {
		case errno == 0:
			e.fds = append(e.fds, fd)
			return
		case errno == syscall.ESRCH: // the thread has ended
			return
		case (errno == syscall.EACCES || errno == syscall.EPERM) && !e.user && len(e.fds) == 0:
			e.user = true
		default:
			e.why = errno
			for _, fd := range e.fds {
				syscall.Close(fd)
			}
			e.fds = nil
			return
		}
	}
}

// tareEventOpen opens an event of a thread, on any processor. It is a variable so that tests can
// replace it.
var tareEventOpen = func(attr *tareEventAttr, tid int) (fd int, errno syscall.Errno) {
	n, _, errno := syscall.Syscall6(syscall.SYS_PERF_EVENT_OPEN, uintptr(unsafe.Pointer(attr)), uintptr(tid), ^uintptr(0), ^uintptr(0), tareEventCloseExec, 0)
	return int(n), errno
}

// read sums over the threads.
func (e *tareEvent) read() (sum tareCount) {
	var c tareCount
	buf := (*[unsafe.Sizeof(c)]byte)(unsafe.Pointer(&c))[:]
	for _, fd := range e.fds {
		if n, err := syscall.Read(fd, buf); err == nil && n == len(buf) {
			sum.add(c)
		}
	}
	return sum
}

func tareCounterBegin(b *B) {
	for _, e := range tareEvents {
		e.from = e.read()
	}
}

func tareCounterEnd(b *B) {
	for _, e := range tareEvents {
		e.to = e.read()
	}
}

// count returns the count in the window. Share is the part of the time in which the event was
// counted; 0: it never was.
func (e *tareEvent) count() (n, share float64) {
	if e.fds == nil {
		return 0, 0
	}
	return e.to.since(e.from)
}

func tareCounterValues(b *B, v *tareLine) {
	var of [2]float64
	for i, e := range tareEvents {
		n, share := e.count()
		if share == 0 {
			continue
		}
		v.float(e.unit, n/float64(max(b.N, 1)))
		if i < len(of) {
			of[i] = n
		}
	}
	if of[0] > 0 {
		v.float("IPC", of[1]/of[0])
	}
}

// tareCounterWritten writes warnings about events that could not be counted, or only for a part of the
// time.
func tareCounterWritten(b *B) {
	t := b.tare
	if t == nil || t.iter != 2 {
		return
	}
	missing, why, partly, user := "", syscall.Errno(0), "", false
	for _, e := range tareEvents {
		name := e.unit[:len(e.unit)-len("/op")]
		if e.fds == nil {
			if missing != "" {
				missing += ", "
			}
			missing += name
			why = e.why
			continue
		}
		user = user || e.user
		if _, share := e.count(); share > 0 && share < 0.99 {
			if partly != "" {
				partly += ", "
			}
			partly += name + " " + strconv.Itoa(int(100*share)) + " %"
		}
	}
	if missing != "" {
		form := "counters"
		if why == syscall.ENOENT || why == syscall.EOPNOTSUPP {
			form = "virtual"
		}
		tareWarn("not-available", form, "events", missing, "why", why.Error())
	}
	if partly != "" {
		tareWarn("multiplexed", "", "events", partly)
	}
	if wall := t.end - t.begin; float64(b.duration) < 0.9*float64(wall) {
		tareWarn("stopped-included", "counter", "share", strconv.Itoa(int(100-100*int64(b.duration)/wall))+" %")
	}
	if user {
		tareWarn("user-only", "")
	}
}
