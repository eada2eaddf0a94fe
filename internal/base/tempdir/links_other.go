//go:build !unix

package tempdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// FollowLinks returns the path of a file without links, which need not exist.
func FollowLinks(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return real, err
}

// IsTrusted reports whether a file belongs to this user, which is not known here.
func IsTrusted(fs.FileInfo) bool { return true }

// KeepOwner gives a file that takes the place of an old one the mode of that. Without an old one it gets mode.
func KeepOwner(f *os.File, old fs.FileInfo, mode fs.FileMode) error {
	if old != nil {
		mode = old.Mode().Perm()
	}
	return f.Chmod(mode)
}
