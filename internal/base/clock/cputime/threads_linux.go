package cputime

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxThreads is the most threads of a process that are read. Reading more takes too long.
const maxThreads = 256

// threads reads the schedstat files of a process's threads. The files stay open: reading an open one takes a fifth of the
// time.
type threads struct {
	dir    string // /proc/PID/task
	fd     int    // of dir, valid if opened
	opened bool
	failed bool // dir or its files cannot be read
	known  map[string]*thread
	ended  int64 // delay of the threads that have ended, as last read, ns
	buf    [4096]byte
}

type thread struct {
	fd    int
	delay int64 // ns
	seen  bool  // in the current reading
}

func (t *threads) close() {
	for _, x := range t.known {
		unix.Close(x.fd)
	}
	t.known = nil
	if t.opened {
		unix.Close(t.fd)
		t.opened = false
	}
	t.failed = true
}

// delay returns the sum of the threads' delays in ns. ok is false if a thread has ended since the last reading: its last
// delay is then not known.
func (t *threads) delay() (sum int64, ok bool) {
	if !t.open() {
		return 0, false
	}
	for _, x := range t.known {
		x.seen = false
	}
	if !t.list() {
		t.close()
		return 0, false
	}
	ok = len(t.known) > 0
	sum = t.ended
	for id, x := range t.known {
		sum += x.delay
		if !x.seen {
			ok = false
			t.ended += x.delay
			unix.Close(x.fd)
			delete(t.known, id)
		}
	}
	return sum, ok
}

func (t *threads) open() bool {
	if t.opened || t.failed {
		return !t.failed
	}
	fd, err := unix.Open(t.dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.failed = true
		return false
	}
	t.fd, t.opened, t.known = fd, true, map[string]*thread{}
	return true
}

// list reads all threads of the directory. It returns false if they cannot be read.
func (t *threads) list() bool {
	if _, err := unix.Seek(t.fd, 0, 0); err != nil {
		return false
	}
	for {
		n, err := unix.ReadDirent(t.fd, t.buf[:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return errors.Is(err, unix.ENOENT) // the process has ended, and all its threads
		}
		if n <= 0 {
			return true
		}
		if !t.block(t.buf[:n]) {
			return false
		}
	}
}

// block reads the threads of a block of directory entries, a struct linux_dirent64 each; see getdents64(2).
func (t *threads) block(entries []byte) bool {
	const length, name = 16, 19 // offsets
	for len(entries) > name {
		n := int(binary.NativeEndian.Uint16(entries[length:]))
		if n <= name || n > len(entries) {
			return false
		}
		id, _, _ := bytes.Cut(entries[name:n], []byte{0})
		if id[0] != '.' && !t.thread(id) {
			return false
		}
		entries = entries[n:]
	}
	return true
}

// thread reads one thread. One that has ended meanwhile stays unseen.
func (t *threads) thread(id []byte) bool {
	x := t.known[string(id)]
	if x == nil {
		if len(t.known) >= maxThreads {
			return false
		}
		fd, err := unix.Openat(t.fd, string(id)+"/schedstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return hasEnded(err) || len(t.known) > 0 && errors.Is(err, unix.ENOENT)
		}
		x = &thread{fd: fd}
		t.known[string(id)] = x
	}
	var text [96]byte
	n, err := unix.Pread(x.fd, text[:], 0)
	if err != nil {
		return hasEnded(err)
	}
	delay, ok := runDelay(text[:n])
	if !ok {
		return false
	}
	x.delay, x.seen = max(x.delay, delay), true
	return true
}

// hasEnded reports whether a thread's file cannot be read because the thread has ended. A kernel without scheduler
// statistics has no such file at all.
func hasEnded(err error) bool {
	return errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EINTR)
}

// runDelay returns the second field of a schedstat file, the thread's run delay in ns. The first field is its CPU time,
// the third counts how often it ran; see Documentation/scheduler/sched-stats.rst of the kernel.
func runDelay(text []byte) (int64, bool) {
	fields := bytes.Fields(text)
	if len(fields) != 3 {
		return 0, false
	}
	ns, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return ns, err == nil && ns >= 0
}
