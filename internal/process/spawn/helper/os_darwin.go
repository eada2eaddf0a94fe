package main

import (
	"syscall"
	"time"
)

const maxrssUnit = 1 // ru_maxrss is in bytes

// procAttr has no parent-death signal to ask for: when the launcher itself is killed, package spawn kills the group.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// renew does nothing here: it would restart the clock below.
func renew() {}

var base = time.Now()

// now returns ns since the launcher's start, because package syscall has no clock here; package spawn converts
// it to its own clock.
func now() int64 {
	return int64(time.Since(base)) + 1
}

// awaitEnd returns when the child has ended, without reaping it. Not waitid: here it also returns for stopped
// children (golang.org/issue/19314). A child that is already a zombie cannot be watched, so Kevent fails and
// awaitEnd returns.
func awaitEnd(pid int) {
	kq, err := syscall.Kqueue() // not inherited across fork
	if err != nil {
		return
	}
	defer syscall.Close(kq)
	watch := []syscall.Kevent_t{{
		Ident:  uint64(pid),
		Filter: syscall.EVFILT_PROC,
		Flags:  syscall.EV_ADD | syscall.EV_ONESHOT,
		Fflags: syscall.NOTE_EXIT,
	}}
	seen := make([]syscall.Kevent_t, 1)
	for {
		if _, err := syscall.Kevent(kq, watch, seen, nil); err != syscall.EINTR {
			return
		}
	}
}

// firstThread is not known here.
func firstThread(int) (ran, delay int64) { return 0, 0 }

// peakMemory returns the launcher's peak in bytes. XNU execs into a new task, so it does not include tare's.
func peakMemory() int64 {
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return int64(ru.Maxrss)
}
