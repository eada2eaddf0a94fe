//go:build unix

package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/env"
	"github.com/tarebench/tare/internal/exit"
)

// lockMachine locks a file in the common temporary directory. The system releases the lock
// however the process ends. wait is called once with the holder before it waits; with nil
// it fails with errBusy if the lock is taken, and other describes the holder. lock is nil, without an error, if the machine
// has no locks, or if the holder started this process: it waits for this process to end.
func lockMachine(ctx context.Context, wait func(holder string)) (lock *os.File, other string, err error) {
	path := filepath.Join(os.TempDir(), "tare.lock")
	f, err := openLock(path, 0)
	if err != nil {
		return nil, "", nil // a machine without a usable temporary directory has no lock
	}
	for announced := false; ; announced = true {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return f, "", nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			f.Close()
			return nil, "", nil
		}
		if !announced && env.IsAncestor(readHolder(f).Pid) {
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

// announcePresence adds this process to the log of tare processes. It returns nil if the log cannot be opened.
func announcePresence(h holder) *presence {
	f, err := openLock(filepath.Join(os.TempDir(), "tare.running"), os.O_APPEND)
	if err != nil {
		return nil
	}
	alone := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
	if alone {
		f.Truncate(0)
	}
	for range 100 { // a process that starts holds the exclusive lock for a moment
		if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return newPresence(f, h, alone) // with the shared lock, so that nobody empties the log
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
func openLock(path string, mode int) (*os.File, error) {
	if f, err := os.OpenFile(path, os.O_RDWR|mode, 0); err == nil {
		return f, nil
	}
	if f, err := os.Open(path); err == nil {
		return f, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|mode, 0o666)
	if err == nil {
		f.Chmod(0o666) // despite the umask: the lock is everybody's
	}
	return f, err
}

func whoHas(f *os.File) string { return describeHolder(holderText(f), time.Now()) }

func holderText(f *os.File) []byte {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, maxHolder))
	return text
}

// readHolder returns the process that has the lock; the zero value if it is not known.
func readHolder(f *os.File) (h holder) {
	json.Unmarshal(holderText(f), &h)
	return h
}
