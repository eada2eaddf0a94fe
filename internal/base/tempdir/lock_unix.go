//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// hold locks an open file or directory until the returned file is closed: another descriptor, so that f can be closed before. It
// returns nil if the file system has no locks, and errTaken if f is locked, or its name is not its own any more.
func hold(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	lock := os.NewFile(uintptr(fd), f.Name())
	err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		lock.Close()
		return nil, errTaken
	case err != nil:
		lock.Close()
		return nil, nil
	}
	if now, err := os.Lstat(f.Name()); err != nil || !isSame(now, f) {
		lock.Close()
		return nil, errTaken
	}
	return lock, nil
}

func isSame(at os.FileInfo, f *os.File) bool {
	it, err := f.Stat()
	return err == nil && os.SameFile(at, it)
}

// removeLeft removes path if a tare has made it, it belongs to our user and is not locked. It removes no directory where others can rename:
// they could give a place's name to a directory of ours that they may not remove.
func removeLeft(path string) {
	at, err := os.Lstat(path)
	if err != nil || !at.IsDir() && !at.Mode().IsRegular() {
		return
	}
	if s, ok := at.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Geteuid() {
		return
	}
	if !isPlace(path, at) || at.IsDir() && checkParent(path) != nil {
		return
	}
	mode := os.O_RDWR // required by locks on network file systems
	if at.IsDir() {
		mode = os.O_RDONLY
	}
	f, err := os.OpenFile(path, mode|noFollow, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lock, err := hold(f); err == nil && lock != nil {
		removeSame(path, at)
		lock.Close()
	}
}
