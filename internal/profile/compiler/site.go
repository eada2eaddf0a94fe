package compiler

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Site is where and how the packages of one side are compiled.
type Site struct {
	Dir   string   // where the go command runs; default: the current directory
	Flags []string // its flags, as for the test binary
	Env   []string // its complete environment; nil: that of this process

	Pkg  string   // import path of the package whose tests are compiled
	Also []string // import paths of further packages whose notes are collected

	// Binary is the test binary that is measured, from which sizes and frames are read. "": the one that is built for the
	// notes.
	Binary string

	// Benchmarks are the names of benchmark functions, such as "BenchmarkX", from which functions are reached. None: all of
	// the package.
	Benchmarks []string
}

// output is what one run of the compiler gave.
type output struct {
	text   string // of the go command
	json   string // directory of the JSON
	binary string
	dirs   map[string]string // directory by import path
	over   toolchain.Overlay

	gcflags string // of the user, those for other packages included
	work    *tempdir.Place
}

// compile compiles the packages with notes. The caller removes work.
func (s *Site) compile(ctx context.Context) (c *output, err error) {
	work, err := tempdir.Dir("compiler")
	if err != nil {
		return nil, err
	}
	c = &output{work: work, json: filepath.Join(work.Path, "json"), binary: filepath.Join(work.Path, "notes.test")}
	defer func() {
		if err != nil {
			work.Remove()
		}
	}()
	cmd := toolchain.Command{Dir: s.Dir, Env: s.Env}
	tools, err := toolchain.Find(ctx, cmd, s.Flags...)
	if err != nil {
		return nil, err
	}
	c.over, c.gcflags = tools.Overlay, strings.Join(tools.Flags.All("gcflags"), "; ")
	if c.dirs, err = s.directories(ctx, cmd); err != nil {
		return nil, err
	}
	args := append([]string{"test", "-c"}, s.Flags...)
	for pkg := range c.dirs {
		args = append(args, "-gcflags="+pkg+"="+noteFlags(userFlags(tools.Flags.All("gcflags"), pkg, pkg == s.Pkg), c.json))
	}
	if _, set := tools.Flags.Last("ldflags"); s.Binary != "" && !set {
		args = append(args, "-ldflags=-s -w") // it is not read
	}
	args = append(args, "-vet=off", "-trimpath", "-buildvcs=false", "-o", c.binary, s.Pkg)
	_, c.text, err = cmd.Run(ctx, args...)
	return c, err
}

// directories returns the directories of the packages.
func (s *Site) directories(ctx context.Context, cmd toolchain.Command) (map[string]string, error) {
	args := append([]string{"list", "-json=ImportPath,Dir"}, s.Flags...)
	out, _, err := cmd.Run(ctx, append(append(args, "--", s.Pkg), s.Also...)...)
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{}
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var p struct{ ImportPath, Dir string }
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		dirs[p.ImportPath] = p.Dir
	}
	if dirs[s.Pkg] == "" {
		return nil, fmt.Errorf("%s: go list does not name its directory", s.Pkg)
	}
	return dirs, nil
}

// noteFlags returns the flags of the compiler for notes, behind those of the user.
func noteFlags(user, dir string) string {
	json := "-json=0," + dir
	if strings.ContainsAny(json, " \t'") {
		json = `"` + json + `"`
	}
	return strings.TrimSpace(user + " -m=2 -d=ssa/check_bce/debug=1,pgodebug=1 " + json)
}

// userFlags returns the compiler flags that the values of -gcflags give a package. named says that the package is named
// on the command line of go: only to such ones a value without a pattern applies. As in go, the last match counts.
func userFlags(values []string, pkg string, named bool) string {
	out := ""
	for _, v := range values {
		v = strings.TrimSpace(v)
		pattern, flags, ok := strings.Cut(v, "=")
		switch {
		case v == "" || strings.HasPrefix(v, "-") || strings.HasPrefix(v, "'") || strings.HasPrefix(v, `"`):
			if named {
				out = v
			}
		case ok && toolchain.Matches(pattern, pkg):
			out = flags
		}
	}
	return out
}
