//go:build linux || darwin

package main

import (
	"runtime"
	"syscall"
)

// renewIfDue waits for the next message and, before reading it, frees the memory spent on former children, if
// that is much and no child runs. Go's collector could run beside a measured child, and its first collection
// takes 1 MB, after which no peak below 3 MB could be measured. So tare turns it off (GOGC=off), and the
// launcher executes itself anew, which takes 1 ms once in about fifty children and resets the high-water mark.
func (l *launcher) renewIfDue() {
	const worthIt, tooMuch = 256 << 10, 4 << 20
	if garbage, _ := l.memoryUse(); garbage <= worthIt {
		return
	}
	peek()
	garbage, idle := l.memoryUse()
	if idle {
		renew() // returns only if it failed
	}
	if idle || garbage > tooMuch {
		l.mu.Lock()
		l.garbage = 0
		l.mu.Unlock()
		runtime.GC()
	}
}

func (l *launcher) memoryUse() (garbage int, idle bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.children) == 0 && l.busy > 0 {
		l.allReported.Wait() // the last child is dead, but its message is not fully accounted for
	}
	return l.garbage, l.busy == 0
}

// peek waits until a message or the end of the socket can be read, without reading it.
func peek() {
	var b [1]byte
	for {
		if _, _, err := syscall.Recvfrom(socket, b[:], syscall.MSG_PEEK); err != syscall.EINTR {
			return
		}
	}
}
