package samecode

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files digests the files that benchmarks can read while they run. A file that several packages can read is read once. Its zero
// value has no limits.
type Files struct {
	MaxFiles int      // of one package, links and directories on the way to a testdata directory included; 0: any number
	MaxBytes int64    // of one package; 0: any number
	Except   []string // paths of files and directories that do not count, because this process writes them

	sums    map[string]fileSum // by path
	modules map[string]*module // by root
}

type fileSum struct {
	sum  [sha256.Size]byte
	size int64
	err  error
}

// module is what the packages of a module have in common.
type module struct {
	testdata []string // its testdata directories
	err      error
}

// errLimit means that there is more than is read.
var errLimit = errors.New("too many files, or too large ones")

// Digest returns a digest of the names and contents of the files in and below the directory of a package and in each testdata
// directory of its module. It is the same in two copies of a module, whatever the times of their files. Go source files count
// below testdata and in directories that the go command ignores; elsewhere the binary has what matters of them. Directories
// of git do not count, nor records of tare outside of testdata. A link counts by its text and by what it leads to. It is "" if
// a file cannot be read, or if a limit is reached.
func (f *Files) Digest(dir string) string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	root := moduleRoot(dir)
	w := &fileWalk{Files: f, root: root, entered: map[string]bool{}}
	m := f.module(root)
	if err := errors.Join(m.err, w.enter(dir, w.name(dir), ignored(w.name(dir)))); err != nil {
		return ""
	}
	for _, path := range m.testdata {
		if err := w.enter(path, w.name(path), true); err != nil {
			return ""
		}
	}
	sum := sha256.Sum256(w.lines.Bytes())
	return hex.EncodeToString(sum[:16])
}

// moduleRoot returns the directory of the go.mod file around dir, or dir if there is none.
func moduleRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if hasModule(at) {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func hasModule(dir string) bool {
	st, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil && st.Mode().IsRegular()
}

// module finds the testdata directories of a module once.
func (f *Files) module(root string) *module {
	if m := f.modules[root]; m != nil {
		return m
	}
	if f.modules == nil {
		f.modules = map[string]*module{}
	}
	m := &module{}
	f.modules[root] = m
	seen := 0
	m.err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && path != root && errors.Is(err, fs.ErrPermission):
			return nil // it is a directory of the package, or cannot matter
		case err != nil:
			return err
		case e.Name() == "testdata":
			m.testdata = append(m.testdata, path)
			if e.IsDir() {
				return fs.SkipDir
			}
		case e.Name() == ".git", e.IsDir() && path != root && hasModule(path):
			if e.IsDir() {
				return fs.SkipDir
			}
		case e.IsDir():
			if seen++; f.MaxFiles > 0 && seen > f.MaxFiles {
				return errLimit
			}
		}
		return nil
	})
	return m
}

// fileWalk collects the files of one package.
type fileWalk struct {
	*Files
	root    string
	entered map[string]bool // directories, without links in their paths
	files   int
	bytes   int64
	lines   bytes.Buffer
}

// name returns the name of a path in the digest: relative to the module.
func (w *fileWalk) name(path string) string {
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// ignored reports whether the go command ignores what lies in a directory of a module.
func ignored(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" || part != "." && part != ".." && strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return true
		}
	}
	return false
}

// enter adds what a path leads to, by a name in the digest. data says that Go source files count.
func (w *fileWalk) enter(path, name string, data bool) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // a link that leads nowhere
	case err != nil:
		return err
	case w.excepted(st):
		return nil
	case st.IsDir():
		return w.directory(path, name, data)
	case st.Mode().IsRegular():
		return w.file(path, name, st, data)
	}
	w.add("other", name, st.Mode().Type().String())
	return nil
}

func (w *fileWalk) excepted(st fs.FileInfo) bool {
	return slices.ContainsFunc(w.Except, func(path string) bool {
		at, err := os.Stat(path)
		return err == nil && os.SameFile(at, st)
	})
}

func (w *fileWalk) directory(path, name string, data bool) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || w.entered[real] {
		return err
	}
	w.entered[real] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		at, as := filepath.Join(path, e.Name()), name+"/"+e.Name()
		if e.Name() == ".git" {
			continue
		}
		if w.files++; w.MaxFiles > 0 && w.files > w.MaxFiles {
			return errLimit
		}
		if e.Type()&fs.ModeSymlink != 0 {
			text, err := os.Readlink(at)
			if err != nil {
				return err
			}
			w.add("link", as, text)
		}
		if err := w.enter(at, as, data || ignored(e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// recordHead begins a record of tare.
var recordHead = []byte(`{"k":"run",`)

func (w *fileWalk) file(path, name string, st fs.FileInfo, data bool) error {
	if !data && strings.HasSuffix(name, ".go") {
		return nil
	}
	if !data && beginsWith(path, recordHead) {
		return nil
	}
	if w.MaxBytes > 0 && w.bytes+st.Size() > w.MaxBytes {
		return errLimit
	}
	x := w.sum(path, st.Size())
	w.bytes += x.size
	w.add("file", name, fmt.Sprintf("%x %t", x.sum, st.Mode()&0o100 != 0))
	return x.err
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

func beginsWith(path string, head []byte) bool {
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	got := make([]byte, len(head))
	_, err = io.ReadFull(r, got)
	return err == nil && bytes.Equal(got, head)
}

func (w *fileWalk) add(kind, name, what string) {
	fmt.Fprintf(&w.lines, "%s %q %q\n", kind, name, what)
}
