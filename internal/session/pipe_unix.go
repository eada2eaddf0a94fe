//go:build unix

package session

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// nonblock makes opening a pipe return at once.
const nonblock = unix.O_NONBLOCK

// isUnread reports whether a pipe could not be opened because nobody reads it.
func isUnread(err error) bool { return errors.Is(err, unix.ENXIO) }

// isClosedPipe reports whether a file is a pipe that nobody reads any more.
func isClosedPipe(f *os.File) bool {
	p := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
