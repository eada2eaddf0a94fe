package build

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// ErrDeep is wrapped by the error of a package that cannot be built with hooks in package testing.
// Without [Options.Deep] it can be built.
var ErrDeep = errors.New("cannot be built with hooks")

func errNoHooks(p Package, why error) error {
	return &Error{
		Input: p.ImportPath, Msg: "cannot be measured in depth: " + why.Error(),
		Hint: "without --deep it can be measured", Err: fmt.Errorf("%w: %w", ErrDeep, why),
	}
}

// addHooks returns the place where go builds with a patched package testing. env are go's settings at the place
// without the patch.
func (c *cache) addHooks(opt Options, p Package, at place, env map[string]string) (place, error) {
	root, err := toolchain.ReplaceableRoot(filepath.Join(c.root, "overlay"), env["GOROOT"], env["GOMODCACHE"])
	if err != nil {
		return place{}, fmt.Errorf("cache: %w", err)
	}
	tools := &toolchain.Toolchain{Root: root, Version: env["GOVERSION"], OS: env["GOOS"], Arch: env["GOARCH"]}
	patch, err := toolchain.Testing(tools, opt.Parts...)
	if err != nil {
		return place{}, errNoHooks(p, err)
	}
	also, err := ownOverlay(opt, at, env["GOFLAGS"])
	if err != nil {
		return place{}, err
	}
	also = also.Rerooted(env["GOROOT"], root)
	if both := patch.Conflicts(slices.Sorted(maps.Keys(also))...); len(both) > 0 {
		return place{}, errNoHooks(p, fmt.Errorf("the build's own -overlay replaces %s, too", both[0]))
	}
	file, err := patch.Write(filepath.Join(c.root, "overlay"), also)
	if err != nil {
		return place{}, fmt.Errorf("cache: %w", err)
	}
	at.flags = append(slices.Clone(at.flags), "-overlay="+file)
	if root != env["GOROOT"] {
		at.root = root
		at.env = append(slices.Clone(at.env), toolchain.GoEnv(root)...)
	}
	return at, nil
}

// ownOverlay returns the overlay named by the build's own flags, or nil.
func ownOverlay(opt Options, at place, goflags string) (toolchain.Overlay, error) {
	o, err := toolchain.ReadOverlay(at.dir, toolchain.ParseFlags(goflags, opt.flags(at.flags)...))
	if e := (*toolchain.OverlayError)(nil); errors.As(err, &e) {
		return nil, &Error{Input: "-overlay=" + e.File, Msg: e.Why, Err: e.Err}
	}
	return o, err
}

// hooksFailed matches errors of the compiler in package testing.
var hooksFailed = regexp.MustCompile(`(?m)^# testing(?: \[.*\])?\n(?:vet: )?(.*)`)

// hooksError returns an error that wraps ErrDeep if err says that the hooks did not compile.
func hooksError(p Package, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	m := hooksFailed.FindStringSubmatch(e.Output)
	if m == nil {
		return err
	}
	out := errNoHooks(p, errors.New("package testing does not compile with hooks: "+m[1])).(*Error)
	out.Output = e.Output
	return out
}
