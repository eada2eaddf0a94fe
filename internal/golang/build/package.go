package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Package is a package that a pattern selects, or an error about the pattern.
type Package struct {
	Pattern    string   // the first pattern that selected it, as given
	ImportPath string   // the pattern, if Error says that it selects nothing
	Name       string   // of the package clause
	Dir        string   // absolute; the working directory of its forks
	Version    string   // of its module; "" for the standard library and the main module
	GoFiles    []string // names in Dir, those with cgo included
	TestFiles  []string // test files of the package itself
	XTestFiles []string // test files of the external package NAME_test
	Skip       string   // why there are no benchmarks, one of the constants below; "": there are some
	Error      error    // nil, or the *Error why it cannot be built

	at   place
	temp *tempdir.Place // a scratch module for Close to remove
}

// Close removes the temporary files of a call of Resolve, which exist only if the cache was not usable. The packages
// of one pattern share them, so call it when all are built.
func (p Package) Close() error {
	return p.temp.Remove()
}

// The reasons of Package.Skip.
const (
	SkipNoTests      = "no test files"
	SkipNoBenchmarks = "no benchmarks"
)

// listFields selects the fields of listed, because go list takes less time for fewer fields.
const listFields = "-json=ImportPath,Name,Dir,Module,Match,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Error"

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Name, Dir string
	Module                *struct {
		Version string
		Replace *struct{ Version string }
	}
	Match        []string
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	Error        *struct{ Pos, Err string }
}

func decodeList(out []byte) ([]listed, error) {
	var list []listed
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		list = append(list, l)
	}
}

// newPackage converts a package of go list. pattern is what the user typed.
func newPackage(l listed, pattern string, at place) Package {
	p := Package{
		Pattern: pattern, ImportPath: l.ImportPath, Name: l.Name, Dir: l.Dir,
		GoFiles:   append(l.GoFiles, l.CgoFiles...),
		TestFiles: l.TestGoFiles, XTestFiles: l.XTestGoFiles,
		at: at,
	}
	if m := l.Module; m != nil {
		p.Version = m.Version
		if m.Replace != nil {
			p.Version = m.Replace.Version
		}
	}
	if e := l.Error; e != nil {
		text := e.Err
		if e.Pos != "" {
			text = e.Pos + ": " + text
		}
		input := pattern
		if l.Name != "" || l.ImportPath != "" && isWild(pattern) {
			input = l.ImportPath
		}
		p.Error = explain(input, text)
	}
	switch {
	case p.Error != nil:
	case len(p.TestFiles)+len(p.XTestFiles) == 0:
		p.Skip = SkipNoTests
	case !p.declaresBenchmark():
		p.Skip = SkipNoBenchmarks
	}
	return p
}

// benchmarkDecl matches the declaration of a benchmark, formatted by gofmt or not. Matching is faster than parsing:
// 0.1 s for the standard library.
var benchmarkDecl = regexp.MustCompile(`(?m)^func\s+Benchmark([^\p{Ll}\s(]\w*)?\s*\(`)

func (p Package) declaresBenchmark() bool {
	for _, files := range [][]string{p.TestFiles, p.XTestFiles} {
		for _, name := range files {
			src, err := os.ReadFile(filepath.Join(p.Dir, name))
			// The compiler will report a file that cannot be read.
			if err != nil || benchmarkDecl.Match(src) {
				return true
			}
		}
	}
	return false
}
