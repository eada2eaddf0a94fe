package instrument

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// goPackage is a package of the build as the go command reports it.
type goPackage struct {
	ImportPath   string
	Name         string
	Dir          string
	ForTest      string
	Standard     bool
	DepOnly      bool
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	SFiles       []string
	Imports      []string
	Module       *goModule
	Error        *goError

	why       string          // why none of its functions can be instrumented, or ""
	assembly  map[string]bool // names that its assembly refers to
	intrinsic map[string]bool // functions whose calls the compiler replaces
}

type goModule struct {
	Path, Version, Dir string
	GoMod              string // in the module cache, if the module has none
	Main               bool
	Replace            *goModule
}

type goError struct{ Pos, Err string }

// listFields are the fields of goPackage that the go command sets.
const listFields = "ImportPath,Name,Dir,ForTest,Standard,DepOnly,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,SFiles,Imports,Module,Error"

// command returns the go command of the build.
func (c *Config) command() toolchain.Command {
	return toolchain.Command{Go: c.Go, Dir: c.Dir, Env: c.Env}
}

func (c *Config) patterns() []string {
	if len(c.Packages) == 0 {
		return []string{"."}
	}
	return c.Packages
}

// list returns the packages that patterns select, and with flag -deps all their dependencies. Each package occurs
// once, with its test files. It fails if one has an error.
func (c *Config) list(ctx context.Context, flags []string, patterns []string) ([]*goPackage, error) {
	all, err := c.listWithErrors(ctx, flags, patterns)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Error != nil {
			return nil, p.err()
		}
	}
	return all, nil
}

// err returns the error that go reports for a package.
func (p *goPackage) err() error {
	return fmt.Errorf("%s: %s", p.ImportPath, strings.TrimSpace(p.Error.Pos+" "+p.Error.Err))
}

// listWithErrors is list without failing for errors of packages.
func (c *Config) listWithErrors(ctx context.Context, flags []string, patterns []string) ([]*goPackage, error) {
	args := append([]string{"list", "-e", "-json=" + listFields}, flags...)
	args = append(append(args, c.Flags...), "--")
	out, _, err := c.command().Run(ctx, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []*goPackage
	byPath := make(map[string]*goPackage)
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		p := new(goPackage)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		if p.ForTest == "" && p.Error == nil && strings.HasSuffix(p.ImportPath, ".test") {
			continue // generated main package
		}
		p.ImportPath, _, _ = strings.Cut(p.ImportPath, " [")
		if have := byPath[p.ImportPath]; have != nil {
			have.merge(p)
			continue
		}
		byPath[p.ImportPath] = p
		all = append(all, p)
	}
}

// merge adds the files of the same package as built for a test.
func (p *goPackage) merge(o *goPackage) {
	for _, f := range o.GoFiles {
		if !slices.Contains(p.GoFiles, f) {
			p.GoFiles = append(p.GoFiles, f)
		}
	}
	p.DepOnly = p.DepOnly && o.DepOnly
	if p.Error == nil {
		p.Error = o.Error
	}
}

// build returns the packages of the build.
func (c *Config) build(ctx context.Context, t *toolchain.Toolchain) ([]*goPackage, error) {
	flags := []string{"-deps"}
	if c.Tests {
		flags = append(flags, "-test")
	}
	all, err := c.list(ctx, flags, c.patterns())
	if err != nil {
		return nil, err
	}
	below, err := c.runtimeDeps(ctx, all)
	if err != nil {
		return nil, err
	}
	known := readIntrinsics(t)
	for _, p := range all {
		if p.Standard {
			p.intrinsic = known[p.ImportPath]
		}
		switch {
		case below[p.ImportPath], p.ImportPath == "sync/atomic", p.ImportPath == "unsafe":
			p.why = "package runtime imports its package"
		case p.ImportPath == "syscall" || strings.HasPrefix(p.ImportPath, "internal/syscall/"):
			p.why = "its package contains code that runs between fork and exec"
		case strings.HasPrefix(p.ImportPath, "runtime/"):
			p.why = "its package is part of the runtime"
		case p.Standard && within(t.ModCache, p.Dir) && !within(t.Root, p.Dir):
			p.why = "GOFIPS140 takes its package from a frozen module, to which go applies no overlay"
		}
		if p.assembly, err = assemblyCalls(t.Overlay, p.Dir, p.SFiles); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// runtimeDeps returns package runtime and its dependencies. all are the packages of the build, which may lack
// package runtime if they are libraries.
func (c *Config) runtimeDeps(ctx context.Context, all []*goPackage) (map[string]bool, error) {
	imports := make(map[string][]string)
	for _, p := range all {
		imports[p.ImportPath] = p.Imports
	}
	below := make(map[string]bool)
	if imports["runtime"] == nil {
		list, err := c.list(ctx, []string{"-deps"}, []string{"runtime"})
		for _, p := range list {
			below[p.ImportPath] = true
		}
		return below, err
	}
	todo := []string{"runtime"}
	for len(todo) > 0 {
		path := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !below[path] {
			below[path] = true
			todo = append(todo, imports[path]...)
		}
	}
	return below, nil
}

// files returns the paths of a package's Go files.
func (p *goPackage) files() []string {
	var out []string
	for _, f := range append(p.GoFiles[:len(p.GoFiles):len(p.GoFiles)], p.CgoFiles...) {
		if !filepath.IsAbs(f) {
			f = filepath.Join(p.Dir, f)
		}
		out = append(out, f)
	}
	return out
}
