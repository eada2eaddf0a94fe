//go:build linux || darwin

// Command helper is the launcher: it starts processes for tare, waits for them and reports what they used.
//
// A child's ru_maxrss starts at the high-water mark of the process that started it, so the launcher must be
// smaller than anything worth measuring. So it imports syscall and little else (fmt, os and encoding/* would
// double it), decodes by hand, and never collects its garbage; see renew.go.
//
// It talks to tare over descriptor 3, a unix stream socket; see wire.go. It is never run by hand.
package main

import (
	"runtime"
	"syscall"
)

const (
	socket  = 3 // the other end is tare
	version = 3 // of the wire format; package spawn refuses others
)

func main() {
	waitIfHeld()
	// Linux sends the parent-death signal when the *thread* that started the child ends. Every child is started
	// here, and this thread ends with the process.
	runtime.LockOSThread()
	if !isSocket(socket) {
		printError("tare's launcher is started by tare, not by hand\n")
		syscall.Exit(2)
	}
	closeOnExec()
	l := &launcher{children: map[uint32]*child{}}
	l.allReported.L = &l.mu
	l.hello()
	for {
		l.renewIfDue()
		m, ok := l.next()
		if !ok {
			break
		}
		switch m.kind {
		case msgSpawn:
			l.spawn(m)
		case msgSignal:
			l.signal(m)
		}
	}
	// tare has ended, so the children's results are not needed.
	l.killAll()
	syscall.Exit(0)
}

func isSocket(fd int) bool {
	_, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_TYPE)
	return err == nil
}

// closeOnExec keeps the children from inheriting descriptors that tare itself inherited (a shell's
// redirections, make's job server).
func closeOnExec() {
	for fd := socket; fd < 1024; fd++ {
		syscall.CloseOnExec(fd)
	}
}

func printError(text string) {
	syscall.Write(2, []byte(text))
}
