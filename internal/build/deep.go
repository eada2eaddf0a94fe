package build

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/tarebench/tare/internal/toolchain"
)

// ErrDeep is wrapped by the error of a package that cannot be built with hooks in package testing.
// Without [Options.Deep] it can be built.
var ErrDeep = errors.New("cannot be built with hooks")

func noHooks(p Package, why error) error {
	return &Error{
		Input: p.ImportPath, Msg: "cannot be measured in depth: " + why.Error(),
		Hint: "without --deep it can be measured all the same", Err: fmt.Errorf("%w: %w", ErrDeep, why),
	}
}

// deepen returns the place at which go sees package testing with hooks. env are go's settings at the
// place without them.
func (c *cache) deepen(opt Options, p Package, at place, env map[string]string) (place, error) {
	root, err := toolchain.ReplaceableRoot(filepath.Join(c.root, "overlay"), env["GOROOT"], env["GOMODCACHE"])
	if err != nil {
		return place{}, fmt.Errorf("cache: %w", err)
	}
	tools := &toolchain.Toolchain{Root: root, Version: env["GOVERSION"], OS: env["GOOS"], Arch: env["GOARCH"]}
	patch, err := toolchain.Testing(tools, opt.Parts...)
	if err != nil {
		return place{}, noHooks(p, err)
	}
	also, err := ownOverlay(opt, at, env["GOFLAGS"])
	if err != nil {
		return place{}, err
	}
	also = also.Rerooted(env["GOROOT"], root)
	if both := patch.Conflicts(slices.Sorted(maps.Keys(also))...); len(both) > 0 {
		return place{}, noHooks(p, fmt.Errorf("the build's own -overlay replaces %s, too", both[0]))
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

// ownOverlay returns the overlay that the build's own flags name; nil if they name none.
func ownOverlay(opt Options, at place, goflags string) (toolchain.Overlay, error) {
	o, err := toolchain.ReadOverlay(at.dir, toolchain.ParseFlags(goflags, opt.flags(at.flags)...))
	if e := (*toolchain.OverlayError)(nil); errors.As(err, &e) {
		return nil, &Error{Input: "-overlay=" + e.File, Msg: e.Why, Err: e.Err}
	}
	return o, err
}

// hooksFailed matches errors of the compiler in package testing.
var hooksFailed = regexp.MustCompile(`(?m)^# testing(?: \[.*\])?\n(?:vet: )?(.*)`)

// blameHooks returns an error that wraps ErrDeep if err is that the hooks did not compile.
func blameHooks(p Package, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	m := hooksFailed.FindStringSubmatch(e.Output)
	if m == nil {
		return err
	}
	out := noHooks(p, errors.New("package testing does not compile with hooks: "+m[1])).(*Error)
	out.Output = e.Output
	return out
}
