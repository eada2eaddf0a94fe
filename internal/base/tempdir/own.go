package tempdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Cache returns tare's directory in the user's cache, and creates it. It fails if another user could have put files there,
// because programs in it are run: such as when root has the home directory of a user, or the cache is a shared directory.
func Cache() (string, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(user, "tare")
	if err := CheckPath(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	return dir, CheckTrusted(dir)
}

// UserDir returns a directory of this user alone for what later runs use again: that of [Cache], or else that of [OwnDir].
func UserDir() (string, error) {
	if dir, err := Cache(); err == nil {
		return dir, nil
	}
	return OwnDir()
}

// ErrNotOwn is the error of a name that has something else than a file of this user.
var ErrNotOwn = errors.New("is not a file of yours alone")

// OpenOwnFile opens a file whose name the user did not choose, in a directory that may be shared, and creates it if it is
// missing. It never waits. It fails with ErrNotOwn if the name is that of a link, of a file that has another name, too, or of
// anything else than a regular file of this user.
func OpenOwnFile(path string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := os.OpenFile(path, flag|os.O_CREATE|os.O_EXCL, perm)
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	if f, err = os.OpenFile(path, flag&^os.O_CREATE|noFollow, 0); errors.Is(err, fs.ErrPermission) {
		return nil, err
	} else if err != nil { // a link, or a pipe
		return nil, fmt.Errorf("%s: %w", path, ErrNotOwn)
	}
	if err := checkOwn(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Empty creates an empty file in the directory of temporary files.
func Empty(what string) (*Place, error) {
	root, err := tempRoot()
	if err != nil {
		return nil, err
	}
	return File(what, nil, 0, root)
}
