package usage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// threads reads the CPU clock of every thread of the process. The clocks are exact
// also for a running thread, where schedstat of /proc may be a tick late. Reading
// allocates nothing, so that it can happen inside the measurement of the heap.
type threads struct {
	dir           int // /proc/self/task
	err           error
	buf           []byte
	before, after []reading
	delays, ticks taskFile
}

// spareThreads is room for threads that the task starts, so that the second reading
// need not allocate.
const spareThreads = 1 << 10

func openThreads() *threads {
	t := &threads{dir: -1, buf: make([]byte, 16<<10)}
	t.delays = newTaskFile("schedstat", "the kernel keeps no run delay", 128)
	t.ticks = newTaskFile("stat", "user and system time of threads", 1024)
	dir, err := unix.Open("/proc/self/task", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.err = fmt.Errorf("/proc/self/task: %w", err)
		return t
	}
	t.dir = dir
	n := len(t.read(nil))
	t.before, t.after = make([]reading, 0, n+spareThreads), make([]reading, 0, 2*n+spareThreads)
	return t
}

func (t *threads) close() {
	if t.dir >= 0 {
		unix.Close(t.dir)
	}
}

func (t *threads) begin() { t.before = t.read(t.before[:0]) }
func (t *threads) end()   { t.after = t.read(t.after[:0]) }

func (t *threads) report(u *Usage) {
	if t.err != nil {
		u.markUnavailable(t.err.Error(), FigureThreads, FigureThreadSplit, FigureWaited)
		return
	}
	attribute(u, t.before, t.after)
	if t.delays.err != nil {
		u.markUnavailable(t.delays.err.Error(), FigureWaited)
		u.Waited = 0
	}
	if t.ticks.err != nil {
		u.markUnavailable(t.ticks.err.Error(), FigureThreadSplit)
		u.dropThreadSplit()
	}
}

// read appends a reading of each thread.
func (t *threads) read(into []reading) []reading {
	if t.err != nil {
		return into
	}
	if _, err := unix.Seek(t.dir, 0, 0); err != nil {
		t.err = fmt.Errorf("/proc/self/task: %w", err)
		return into
	}
	for {
		n, err := unix.ReadDirent(t.dir, t.buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			t.err = fmt.Errorf("/proc/self/task: %w", err)
		}
		if n <= 0 || err != nil {
			return into
		}
		into = t.clocks(into, t.buf[:n])
	}
}

// clocks reads the clock of each thread in a block of directory entries, which are a
// struct linux_dirent64 each; see getdents64(2).
func (t *threads) clocks(into []reading, entries []byte) []reading {
	const length, name = 16, 19 // offsets
	for len(entries) > name {
		n := int(binary.NativeEndian.Uint16(entries[length:]))
		if n <= name || n > len(entries) {
			break
		}
		if id := number(entries[name:n]); id > 0 {
			cpu, err := clockTime(threadClock(id))
			switch {
			case err == nil:
				digits := entries[name:n]
				if end := bytes.IndexByte(digits, 0); end >= 0 {
					digits = digits[:end]
				}
				r := reading{id: id, cpu: cpu}
				r.waited, _ = t.delays.read(t.dir, digits, runDelay)
				r.user, r.sys = t.ticks.read(t.dir, digits, cpuTicks)
				into = append(into, r)
			case !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ESRCH): // EINVAL and ESRCH: the thread has just ended
				t.err = fmt.Errorf("the clock of thread %d: %w", id, err)
			}
		}
		entries = entries[n:]
	}
	return into
}

// number returns a name as a number, or 0 for a name that is not a number, such as "." and "..".
func number(name []byte) (n int) {
	end := slices.Index(name, 0)
	if end < 0 {
		return 0
	}
	for _, c := range name[:end] {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// threadClock returns the CPU clock of a thread of this process; see
// MAKE_THREAD_CPUCLOCK in the kernel's include/linux/posix-timers_types.h.
func threadClock(id int) int32 {
	const perThread, scheduled = 4, 2
	return int32(^uint32(id)<<3 | perThread | scheduled)
}
