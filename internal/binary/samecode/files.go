package samecode

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Files digests the files that benchmarks can read while they run. A file that several packages can read is read once. Its zero
// value has no limits.
type Files struct {
	MaxFiles int       // of one package, and of all its modules together; 0: any number
	MaxBytes int64     // of the files of one package, and of all its modules together; 0: any number
	Until    time.Time // when reading ends; zero: it does not
	Except   []string  // paths of files and directories that do not count, because this process writes them, or caches are in them

	sums    map[string]fileSum     // by path
	modules map[string]moduleFiles // by root
	except  []fs.FileInfo          // of Except; nil: not examined yet
}

type fileSum struct {
	sum  [sha256.Size]byte
	size int64
	err  error
}

// moduleFiles is what the packages of a module have in common.
type moduleFiles struct {
	sum [sha256.Size]byte
	err error
}

// Errors of [Files.Digest] whose limits are reached.
var (
	errMany  = errors.New("there are too many")
	errLarge = errors.New("they are too large")
	errLong  = errors.New("reading them takes too long")
)

// Digest returns a digest of the names and contents of the files that benchmarks of a package can read. It is the same in two copies of
// a module, whatever the times of their files. These count:
//
//   - in and below the directory of the package all, but for Go files that the build of that directory contains;
//   - in the rest of the module all that is neither source of the build, nor documentation, nor in a directory whose name begins with
//     a dot. Modules that go.work uses, or go.mod replaces by a directory, are part of it; others in its directory are none;
//   - all in directories testdata, and in others that the go command ignores.
//
// Directories of git never count. A link counts by its text and by what it leads
// to. Digest fails if a file cannot be read, or if a limit is reached.
func (f *Files) Digest(dir string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	root := moduleRoot(dir)
	w := &fileWalk{Files: f, root: root}
	m := f.module(root)
	if err := errors.Join(m.err, w.enter(dir, w.name(dir), scopeIn(w.name(dir), ofPackage), true)); err != nil {
		return "", err
	}
	w.add("module", "", fmt.Sprintf("%x", m.sum))
	sum := sha256.Sum256(w.lines.Bytes())
	return hex.EncodeToString(sum[:16]), nil
}

// module digests the files of a module once.
func (f *Files) module(root string) moduleFiles {
	if m, ok := f.modules[root]; ok {
		return m
	}
	if f.modules == nil {
		f.modules = map[string]moduleFiles{}
	}
	w, m := &fileWalk{Files: f, root: root}, moduleFiles{}
	for _, x := range localModules(root) {
		if m.err = w.enter(x.dir, x.name, ofModule, true); m.err != nil {
			break
		}
	}
	m.sum = sha256.Sum256(w.lines.Bytes())
	f.modules[root] = m
	return m
}

// excepted reports whether a file or directory is one of Except.
func (f *Files) excepted(st fs.FileInfo) bool {
	if f.except == nil {
		f.except = []fs.FileInfo{}
		for _, path := range f.Except {
			if at, err := os.Stat(path); err == nil {
				f.except = append(f.except, at)
			}
		}
	}
	return slices.ContainsFunc(f.except, func(at fs.FileInfo) bool { return os.SameFile(at, st) })
}

// sum reads a file of a known size once. One that is longer than that grows, or has no size, as those of /proc.
func (f *Files) sum(path string, size int64) fileSum {
	if x, ok := f.sums[path]; ok {
		return x
	}
	if f.sums == nil {
		f.sums = map[string]fileSum{}
	}
	x := fileSum{size: size}
	h := sha256.New()
	if r, err := os.Open(path); err != nil {
		x.err = err
	} else {
		var n int64
		if n, x.err = io.Copy(h, io.LimitReader(r, size+1)); x.err == nil && n != size {
			x.err = fmt.Errorf("%s: has changed while it was read", path)
		}
		r.Close()
	}
	h.Sum(x.sum[:0])
	f.sums[path] = x
	return x
}
