//go:build linux || darwin

package main

import (
	"runtime"
	"syscall"
)

// renewIfDue waits for the next message and, before reading it, gives back the memory that former children have
// cost, if it is worth it and none is running. Go's collector would do that beside a measured child, and a first
// collection alone takes 1 MB, after which no peak below 3 MB could be seen; so tare turns it off (GOGC=off) and the
// launcher executes itself afresh: 1 ms, once in some fifty children, and the high-water mark is as on the first day.
func (l *launcher) renewIfDue() {
	const worthIt, tooMuch = 256 << 10, 4 << 20
	if garbage, _ := l.load(); garbage <= worthIt {
		return
	}
	peek()
	garbage, idle := l.load()
	if idle {
		renew() // returns only where it cannot be done
	}
	if idle || garbage > tooMuch {
		l.mu.Lock()
		l.garbage = 0
		l.mu.Unlock()
		runtime.GC()
	}
}

func (l *launcher) load() (garbage int, idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.children) == 0 && l.busy > 0 {
		l.told.Wait() // the last one is dead and its message on its way; tare may have been quicker to answer it
	}
	return l.garbage, l.busy == 0
}

// peek returns when a message or the end of the socket is there to be read, and leaves it there.
func peek() {
	var b [1]byte
	for {
		if _, _, err := syscall.Recvfrom(socket, b[:], syscall.MSG_PEEK); err != syscall.EINTR {
			return
		}
	}
}
