//go:build unix

package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// isClosedPipe reports whether a file is a pipe that nobody reads any more.
func isClosedPipe(f *os.File) bool {
	p := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
