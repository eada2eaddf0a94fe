package tempdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// PartialSuffix marks a record that is being written beside an existing file.
const PartialSuffix = ".partial"

// prefix is the prefix of the names of all places.
const prefix = "tare-run-"

// shared is a directory in memory on systems that have one, faster than a disk.
const shared = "/dev/shm"

// Place is a temporary file or directory of this process.
type Place struct {
	Path string
	File *os.File // of [Beside], open for reading and writing until MoveTo or Remove; else nil

	info os.FileInfo // of what was created
	lock *os.File    // nil: the file system has no locks
}

// Dir creates a temporary directory that only its owner can access. Its name contains what.
func Dir(what string) (*Place, error) {
	root, err := tempRoot()
	if err != nil {
		return nil, err
	}
	tidy(shared, root)
	return tempDir(root, what)
}

// DirIn is Dir in another directory, for what is then moved to its place in it.
func DirIn(dir, what string) (*Place, error) {
	tidy(dir)
	return tempDir(dir, what)
}

func tempDir(dir, what string) (*Place, error) {
	return dirPlace(func() (string, error) { return os.MkdirTemp(dir, prefix+what+"-") })
}

// Named is Dir with a fixed name, for resuming a killed run: a directory that the killed run left is removed
// and created anew. If the name is in use, Named creates a directory with another name.
func Named(name string) (*Place, error) {
	root, err := tempRoot()
	if err != nil {
		return nil, err
	}
	tidy(shared, root)
	p, err := tempDir(root, name)
	if err != nil {
		return nil, err
	}
	if path := filepath.Join(root, prefix+name); !exists(path) {
		if err := putMark(p); err != nil {
			return nil, errors.Join(err, p.Remove())
		}
		if os.Rename(p.Path, path) == nil {
			p.Path = path
		}
	}
	return p, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// File creates a file of size bytes that begins with head, in the first of dirs that has enough space.
// Default: shared memory, then the directory of temporary files. The error is one line that names every failed
// directory.
func File(what string, head []byte, size int64, dirs ...string) (*Place, error) {
	if len(dirs) == 0 {
		root, err := tempRoot()
		if err != nil {
			return nil, err
		}
		if dirs = []string{root}; CheckPath(filepath.Join(shared, "x")) == nil {
			dirs = []string{shared, root}
		}
	}
	tidy(dirs...)
	var bad error
	for _, dir := range dirs {
		p, err := file(dir, what, head, size)
		switch {
		case err == nil:
			return p, nil
		case bad == nil || errors.Is(bad, fs.ErrNotExist): // many systems have no such directory
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
	p, err = place(func() (*os.File, error) { return os.CreateTemp(dir, prefix+what+"-") })
	if err != nil {
		return nil, err
	}
	if err := errors.Join(fill(p.File, head, size), p.File.Close()); err != nil {
		return nil, errors.Join(err, p.Remove())
	}
	p.File = nil
	return p, nil
}

// fill writes head and then zeros up to size bytes.
func fill(f *os.File, head []byte, size int64) error {
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

// place creates a place, locks it, and only then gives it the name by which others know it for one.
func place(create func() (*os.File, error)) (*Place, error) {
	const tries = 100
	for range tries {
		f, err := create()
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p := &Place{Path: f.Name(), File: f}
		if p.info, err = f.Stat(); err != nil {
			f.Close()
			return nil, err
		}
		if p.lock, err = hold(f); err == nil {
			err = giveName(p)
		}
		if err == nil {
			return p, nil
		}
		if !errors.Is(err, errTaken) {
			return nil, errors.Join(err, p.Remove())
		}
		f.Close()
	}
	return nil, errors.New("others remove it each time")
}

// dirPlace is place for a directory, which it opens only to lock it.
func dirPlace(create func() (string, error)) (*Place, error) {
	p, err := place(func() (*os.File, error) {
		path, err := create()
		if err != nil {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
		if errors.Is(err, fs.ErrNotExist) {
			err = errTaken
		}
		return f, err
	})
	if err != nil {
		return nil, err
	}
	p.File.Close() // a directory that is open cannot be removed on every system
	p.File = nil
	return p, nil
}

// errTaken means that another process has locked or removed the place.
var errTaken = errors.New("another has it")

// Remove removes the place and its contents. Programs that have mapped it keep their memory. It may be called with nil,
// and again. It fails if the path is that of something else by now, and leaves that alone.
func (p *Place) Remove() error {
	if p == nil {
		return nil
	}
	if p.File != nil {
		p.File.Close()
	}
	err := removeSame(p.Path, p.info)
	if p.lock == nil {
		return err
	}
	if e := p.lock.Close(); !errors.Is(e, os.ErrClosed) { // unlock last, so that no other process removes it meanwhile
		err = errors.Join(err, e)
	}
	return err
}

// removeSame removes the file or directory of info, if path is still its name. Where others can rename, they could give that name to
// a directory of ours that they may not remove: nothing of another directory is removed, not even if it gets the name meanwhile.
func removeSame(path string, info fs.FileInfo) error {
	now, err := os.Lstat(path)
	if err == nil && !os.SameFile(now, info) {
		return fmt.Errorf("%s: is not the temporary file of this process any more, and was left alone", path)
	}
	if err == nil && info.IsDir() {
		err = removeContents(path, info)
	}
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// removeContents removes what is in the directory of info.
func removeContents(path string, info fs.FileInfo) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if now, err := dir.Stat(); err != nil || !os.SameFile(now, info) {
		return fmt.Errorf("%s: is not the temporary directory of this process any more, and was left alone", path)
	}
	names, err := dir.Readdirnames(-1)
	for _, name := range names {
		if name != markName(info) {
			err = errors.Join(err, root.RemoveAll(name))
		}
	}
	if err != nil {
		return err
	}
	return root.RemoveAll(markName(info)) // last, so that the next run goes on where this one is killed
}

// Left reports whether a path is that of a place without a process, and removes it if it still exists. It is for
// what other programs know of a place.
func Left(path string) bool {
	if !placeName.MatchString(filepath.Base(path)) {
		return false
	}
	removeLeft(path)
	return !exists(path)
}

// tidy removes the places in dirs whose process has ended without removing them.
func tidy(dirs ...string) {
	for _, dir := range dirs {
		d, err := os.Open(dir)
		if err != nil {
			continue
		}
		names, _ := d.Readdirnames(-1)
		d.Close()
		for _, name := range names {
			if strings.HasPrefix(strings.TrimPrefix(name, "."), prefix) {
				removeLeft(filepath.Join(dir, name))
			}
		}
	}
}
