//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// closedPipe tells whether nobody reads what is written to a file any more.
func closedPipe(f *os.File) bool {
	p := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
