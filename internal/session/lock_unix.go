//go:build unix

package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/exit"
)

// lockMachine locks a file in the common temporary directory. The system releases the lock
// however the process ends. wait is called once with the holder before it waits; with nil
// the error of a lock that is taken is errBusy, beside the holder.
func lockMachine(ctx context.Context, wait func(holder string)) (l *MachineLock, other string, err error) {
	path := filepath.Join(os.TempDir(), "tare.lock")
	f, err := openLock(path)
	if err != nil {
		return nil, "", nil // a machine without a usable temporary directory has no lock
	}
	for announced := false; ; announced = true {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return &MachineLock{f: f}, "", nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, "", nil
		}
		if wait == nil {
			defer f.Close()
			return nil, whoHas(f), errBusy
		}
		if !announced {
			wait(whoHas(f))
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, "", context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// claimRecord keeps other tares from writing a record for as long as f is open.
func claimRecord(f *os.File) error {
	if errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK) {
		return exit.Failed(fmt.Errorf("%s: another tare is writing it", f.Name()), "wait for it, or name another file")
	}
	return nil // also on a file system that has no locks
}

// openLock opens the file of whoever made it first. Creating comes second: in a
// sticky directory the system may refuse to open with O_CREAT what another made.
func openLock(path string) (*os.File, error) {
	if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
		return f, nil
	}
	if f, err := os.Open(path); err == nil {
		return f, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err == nil {
		f.Chmod(0o666) // despite the umask: the lock is everybody's
	}
	return f, err
}

func whoHas(f *os.File) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, maxHolder))
	return describeHolder(text, time.Now())
}
