package asm

import (
	"bufio"
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/record"
)

// Limits of source texts.
const (
	maxSource = 8 << 20 // bytes of a file
	maxText   = 500     // bytes of a line
)

// sources finds source files. With -trimpath, as in all binaries that tare builds, they are searched in the
// toolchain, the module cache and the module around the program's directory.
type sources struct {
	roots   []root
	before  time.Time
	files   map[string][][]byte // lines; nil: not available
	changed []string
}

// root is a directory with the prefix of the file names in it.
type root struct{ prefix, dir string }

func newSources(dir string, m objfile.Modules, before time.Time) *sources {
	s := &sources{before: before, files: map[string][][]byte{}}
	modules := cmp.Or(os.Getenv("GOMODCACHE"), filepath.Join(gopath(), "pkg", "mod"))
	if path, at := moduleAround(dir); path != "" {
		s.roots = append(s.roots, root{path + "/", at})
	}
	if dir != "" {
		s.roots = append(s.roots, root{"command-line-arguments/", dir})
	}
	if goroot := toolchain(m.GoVersion, modules); goroot != "" {
		s.roots = append(s.roots, root{"", filepath.Join(goroot, "src")})
	}
	s.roots = append(s.roots, root{"", modules})
	return s
}

// gopath returns the first directory of GOPATH, or its default.
func gopath() string {
	if dirs := filepath.SplitList(os.Getenv("GOPATH")); len(dirs) > 0 {
		return dirs[0]
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, "go")
}

// moduleAround returns the module that contains a directory.
func moduleAround(dir string) (path, root string) {
	for dir != "" {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			for line := range strings.Lines(string(text)) {
				if f := strings.Fields(line); len(f) >= 2 && f[0] == "module" {
					return strings.Trim(f[1], `"`), dir
				}
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", ""
}

// toolchain returns the directory of a Go version, or "" if it is not installed.
func toolchain(version, modules string) string {
	if version == "" {
		return ""
	}
	dirs := []string{os.Getenv("GOROOT"), filepath.Join(modules, "golang.org", "toolchain@v0.0.1-"+version+"."+runtime.GOOS+"-"+runtime.GOARCH)}
	if path, err := exec.LookPath("go"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(filepath.Dir(path)))
		}
	}
	for _, dir := range dirs {
		if text, err := os.ReadFile(filepath.Join(dir, "VERSION")); dir != "" && err == nil {
			if first, _, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(first) == version {
				return dir
			}
		}
	}
	return ""
}

// texts returns the source lines of code, by file and line.
func (s *sources) texts(src objfile.Source) []record.AsmText {
	seen := map[record.AsmText]bool{}
	add := func(file string, line int) {
		if line > 0 && file != "" {
			seen[record.AsmText{File: file, Line: line}] = true
		}
	}
	for _, l := range src.Lines {
		add(l.File, l.Line)
	}
	for _, in := range src.Inlines {
		add(in.CallFile, in.CallLine)
	}
	var out []record.AsmText
	for t := range seen {
		if lines := s.read(t.File); t.Line <= len(lines) {
			t.Text = clip(lines[t.Line-1])
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b record.AsmText) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// clip truncates very long lines, as in generated files.
func clip(line []byte) string {
	return strings.ToValidUTF8(string(line[:min(len(line), maxText)]), "\uFFFD")
}

// read returns the lines of a file. It reads each file once.
func (s *sources) read(name string) [][]byte {
	lines, ok := s.files[name]
	if ok {
		return lines
	}
	if path := s.find(name); path != "" {
		if modified(path).After(s.before) {
			s.changed = append(s.changed, name)
		} else if text, err := readBounded(path); err == nil {
			lines = split(text)
		}
	}
	s.files[name] = lines
	return lines
}

// find returns the path of a file, or "". The toolchain's file with hooks differs from the compiled one.
func (s *sources) find(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if name == "testing/benchmark.go" {
		return ""
	}
	for _, r := range s.roots {
		rest, ok := strings.CutPrefix(name, r.prefix)
		if !ok {
			continue
		}
		for _, rest := range []string{rest, escape(rest)} {
			path := filepath.Join(r.dir, filepath.FromSlash(rest))
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
				return path
			}
		}
	}
	return ""
}

// escape returns a module path as the module cache writes it in file names: an
// upper-case letter becomes "!" and the lower-case letter.
func escape(path string) string {
	var b strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func readBounded(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxSource {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(path)
}

func split(text []byte) (lines [][]byte) {
	s := bufio.NewScanner(bytes.NewReader(text))
	s.Buffer(nil, maxSource+1)
	for s.Scan() {
		lines = append(lines, bytes.Clone(s.Bytes()))
	}
	return lines
}

// modified returns when a file was modified, or the zero time if there is none.
func modified(path string) time.Time {
	st, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}
