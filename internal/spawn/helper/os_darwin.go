package main

import (
	"syscall"
	"time"
)

const maxrssUnit = 1 // ru_maxrss is in bytes

// procAttr has no parent-death signal to ask for: when the launcher itself is killed, package launch kills the group.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// renew does not: the clock below would start again.
func renew() {}

var base = time.Now()

// now counts from the launcher's start (package syscall has no clock here); package launch moves it to its own clock.
func now() int64 {
	return int64(time.Since(base)) + 1
}

// awaitEnd returns when the child has ended, and leaves it to be reaped. Not by waitid: here that returns for
// stopped children too (golang.org/issue/19314). A child that is a zombie already cannot be watched: an error.
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

// ownPeak is in bytes. XNU execs into a new task, so nothing is carried over from tare.
func ownPeak() int64 {
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return int64(ru.Maxrss)
}
