package tempdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// prefix begins the names of all places.
const prefix = "tare-run-"

// shared is memory that has names, where there is such a thing: no disk slows it down.
const shared = "/dev/shm"

// Place is a file or directory that belongs to this process.
type Place struct {
	Path string

	lock *os.File // nil: there are no locks here
}

// Dir makes a directory among the temporary files, for its owner alone. Its name has
// what it is for in it.
func Dir(what string) (*Place, error) {
	tidy(shared, os.TempDir())
	return place(func() (string, error) { return os.MkdirTemp("", prefix+what+"-") })
}

// Named is Dir with a name that is known before, for a run that goes on with what another
// was killed at: that which it left is removed, and made anew. A directory of that name
// that is in use stays: another is made.
func Named(name string) (*Place, error) {
	tidy(shared, os.TempDir())
	path := filepath.Join(os.TempDir(), prefix+name)
	return place(func() (string, error) {
		if os.Mkdir(path, 0o700) == nil {
			return path, nil
		}
		return os.MkdirTemp("", prefix+name+"-")
	})
}

// File makes a file of so many bytes, which begins with head: in the first of the
// directories that has room for all of it. Default: shared memory, and the directory of
// temporary files. The error is one line, and about each of them.
func File(what string, head []byte, size int64, dirs ...string) (*Place, error) {
	if len(dirs) == 0 {
		dirs = []string{shared, os.TempDir()}
	}
	tidy(dirs...)
	var bad error
	for _, dir := range dirs {
		p, err := file(dir, what, head, size)
		switch {
		case err == nil:
			return p, nil
		case bad == nil || errors.Is(bad, fs.ErrNotExist): // many systems have no shared memory of this kind
			bad = err
		default:
			bad = fmt.Errorf("%w; %w", bad, err)
		}
	}
	if size == 0 {
		return nil, bad
	}
	return nil, fmt.Errorf("no room for %d KiB: %w", (size+1023)>>10, bad)
}

func file(dir, what string, head []byte, size int64) (p *Place, err error) {
	p, err = place(func() (string, error) {
		f, err := os.CreateTemp(dir, prefix+what+"-")
		if err != nil {
			return "", err
		}
		return f.Name(), f.Close()
	})
	if err != nil {
		return nil, err
	}
	if err := fill(p.Path, head, size); err != nil {
		return nil, errors.Join(err, p.Remove())
	}
	return p, nil
}

// fill writes head, and zeros up to the size.
func fill(path string, head []byte, size int64) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(head); err != nil {
		return err
	}
	zeros := make([]byte, 1<<20)
	for at := int64(len(head)); at < size; {
		n, err := f.Write(zeros[:min(int64(len(zeros)), size-at)])
		if err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// place makes one and locks it. Who tidies up may come between the two and take it
// for one that was left: then it is another's to remove.
func place(create func() (string, error)) (*Place, error) {
	const tries = 100
	for range tries {
		path, err := create()
		if err != nil {
			return nil, err
		}
		lock, err := hold(path)
		if err == nil {
			return &Place{path, lock}, nil
		}
		if !errors.Is(err, errTaken) {
			return nil, errors.Join(err, os.RemoveAll(path))
		}
	}
	return nil, errors.New("others remove it each time")
}

// errTaken is the error of a place that another process has, or has removed.
var errTaken = errors.New("another has it")

// Remove removes it, with what is in it. A program that has mapped it keeps that.
func (p *Place) Remove() error {
	err := os.RemoveAll(p.Path)
	if p.lock != nil {
		err = errors.Join(err, p.lock.Close()) // only now: who tidies up needs to find nothing
	}
	return err
}

// tidy removes the places in directories whose process has ended without.
func tidy(dirs ...string) {
	for _, dir := range dirs {
		d, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := d.Readdirnames(-1)
		d.Close()
		for _, name := range names {
			if strings.HasPrefix(name, prefix) {
				removeLeft(filepath.Join(dir, name))
			}
		}
	}
}
