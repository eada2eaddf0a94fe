package samecode

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/build"
	"go/build/constraint"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// scope says which files of a directory count.
type scope int

const (
	ofModule  scope = iota // neither source of the build nor documentation
	ofPackage              // all but for Go files that are built
	ofData                 // all
)

// scopeIn returns the scope of a directory by its name, which is relative to one of the given scope.
func scopeIn(name string, in scope) scope {
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" || strings.HasPrefix(part, "_") || in == ofPackage && part != "." && part != ".." && strings.HasPrefix(part, ".") {
			return ofData
		}
	}
	return in
}

// fileWalk collects the files of one package or module.
type fileWalk struct {
	*Files
	root    string
	entered map[entered]bool
	files   int
	bytes   int64
	lines   bytes.Buffer
}

// entered is a directory that was read, without links in its path.
type entered struct {
	path  string
	scope scope
}

// name returns the name of a path in the digest: relative to the module.
func (w *fileWalk) name(path string) string {
	rel, err := filepath.Rel(w.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// enter adds what a path leads to, by a name in the digest. first says that it was asked for: it counts even if it is where temporary
// files are.
func (w *fileWalk) enter(path, name string, s scope, first bool) error {
	if !w.Until.IsZero() && time.Now().After(w.Until) {
		return errLong
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // a link that leads nowhere
	case err != nil && s == ofModule && errors.Is(err, fs.ErrPermission):
		w.add("unreadable", name, "")
		return nil // benchmarks cannot read it either
	case err != nil:
		return err
	case !first && w.excepted(st):
		return nil
	case st.IsDir():
		return w.directory(path, name, s)
	case st.Mode().IsRegular():
		return w.file(path, name, st, s)
	}
	w.add("other", name, st.Mode().Type().String())
	return nil
}

func (w *fileWalk) directory(path, name string, s scope) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || w.entered[entered{real, s}] || w.entered[entered{real, ofData}] {
		return err
	}
	if w.entered == nil {
		w.entered = map[entered]bool{}
	}
	w.entered[entered{real, s}] = true
	entries, err := os.ReadDir(path)
	if err != nil && s == ofModule && errors.Is(err, fs.ErrPermission) {
		w.add("unreadable", name, "")
		return nil
	}
	if err != nil {
		return err
	}
	source := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") })
	temporary := isSame(path, os.TempDir())
	for _, e := range entries {
		at := filepath.Join(path, e.Name())
		if w.skips(s, at, e, source) || temporary && isTemporary(e.Name()) {
			continue
		}
		if err := w.entry(at, name+"/"+e.Name(), e, scopeIn(e.Name(), s)); err != nil {
			return err
		}
	}
	return nil
}

func (w *fileWalk) entry(path, name string, e fs.DirEntry, s scope) error {
	if w.files++; w.MaxFiles > 0 && w.files > w.MaxFiles {
		return errMany
	}
	if e.Type()&fs.ModeSymlink != 0 {
		text, err := os.Readlink(path)
		if err != nil {
			return err
		}
		w.add("link", name, text)
	}
	return w.enter(path, name, s, false)
}

// skips reports whether an entry of a directory does not count. source says that the directory has Go files, so that the go command
// compiles other sources with them.
func (w *fileWalk) skips(s scope, path string, e fs.DirEntry, source bool) bool {
	name, isDir := e.Name(), e.IsDir()
	switch {
	case name == ".git":
		return true
	case s == ofData:
		return false
	case !isDir && strings.HasSuffix(name, ".go"):
		return s == ofModule || !leftOut(path)
	case s == ofPackage:
		return false
	case isDir:
		return strings.HasPrefix(name, ".") || hasModule(path)
	}
	return isDocumentation(name) || slices.Contains(buildFiles, name) || source && slices.Contains(compiled, filepath.Ext(name))
}

// buildFiles are files of a module that the build knows, and settings of tare and git.
var buildFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum", "tare.toml", ".gitignore", ".gitattributes"}

// compiled are suffixes of what the go command compiles with the Go files of a directory.
var compiled = []string{
	".s", ".S", ".sx", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso",
}

func isDocumentation(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	return strings.HasSuffix(strings.ToLower(name), ".md") || slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CONTRIBUTORS", "README", "CHANGELOG"}, base)
}

// isTemporary reports whether an entry of the directory of temporary files is one of tare or of the go command.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, "tare-") || strings.HasPrefix(name, "tare.") || strings.HasPrefix(name, "go-build")
}

func isSame(path, other string) bool {
	a, err := os.Stat(path)
	b, e := os.Stat(other)
	return cmp.Or(err, e) == nil && os.SameFile(a, b)
}

// leftOut reports whether the build of a Go file's directory may leave it out: it has a constraint, or its name is one of another
// system. A benchmark can run such a file by go run.
func leftOut(path string) bool {
	dir, name := filepath.Split(path)
	if matches, err := build.Default.MatchFile(dir, name); !matches || err != nil {
		return true
	}
	text, err := head(path, 64<<10)
	if err != nil {
		return true
	}
	for line := range bytes.Lines(text) {
		line := strings.TrimSpace(string(line))
		if constraint.IsGoBuild(line) || constraint.IsPlusBuild(line) {
			return true
		}
		if strings.HasPrefix(line, "package ") {
			return false
		}
	}
	return false
}

func (w *fileWalk) file(path, name string, st fs.FileInfo, s scope) error {
	if w.MaxBytes > 0 && w.bytes+st.Size() > w.MaxBytes {
		return errLarge
	}
	x := w.sum(path, st.Size())
	if s == ofModule && errors.Is(x.err, fs.ErrPermission) {
		w.add("unreadable", name, "")
		return nil
	}
	w.bytes += x.size
	w.add("file", name, fmt.Sprintf("%x %t", x.sum, st.Mode()&0o100 != 0))
	return x.err
}

// head returns the first bytes of a regular file, all if it has fewer.
func head(path string, n int64) ([]byte, error) {
	if !isRegular(path) { // a pipe waits for a writer
		return nil, fs.ErrInvalid
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, n))
}

func (w *fileWalk) add(kind, name, what string) {
	fmt.Fprintf(&w.lines, "%s %q %q\n", kind, name, what)
}
