package hook

import (
	"syscall"
	"testing"
)

// TestPipeTwice: not to block is a property of our own end only.
func TestPipeTwice(t *testing.T) {
	e := newPipe(t)
	p, w := e.tarePipe, e.w
	if p.fd == int(w.Fd()) {
		t.Skip("no /proc here")
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, w.Fd(), syscall.F_GETFL, 0)
	if errno != 0 || flags&syscall.O_NONBLOCK != 0 {
		t.Errorf("flags %#x, %v", flags, errno)
	}
	for _, fd := range []int{p.fd, int(w.Fd())} {
		flags, _, errno = syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno != 0 || flags&syscall.FD_CLOEXEC == 0 {
			t.Errorf("descriptor %d is inherited: %#x, %v", fd, flags, errno)
		}
	}
}
