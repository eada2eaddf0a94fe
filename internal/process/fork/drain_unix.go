//go:build unix

package fork

import (
	"errors"
	"io"
	"os"
	"syscall"
	"time"
)

// readNow reads what is available, without waiting and without a deadline, which could expire while this
// process has no CPU.
func readNow(f *os.File, b []byte) (n int, err error) {
	f.SetReadDeadline(time.Time{}) // an expired deadline would fail the read
	conn, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	if err := conn.Read(func(fd uintptr) bool {
		for {
			if n, failed = syscall.Read(int(fd), b); !errors.Is(failed, syscall.EINTR) {
				return true
			}
		}
	}); err != nil {
		return 0, err
	}
	switch {
	case errors.Is(failed, syscall.EAGAIN):
		return 0, os.ErrDeadlineExceeded
	case failed != nil:
		return 0, os.NewSyscallError("read", failed)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}
