package tempdir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// longestName is how many bytes of a file's name are repeated in the name of the temporary file beside it. File systems
// allow names of 255 bytes.
const longestName = 100

// Beside creates an empty hidden file in the directory of another, whose place it takes when it is complete: see
// [Place.MoveTo]. Its name holds the other's. It is written by its File, because others may be able to rename in that directory.
func Beside(path string) (*Place, error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if len(name) > longestName {
		name = strings.ToValidUTF8(name[:longestName], "")
	}
	tidy(dir)
	return place(func() (*os.File, error) { return os.CreateTemp(dir, "."+prefix+name+"-*") })
}

// WriteFile writes a file of that mode, whole or not at all. What has its name is replaced: a link is not followed, and a pipe not
// opened.
func WriteFile(path string, content []byte, mode fs.FileMode) error {
	p, err := Beside(path)
	if err != nil {
		return err
	}
	defer p.Remove()
	if _, err := p.File.Write(content); err != nil {
		return err
	}
	if err := p.File.Chmod(mode); err != nil {
		return err
	}
	return p.MoveTo(path)
}

// MkdirAll is os.MkdirAll for a directory that a user has named, by the rules of [FollowLinks], whose path it returns.
func MkdirAll(path string, mode fs.FileMode) (string, error) {
	path, err := FollowLinks(path)
	if err != nil {
		return "", err
	}
	return path, os.MkdirAll(path, mode)
}

// NewMode returns the mode that a new file gets in the directory of a place: 0666 without the umask, or what the directory's
// default access control list says. It creates one to see it: the umask cannot be read without being set for the whole process.
func (p *Place) NewMode() (fs.FileMode, error) {
	f, err := os.OpenFile(p.Path+"-mode", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	st, err := f.Stat()
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return 0, err
	}
	return st.Mode().Perm(), nil
}

// MoveTo closes the file of a place and gives it its final name. A file that has that name is replaced. The lock is
// released last, so that another process does not remove the temporary file as abandoned.
func (p *Place) MoveTo(path string) error {
	if err := p.File.Close(); err != nil {
		return err
	}
	if now, err := os.Lstat(p.Path); err != nil || !os.SameFile(now, p.info) {
		return fmt.Errorf("%s: another program has replaced this temporary file: %w", p.Path, cmp.Or(err, fs.ErrNotExist))
	}
	err := os.Rename(p.Path, path)
	if p.lock != nil {
		err = errors.Join(err, p.lock.Close())
	}
	return err
}
