//go:build unix

package tempdir

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Own is a directory in which only this user can write, and which stays. Its files are opened relative to its
// descriptor, so that no other process can put another directory in its place.
type Own struct{ dir *os.File }

// OpenOwn opens a directory that belongs to the user alone, and creates it if it is missing. It tries three: tare-UID in
// the directory of temporary files, one below XDG_RUNTIME_DIR, and one in the user's cache. It uses the first that no
// other user owns and whose path no other user can rename. The names of the last two contain a hash of the path of the
// directory of temporary files, so that processes with the same directory of temporary files find the same directory.
// The error is one line.
func OpenOwn() (*Own, error) {
	return openFirst(filepath.Join(os.TempDir(), ownName()), below(os.Getenv("XDG_RUNTIME_DIR"), "tare-"+Key()), below(userCache(), "tare-"+Key()))
}

// OwnDir returns the path of the directory of [OpenOwn], or of another one in /tmp or /var/tmp that belongs to the user
// alone and that no other user can rename. The error says what to set.
func OwnDir() (string, error) {
	d, err := OpenOwn()
	if err != nil {
		var other error
		if d, other = openFirst(filepath.Join("/tmp", ownName()), filepath.Join("/var/tmp", ownName())); other != nil {
			return "", fmt.Errorf("no directory is yours alone: %w; %w; set XDG_CACHE_HOME to one in which only you can write", err, other)
		}
	}
	return d.dir.Name(), d.Close()
}

func ownName() string { return "tare-" + strconv.Itoa(os.Geteuid()) }

// openFirst opens the first directory that belongs to the user alone. It skips empty paths.
func openFirst(paths ...string) (*Own, error) {
	var why []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		d, err := openOwn(path)
		if err == nil {
			return d, nil
		}
		why = append(why, err.Error())
	}
	return nil, errors.New(strings.Join(why, "; "))
}

// below returns the path of a name in a directory, "" if that has no absolute path.
func below(dir, name string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, name)
}

// tempRoot returns the directory for temporary files that are run or read later. It is that of the system, if no other
// user can rename what it contains, or else tare's in the user's cache, or the first of a few others.
func tempRoot() (string, error) {
	var first error
	dir := func(path string) func() (string, error) {
		return func() (string, error) { return path, CheckPath(filepath.Join(path, "x")) }
	}
	places := []func() (string, error){dir(os.TempDir()), Cache}
	for _, path := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/tmp", "/var/tmp"} {
		if filepath.IsAbs(path) {
			places = append(places, dir(path))
		}
	}
	for _, place := range places {
		dir, err := place()
		if err == nil {
			return dir, nil
		}
		first = cmp.Or(first, err)
	}
	return "", fmt.Errorf("temporary files are not safe: %w; set TMPDIR to a directory in which only you can write", first)
}

// Key identifies the directory of temporary files in names outside of it.
func Key() string {
	dir := filepath.Clean(os.TempDir())
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(dir)))[:16]
}

func userCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return dir
}

func openOwn(path string) (*Own, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := &Own{os.NewFile(uintptr(fd), path)}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", path, err)
	case int(st.Uid) != os.Geteuid():
		err = fmt.Errorf("%s: belongs to user id %d", path, st.Uid)
	case st.Mode&0o077 != 0:
		err = fmt.Errorf("%s: others have access to it (mode %#o)", path, st.Mode&0o777)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close closes the descriptor of the directory. Files that were opened in it stay open.
func (d *Own) Close() error { return d.dir.Close() }

// Open opens a file in the directory and creates it if it is missing. It never waits, follows no link, and fails if the
// file is not a regular one of this user with one name.
func (d *Own) Open(name string, flag int) (*os.File, error) {
	path := filepath.Join(d.dir.Name(), name)
	fd, err := unix.Openat(int(d.dir.Fd()), name, flag|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := os.NewFile(uintptr(fd), path)
	if err := checkOwn(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// noFollow makes opening a symbolic link fail, and opening a pipe return at once.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

// checkOwn returns an error unless an open file is a regular one of this user with one name: a second name may be that of
// a file elsewhere.
func checkOwn(f *os.File) error {
	var st unix.Stat_t
	err := unix.Fstat(int(f.Fd()), &st)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", f.Name(), err)
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return fmt.Errorf("%s: %w: it is no regular file", f.Name(), ErrNotOwn)
	case int(st.Uid) != os.Geteuid():
		return fmt.Errorf("%s: %w: it belongs to user id %d", f.Name(), ErrNotOwn, st.Uid)
	case st.Nlink != 1:
		return fmt.Errorf("%s: %w: it has another name, too (a hard link)", f.Name(), ErrNotOwn)
	}
	return nil
}

// checkParent returns an error if another user could put something else in the place of a path: the directory around it is
// not this user's or root's, or others may rename what it contains.
func checkParent(path string) error {
	dir := filepath.Dir(path)
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if err := checkOwner(dir, st); err != nil {
		return err
	}
	if st.Mode&unix.S_ISVTX != 0 {
		return nil
	}
	if who := writers(st); who != "" {
		return fmt.Errorf("%s: %s can rename what it contains (mode %#o)", dir, who, st.Mode&0o7777)
	}
	return nil
}

// writers returns which other users can write in a directory, "" if none can.
func writers(st unix.Stat_t) string {
	switch {
	case st.Mode&0o002 != 0:
		return "anybody"
	case st.Mode&0o020 != 0 && !isPrivateGroup(int(st.Gid)):
		return fmt.Sprintf("group id %d, which may have other members,", st.Gid)
	}
	return ""
}

// checkOwner returns an error unless a file belongs to this user or to root, who may do anything.
func checkOwner(path string, st unix.Stat_t) error {
	if st.Uid != 0 && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s: belongs to user id %d", path, st.Uid)
	}
	return nil
}

// CheckPath returns an error if another user could put something else in the place of a path, which need not exist: if a
// directory on the way to it, or to where a link on the way leads, is another user's but root's, or others may rename what it
// contains.
func CheckPath(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	at := filepath.Dir(path)
	for at != filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return err
	}
	for _, dir := range []string{at, real} {
		for ; ; dir = filepath.Dir(dir) {
			if err := checkParent(filepath.Join(dir, "x")); err != nil {
				return err
			}
			var st unix.Stat_t // of a link itself
			if err := unix.Lstat(dir, &st); err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			if err := checkOwner(dir, st); err != nil {
				return err
			}
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return nil
}

// CheckTrusted returns an error if another user could have put files into a directory.
func CheckTrusted(dir string) error {
	if err := CheckPath(dir); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for _, path := range []string{dir, real} {
		if err := checkParent(path); err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(path, &st); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := checkOwner(path, st); err != nil {
			return err
		}
		if who := writers(st); who != "" && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			return fmt.Errorf("%s: %s can write in it (mode %#o)", path, who, st.Mode&0o7777)
		}
	}
	return nil
}
