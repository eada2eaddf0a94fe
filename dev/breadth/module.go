//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// std stands for the standard library where a module's path stands.
const std = "std"

// module is the standard library, or a module in a directory of its own that may be written to.
type module struct {
	path, version, dir string
	copy               *tempdir.Place // dir of a module other than the standard library
}

// pkg is a package that has benchmarks.
type pkg struct {
	module
	importPath string
	functions  int // functions whose names begin with Benchmark
}

// label is the name by which -only and the tables know a package.
func (p pkg) label() string {
	if p.path == std {
		return std + "/" + p.importPath
	}
	return p.importPath
}

// environ is the environment of go and of tare in the module. The module's own go.sum may lack what its tests need.
func (m module) environ(work string) []string {
	env := append(os.Environ(), "TMPDIR="+work, "TARE_RUNLOG=off", "GOWORK=off")
	if m.path != std {
		env = append(env, "GOFLAGS=-mod=mod")
	}
	return env
}

// outside is a directory outside of any module, whose requirements would apply. In a directory of temporary files anybody can
// make a go.mod.
const outside = "/"

// download copies the latest version of a module from the module cache.
func download(ctx context.Context, path, work string) (module, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", path+"@latest")
	cmd.Dir = outside
	out, err := cmd.Output()
	var got struct{ Version, Dir, Error string }
	if e := json.Unmarshal(out, &got); e != nil || got.Error != "" || err != nil {
		return module{}, fmt.Errorf("go mod download %s: %s %w", path, got.Error, err)
	}
	place, err := tempdir.DirIn(work, "module")
	if err != nil {
		return module{}, err
	}
	m := module{path, got.Version, place.Path, place}
	if err := os.CopyFS(m.dir, os.DirFS(got.Dir)); err != nil { // its owner may write to the copies
		m.remove()
		return module{}, err
	}
	return m, nil
}

func (m module) remove() {
	m.copy.Remove()
}

// listed is what go list -json says of a package.
type listed struct {
	ImportPath, Dir           string
	TestGoFiles, XTestGoFiles []string
}

// packages returns the packages of the module that have benchmarks on this system.
func (m module) packages(ctx context.Context, work string) ([]pkg, error) {
	patterns := []string{"./..."}
	if m.path == std {
		patterns = []string{"std"}
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles"}, patterns...)...)
	cmd.Dir, cmd.Env = m.dir, m.environ(work)
	if m.path == std {
		cmd.Dir = outside
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", m.path, err)
	}
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var l listed
		if err := d.Decode(&l); err != nil {
			return nil, fmt.Errorf("go list %s: %w", m.path, err)
		}
		if n := l.benchmarks(); n > 0 && !isVendored(l.ImportPath) {
			all = append(all, pkg{m, l.ImportPath, n})
		}
	}
	slices.SortFunc(all, func(a, b pkg) int { return strings.Compare(a.importPath, b.importPath) })
	return all, nil
}

func isVendored(path string) bool {
	return strings.HasPrefix(path, "vendor/") || strings.Contains(path, "/vendor/")
}

var benchmarkFunction = regexp.MustCompile(`(?m)^func Benchmark(?:[^a-z(]\w*)?\(\w+ \*testing\.B\)`)

// benchmarks counts the benchmark functions of a package.
func (l listed) benchmarks() (n int) {
	for _, name := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err == nil {
			n += len(benchmarkFunction.FindAll(text, -1))
		}
	}
	return n
}
