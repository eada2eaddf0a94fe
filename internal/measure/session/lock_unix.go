//go:build unix

package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// pollInterval is how often a tare that waits checks whether the lock is free.
const pollInterval = 200 * time.Millisecond

// lockMachine locks a file in the user's own directory ([tempdir.OpenOwn]): a file that all users can open could be
// anything. The system releases the lock however the process ends. wait is called once with the holder before it waits;
// with nil it fails with errBusy if the lock is taken, and other describes the holder. It fails with errNested if the
// holder started this process and waits for it to end, and with errNoLock if no file can be locked.
func lockMachine(ctx context.Context, wait func(holder string)) (lock *os.File, other string, err error) {
	f, err := openOwn("tare.lock", os.O_RDWR)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", errNoLock, err)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	for announced := false; ; announced = true {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return f, "", nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return nil, "", fmt.Errorf("%w: %s: %w", errNoLock, f.Name(), err)
		case announced:
		case env.IsAncestor(readHolder(f).Pid):
			return nil, "", errNested
		case wait == nil:
			return nil, whoHas(f), errBusy
		default:
			wait(whoHas(f))
		}
		if err := pause(ctx); err != nil {
			return nil, "", err
		}
	}
}

// pause waits for a moment, or until ctx ends.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pollInterval):
		return nil
	}
}

// announcePresence adds this process to the log of the user's tare processes. It returns nil if the log cannot be opened.
func announcePresence(h holder) *presence {
	f, err := openOwn("tare.running", os.O_RDWR|os.O_APPEND)
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
	return newPresence(f, h, alone) // with the shared lock, so that no other process empties the log
}

// openOwn opens a file of the user's own directory.
func openOwn(name string, flag int) (*os.File, error) {
	dir, err := tempdir.OpenOwn()
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Open(name, flag)
}

// claimRecord keeps other tares from writing a record for as long as f is open.
func claimRecord(f *os.File) error {
	if errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK) {
		return exit.Failed(fmt.Errorf("%s: another tare is writing it", f.Name()), "wait for it, or name another file")
	}
	return nil // also on a file system that has no locks
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
