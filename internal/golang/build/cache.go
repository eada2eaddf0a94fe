package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// cache is a directory with
//
//	bin/      binaries under the hash of their content
//	slot/     which binary a build made last
//	mod/      scratch modules
//	overlay/  package testing with hooks, main packages of programs, second names of toolchains
//	tmp/      temporary files
//
// Files are put in place by renaming on the same file system, so that they are complete.
type cache struct {
	root      string
	temporary *tempdir.Place // root, if it is a temporary directory of this call; else nil
	why       error          // why the user's cache cannot be used, if temporary
}

// openCache opens the cache in dir, by default tare below [os.UserCacheDir], or a temporary one if it cannot be used.
func openCache(dir string) (*cache, error) {
	root, err := cacheRoot(dir)
	if err == nil {
		if err = makeDirs(root); err == nil {
			return &cache{root: root}, nil
		}
	}
	temp, tempErr := tempdir.Dir("cache")
	if tempErr == nil {
		tempErr = makeDirs(temp.Path)
	}
	if tempErr != nil {
		temp.Remove()
		return nil, fmt.Errorf("cache: %w; nor a temporary one: %w", err, tempErr)
	}
	return &cache{root: temp.Path, temporary: temp, why: fmt.Errorf("cache not usable: %w", err)}, nil
}

func cacheRoot(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	return tempdir.Cache()
}

// makeDirs makes the cache's directories and checks that they are writable.
func makeDirs(root string) error {
	for _, name := range []string{"bin", "slot", "mod", "overlay", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o777); err != nil {
			return err
		}
	}
	probe, err := tempdir.DirIn(filepath.Join(root, "tmp"), "probe")
	if err != nil {
		return err
	}
	return probe.Remove()
}

// remove removes a temporary cache.
func (c *cache) remove() { c.temporary.Remove() }

// workDir makes a directory for temporary files; the caller removes it.
func (c *cache) workDir() (*tempdir.Place, error) {
	dir, err := tempdir.DirIn(filepath.Join(c.root, "tmp"), "make")
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return dir, nil
}

// entry is a binary in the cache.
type entry struct {
	Pkg    string `json:"pkg"`
	File   string `json:"file"` // name in bin
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
}

func (c *cache) path(e entry) string { return filepath.Join(c.root, "bin", e.File) }

// slotEntry returns the binary that key's slot refers to, if it exists and has its hash. It removes a damaged one.
func (c *cache) slotEntry(key string) (entry, bool) {
	var e entry
	text, err := os.ReadFile(filepath.Join(c.root, "slot", key))
	if err != nil || json.Unmarshal(text, &e) != nil || e.File == "" || e.File != filepath.Base(e.File) {
		return entry{}, false
	}
	path := c.path(e)
	touch(path) // first, so that no other process removes it
	switch sum, size, err := hashFile(path); {
	case err != nil:
		return entry{}, false
	case sum != e.SHA256 || size != e.Size:
		os.Remove(path)
		return entry{}, false
	}
	return e, true
}

// setSlot makes key's slot refer to e.
func (c *cache) setSlot(key string, e entry, work string) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	tmp := filepath.Join(work, "slot")
	if err := os.WriteFile(tmp, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if err := os.Rename(tmp, filepath.Join(c.root, "slot", key)); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// add moves the binary at file into the cache, named after the hash of its content. The file name begins with name,
// which `ps` and profiles show.
func (c *cache) add(file, pkg, name, ext string) (entry, error) {
	sum, size, err := hashFile(file)
	if err != nil {
		return entry{}, fmt.Errorf("cache: %w", err)
	}
	e := entry{Pkg: pkg, File: name + "-" + sum + ext, SHA256: sum, Size: size}
	path := c.path(e)
	touch(path)
	if have, n, err := hashFile(path); err == nil && have == sum && n == size {
		return e, nil
	}
	if err := os.Rename(file, path); err != nil {
		return entry{}, fmt.Errorf("cache: %w", err)
	}
	touch(path)
	return e, nil
}

// linkOrCopy makes a hard link to the file, or a copy if that fails.
func linkOrCopy(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return err
	}
	if _, err := io.Copy(dst, src); err != nil {
		dst.Close()
		os.Remove(to) // an incomplete binary must not stay
		return err
	}
	return dst.Close()
}

// touch marks a file as used now. It does not create it.
func touch(path string) error {
	now := time.Now()
	return os.Chtimes(path, now, now)
}

func hashFile(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil {
		return "", 0, err
	} else if !fi.Mode().IsRegular() {
		return "", 0, &fs.PathError{Op: "hash", Path: path, Err: fs.ErrInvalid}
	}
	h := sha256.New()
	size, err = io.Copy(h, f)
	if err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}
