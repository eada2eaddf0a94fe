//go:build unix

package bench

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// openPipe reports whether fd is a pipe, and keeps it from this process's children. A process that inherited
// the environment but not the pipe may have another file under that number.
func openPipe(fd int) bool {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return false
	}
	unix.CloseOnExec(fd)
	return true
}

// atomicWrite is how many bytes a pipe that is ready for writing accepts at once (the least PIPE_BUF of POSIX;
// Linux has 4096).
const atomicWrite = 512

// send writes text to a pipe and reports whether all was written before the deadline. It works whether or not
// the descriptor is non-blocking, which it leaves as it is. A pipe without a reader is an error; Go programs
// do not die of SIGPIPE above descriptor 2.
func send(fd int, text []byte, deadline time.Time) bool {
	for len(text) > 0 {
		left := time.Until(deadline)
		if left <= 0 {
			return false
		}
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		n, err := unix.Poll(ready, int(left/time.Millisecond)+1)
		switch {
		case errors.Is(err, unix.EINTR) || (err == nil && n == 0):
			continue
		case err != nil || ready[0].Revents&unix.POLLOUT == 0:
			return false
		}
		n, err = unix.Write(fd, text[:min(len(text), atomicWrite)])
		switch {
		case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
		case err != nil || n <= 0:
			return false
		default:
			text = text[n:]
		}
	}
	return true
}
