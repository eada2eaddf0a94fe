//go:build unix

package http1

import "syscall"

// probe searches for what has arrived on a connection, without taking it.
type probe struct {
	raw   syscall.RawConn // nil if the connection has no socket
	peek  func(fd uintptr)
	some  bool
	bytes [1]byte
}

func (p *probe) init(c syscall.Conn) {
	raw, err := c.SyscallConn()
	if err != nil {
		return
	}
	p.raw = raw
	p.peek = func(fd uintptr) {
		for {
			_, _, err := syscall.Recvfrom(int(fd), p.bytes[:], syscall.MSG_PEEK)
			if err != syscall.EINTR {
				p.some = err != syscall.EAGAIN
				return
			}
		}
	}
}

// pending reports whether a Read would return at once: with bytes, the connection's end or an error.
func (p *probe) pending() bool {
	return p.raw != nil && (p.raw.Control(p.peek) != nil || p.some)
}
