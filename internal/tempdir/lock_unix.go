//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package tempdir

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// hold locks path until the returned file is closed. It returns nil if the file system has no locks, and
// errTaken if path is locked or gone.
func hold(path string) (*os.File, error) {
	at, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	mode := os.O_RDWR // required by locks on network file systems
	if at.IsDir() {
		mode = os.O_RDONLY
	}
	f, err := os.OpenFile(path, mode|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		f.Close()
		return nil, errTaken
	case err != nil:
		f.Close()
		return nil, nil
	}
	if now, err := os.Lstat(path); err != nil || !isSame(now, f) {
		f.Close()
		return nil, errTaken
	}
	return f, nil
}

func isSame(at os.FileInfo, f *os.File) bool {
	it, err := f.Stat()
	return err == nil && os.SameFile(at, it)
}

// removeLeft removes path if it belongs to our user and is not locked. It removes no directory where others can rename:
// they could give a place's name to a directory of ours that they may not remove.
func removeLeft(path string) {
	at, err := os.Lstat(path)
	if err != nil || !at.IsDir() && !at.Mode().IsRegular() {
		return
	}
	if s, ok := at.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Geteuid() {
		return
	}
	if at.IsDir() && checkParent(path) != nil {
		return
	}
	if f, err := hold(path); err == nil && f != nil {
		os.RemoveAll(path)
		f.Close()
	}
}
