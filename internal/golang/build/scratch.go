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

// A pattern path@version is built from a scratch module: a directory with a go.mod that requires the module and the
// dependencies of its tests. It is created in a temporary directory and then moved to one named after the path and
// the resolved version, and does not change after that. So several processes can share it, and an exact version that
// was used before needs no network. If a module's go.mod does not name a dependency of its tests, `go get` takes the
// latest version at the first use.

// scratchMod starts at Go 1.17 because `go get` raises the version to that of the module and never lowers it. The
// version in the main go.mod determines the defaults of GODEBUG, which should be those of the module.
const scratchMod = "// Made by tare to build a package of another module.\nmodule tare.scratch\n\ngo 1.17\n"

// exactVersion matches versions that always select the same code.
var exactVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)

// resolveVersion resolves one pattern path@version. dir is the user's directory: its GOFLAGS apply, its module
// does not.
func resolveVersion(ctx context.Context, opt Options, dir, pattern string) ([]Package, error) {
	target, version, _ := strings.Cut(pattern, "@")
	c, err := openCache(opt.CacheDir)
	if err != nil {
		return nil, err
	}
	pkgs, err := scratchPackages(ctx, opt, c, dir, pattern)
	switch {
	case c.temporary == nil:
	case err != nil || len(pkgs) == 0:
		c.remove()
	default:
		for i := range pkgs {
			pkgs[i].temp = c.temporary
		}
	}
	if e := (*Error)(nil); errors.As(err, &e) && e.Input == pattern {
		return []Package{errorPackage(pattern, e)}, nil
	}
	for i, p := range pkgs {
		pkgs[i].Pattern = pattern
		if e := (*Error)(nil); errors.As(p.Error, &e) && e.Input == target && !isWild(target) {
			pkgs[i].Error = errNoPackage(pattern, target, version, e)
		}
	}
	return pkgs, err
}

// errNoPackage returns the error for a module, or a directory in one, that contains packages but is not one.
func errNoPackage(pattern, target, version string, e *Error) error {
	return &Error{
		Input: pattern, Output: e.Output, Err: e.Err, Msg: e.Msg,
		Hint: fmt.Sprintf("%s/...@%s selects the packages below it", strings.TrimSuffix(target, "/..."), version),
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

	tmp, err := c.workDir()
	if err != nil {
		return nil, err
	}
	defer tmp.Remove()
	work := tmp.Path
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
	if err := installScratch(work, final); err != nil {
		return nil, err
	}
	for i := range pkgs {
		pkgs[i].at.dir = final
	}
	return pkgs, nil
}

// scratchPlace returns the place of a scratch module, without its directory. GOFLAGS is the user's, followed by -mod
// and -modfile, because `go get` does not accept these on its command line.
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

// scratchDir returns the directory of the scratch module of target at version.
func (c *cache) scratchDir(target, version string) string {
	id := target + "@" + version
	sum := sha256.Sum256([]byte(id))
	name := strings.Trim(path.Base(strings.TrimSuffix(target, "/...")), ".")
	return filepath.Join(c.root, "mod", fmt.Sprintf("%s@%s-%x", name, version, sum[:8]))
}

// installScratch moves a complete scratch module to its directory. It keeps an existing complete one and replaces one
// without a go.mod.
func installScratch(work, final string) error {
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
	// Other processes were faster twice, or the cache was removed.
	if _, err := os.Stat(filepath.Join(final, "go.mod")); err != nil {
		return fmt.Errorf("scratch module: %w", err)
	}
	return nil
}
