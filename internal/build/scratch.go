package build

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// A pattern path@version is built from a scratch module, a directory with a
// go.mod that requires the module and what its tests need. It is made in a
// temporary directory and moved, complete, to a place that depends on nothing
// but the path and the version that was found; from then on it never changes.
// So several tares can share it, and an exact version that was used before
// needs no network. Where a module's go.mod is silent about a dependency of
// its tests, `go get` takes the latest: the first look decides.

// scratchMod starts at Go 1.17 because `go get` raises the version to what the
// module asks for and never lowers it. The version in the main go.mod chooses
// the defaults of GODEBUG, and these should be the module's own.
const scratchMod = "// Made by tare to build a package of another module.\nmodule tare.scratch\n\ngo 1.17\n"

// exactVersion is a version that always means the same.
var exactVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)

// resolveVersion resolves one pattern path@version. dir is where the user is;
// its GOFLAGS hold, its module does not.
func resolveVersion(ctx context.Context, opt Options, dir, pattern string) ([]Package, error) {
	target, version, _ := strings.Cut(pattern, "@")
	c, err := openCache(opt.CacheDir)
	if err != nil {
		return nil, err
	}
	pkgs, err := scratchPackages(ctx, opt, c, dir, pattern)
	switch {
	case !c.temporary:
	case err != nil || len(pkgs) == 0:
		c.remove()
	default:
		for i := range pkgs {
			pkgs[i].temp = c.root
		}
	}
	if e := (*Error)(nil); errors.As(err, &e) && e.Input == pattern {
		return []Package{failed(pattern, e)}, nil
	}
	for i, p := range pkgs {
		pkgs[i].Pattern = pattern
		if e := (*Error)(nil); errors.As(p.Error, &e) && e.Input == target && !isWild(target) {
			pkgs[i].Error = noPackageThere(pattern, target, version, e)
		}
	}
	return pkgs, err
}

// noPackageThere is the error for a module, or a directory in one, that holds
// packages but is none.
func noPackageThere(pattern, target, version string, e *Error) error {
	return &Error{
		Input: pattern, Output: e.Output, Err: e.Err, Msg: e.Msg,
		Hint: fmt.Sprintf("%s/...@%s names the packages below it", strings.TrimSuffix(target, "/..."), version),
	}
}

func scratchPackages(ctx context.Context, opt Options, c *cache, dir, pattern string) ([]Package, error) {
	target, version, _ := strings.Cut(pattern, "@")
	at, err := scratchPlace(ctx, opt, dir)
	if err != nil {
		return nil, err
	}
	if exactVersion.MatchString(version) {
		at.dir = c.scratchDir(target, version)
		if pkgs, err := list(ctx, opt, at, []string{target}); err == nil && anyGood(pkgs) {
			touch(at.dir)
			return pkgs, nil
		}
	}

	work, err := c.workDir()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	at.dir = work
	if err := os.WriteFile(filepath.Join(work, "go.mod"), []byte(scratchMod), 0o666); err != nil {
		return nil, fmt.Errorf("scratch module: %w", err)
	}
	if _, err := opt.combined(ctx, at, "get", "-t", pattern); err != nil {
		return nil, explainFailure(pattern, err)
	}
	pkgs, err := list(ctx, opt, at, []string{target})
	if err != nil || !anyGood(pkgs) {
		return pkgs, err
	}
	for _, p := range pkgs {
		if p.Version != "" {
			version = p.Version
			break
		}
	}
	final := c.scratchDir(target, version)
	if err := install(work, final); err != nil {
		return nil, err
	}
	for i := range pkgs {
		pkgs[i].at.dir = final
	}
	return pkgs, nil
}

// scratchPlace is where go runs for a scratch module, but for the directory.
// GOFLAGS is taken over; its last word on -mod and -modfile is ours, for `go
// get` knows no such flags on its command line.
func scratchPlace(ctx context.Context, opt Options, dir string) (place, error) {
	out, _, err := opt.capture(ctx, place{dir: dir}, "env", "GOFLAGS")
	if err != nil {
		return place{}, explainFailure("go env GOFLAGS", err)
	}
	goflags := strings.TrimSpace(string(out)) + " -mod=mod -modfile="
	return place{
		env:   []string{"GOFLAGS=" + strings.TrimSpace(goflags), "GOWORK=off", "GO111MODULE=on"},
		flags: []string{"-mod=mod"},
	}, nil
}

func anyGood(pkgs []Package) bool {
	for _, p := range pkgs {
		if p.Error == nil {
			return true
		}
	}
	return false
}

// scratchDir is where the scratch module of target at version is kept.
func (c *cache) scratchDir(target, version string) string {
	id := target + "@" + version
	sum := sha256.Sum256([]byte(id))
	name := strings.Trim(path.Base(strings.TrimSuffix(target, "/...")), ".")
	return filepath.Join(c.root, "mod", fmt.Sprintf("%s@%s-%x", name, version, sum[:8]))
}

// install moves a complete scratch module to its place. One that is there and
// complete is as good; one that lost its go.mod is replaced.
func install(work, final string) error {
	for range 2 {
		if _, err := os.Stat(filepath.Join(final, "go.mod")); err == nil {
			touch(final)
			return nil
		}
		os.RemoveAll(final)
		if err := os.Rename(work, final); err == nil {
			return nil
		}
	}
	// Somebody else was faster, twice; or the cache broke under us.
	if _, err := os.Stat(filepath.Join(final, "go.mod")); err != nil {
		return fmt.Errorf("scratch module: %w", err)
	}
	return nil
}
