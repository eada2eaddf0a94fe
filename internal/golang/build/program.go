package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// programDir is the last element of the directory that the main package of [Program] seems to be in.
const programDir = "tareprogram"

// Program builds a program of a package that Resolve found, or takes it from the cache. The program's main package has
// texts as files, by name, and imports that package; to go it is a directory below that of the package, so that it may
// also be an internal one, or below the main module if the package is of another. Errors are those of [Build].
//
// What the texts import must be among the dependencies of the package: others may lack an entry in go.sum.
func Program(ctx context.Context, opt Options, p Package, texts map[string]string) (Binary, error) {
	start := time.Now()
	if err := opt.Validate(); err != nil {
		return Binary{}, err
	}
	if p.Error != nil {
		return Binary{}, p.Error
	}
	b, err := inCache(opt, p, func(c *cache, at place) (Binary, error) { return c.program(ctx, opt, p, at, texts) })
	b.Took = time.Since(start)
	return b, err
}

func (c *cache) program(ctx context.Context, opt Options, p Package, at place, texts map[string]string) (Binary, error) {
	env, err := opt.goEnv(ctx, at)
	if err != nil {
		return Binary{}, err
	}
	dir, err := opt.placeOfProgram(ctx, p, at)
	if err != nil {
		return Binary{}, err
	}
	also, err := ownOverlay(opt, at, env["GOFLAGS"])
	if err != nil {
		return Binary{}, err
	}
	file, err := toolchain.Package(dir, texts).Write(filepath.Join(c.root, "overlay"), also)
	if err != nil {
		return Binary{}, fmt.Errorf("cache: %w", err)
	}
	at.flags = append(slices.Clone(at.flags), "-overlay="+file)
	return c.link(opt, p, at, env, "", func(target string) error { return goBuild(ctx, opt, p, at, target, dir) })
}

// placeOfProgram returns the directory of the main package.
func (o Options) placeOfProgram(ctx context.Context, p Package, at place) (string, error) {
	dir := p.Dir
	if p.Version != "" { // go replaces nothing in its module cache
		out, _, err := o.capture(ctx, at, "env", "GOMOD")
		if err != nil {
			return "", explainFailure("go env GOMOD", err)
		}
		dir = filepath.Dir(strings.TrimSpace(string(out)))
	}
	dir = filepath.Join(dir, programDir)
	if _, err := os.Lstat(dir); err == nil {
		return "", &Error{Input: dir, Msg: "the program would be built in a directory of this name", Hint: "rename it"}
	}
	return dir, nil
}

// goBuild makes go write the program in dir to target, unless it exists and is up to date. See goTest for the flags.
func goBuild(ctx context.Context, opt Options, p Package, at place, target, dir string) error {
	args := append([]string{"build"}, opt.flags(at.flags)...)
	args = append(args, "-trimpath", "-buildvcs=false", "-o", target, dir)
	if _, err := opt.combined(ctx, at, args...); err != nil {
		return compileError(p.ImportPath, err)
	}
	return nil
}
