package usage

import (
	"bytes"
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// taskFile reads a small file of a thread, /proc/self/task/N/NAME, without allocating.
type taskFile struct {
	name       string
	what       string // of its error
	path, text []byte
	err        error // the first; nothing is read after it
}

// newTaskFile returns a reader of files of less than size bytes.
func newTaskFile(name, what string, size int) taskFile {
	return taskFile{name: name, what: what, path: make([]byte, 0, 32), text: make([]byte, size)}
}

// read returns what parse finds in the file of a thread, zeros if the thread has just ended.
func (f *taskFile) read(dir int, thread []byte, parse func([]byte) (a, b time.Duration, ok bool)) (a, b time.Duration) {
	if f.err != nil {
		return 0, 0
	}
	f.path = append(append(append(append(f.path[:0], thread...), '/'), f.name...), 0)
	fd, _, e := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&f.path[0])), unix.O_RDONLY|unix.O_CLOEXEC, 0, 0, 0)
	switch {
	case e == unix.ESRCH || e == unix.ENOENT && len(thread) > 0 && unix.Faccessat(dir, string(thread), 0, 0) != nil:
		return 0, 0
	case e != 0:
		f.err = fmt.Errorf("%s: /proc/self/task/N/%s: %w", f.what, f.name, e)
		return 0, 0
	}
	n, err := unix.Read(int(fd), f.text)
	unix.Close(int(fd))
	if err != nil {
		return 0, 0 // ESRCH: it has just ended
	}
	a, b, ok := parse(f.text[:n])
	if !ok {
		f.err = fmt.Errorf("%s: /proc/self/task/N/%s: %q is not understood", f.what, f.name, f.text[:n])
	}
	return a, b
}

// runDelay returns the run delay of a thread, the second number of a schedstat file, in ns; see the kernel's
// Documentation/scheduler/sched-stats.rst.
func runDelay(text []byte) (delay, _ time.Duration, ok bool) {
	field, n, digits := 0, time.Duration(0), 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			if field == 1 {
				n, digits = n*10+time.Duration(c-'0'), digits+1
			}
		case c == ' ' || c == '\n':
			field++
		default:
			return 0, 0, false
		}
	}
	return n, 0, digits > 0 && field >= 2
}

// userHZ is how many of the units of stat are a second, on all processors that Go has on Linux.
const userHZ = 100

// cpuTicks returns user and system time: fields 14 and 15 of a stat file, in steps of 10 ms; see proc_pid_stat(5). They are
// counted behind the name of the thread, field 2, which is in parentheses and may have some in it.
func cpuTicks(text []byte) (user, sys time.Duration, ok bool) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return 0, 0, false
	}
	field, digits := 2, 0
	for _, c := range text[end+1:] {
		switch {
		case c == ' ':
			field++
		case field != 14 && field != 15:
		case c < '0' || c > '9':
			return 0, 0, false
		case field == 14:
			user, digits = user*10+time.Duration(c-'0'), digits|1
		default:
			sys, digits = sys*10+time.Duration(c-'0'), digits|2
		}
	}
	const tick = time.Second / userHZ
	return user * tick, sys * tick, digits == 3
}
