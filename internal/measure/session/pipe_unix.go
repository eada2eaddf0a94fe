//go:build unix

package session

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// nonblock makes opening a pipe return at once.
const nonblock = unix.O_NONBLOCK

// duplicate returns a second descriptor of an open file. It shares the offset and the mode of the first.
func duplicate(fd int, name string) (*os.File, error) {
	second, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "dup", Path: name, Err: err}
	}
	return os.NewFile(uintptr(second), name), nil
}

// isUnread reports whether a pipe could not be opened because it has no reader.
func isUnread(err error) bool { return errors.Is(err, unix.ENXIO) }

// isClosedPipe reports whether a file is a pipe whose readers have closed it.
func isClosedPipe(f *os.File) bool {
	p := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLOUT}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
