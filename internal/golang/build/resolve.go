package build

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Resolve returns the packages that the patterns select, in the order of the patterns, without repetition. Patterns
// are those of the go command (".", "./...", "sort", "encoding/...", packages of required modules), and path@version
// for a package, or path/...@version for all packages, of any module. The version may be any that `go get` accepts,
// and is looked up each time unless it is exact. The default pattern is ".".
//
// A pattern that selects nothing becomes a Package with only an Error, so that the other packages can be used.
// Resolve itself fails if there is no go command, if options contradict each other, and if ctx ends.
func Resolve(ctx context.Context, opt Options, patterns []string) ([]Package, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	dir, err := opt.dir()
	if err != nil {
		return nil, err
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	var pkgs []Package
	var plain []string
	for _, pattern := range patterns {
		switch refusal := checkPattern(dir, pattern); {
		case refusal != nil:
			pkgs = append(pkgs, errorPackage(pattern, refusal))
		case isVersioned(pattern):
			found, err := resolveVersion(ctx, opt, dir, pattern)
			if err != nil {
				return nil, err
			}
			pkgs = append(pkgs, found...)
		default:
			plain = append(plain, pattern)
		}
	}
	found, err := list(ctx, opt, place{dir: dir}, plain)
	if err != nil {
		return nil, err
	}
	return inOrder(append(pkgs, found...), patterns), nil
}

// errorPackage returns a package that contains only an error.
func errorPackage(pattern string, err error) Package {
	return Package{Pattern: pattern, ImportPath: pattern, Error: err}
}

// checkPattern returns an error for a pattern that would change how go treats the others, and for a path that does not
// exist, before go says less about it.
func checkPattern(dir, pattern string) error {
	missing := toolchain.Missing(dir, pattern)
	switch {
	case pattern == "":
		return &Error{Input: `""`, Msg: "an empty package pattern", Hint: ". selects the package in this directory", Absent: true}
	case strings.HasPrefix(pattern, "-"):
		return &Error{Input: pattern, Msg: "a flag instead of a package", Absent: true}
	case missing != "":
		return &Error{Input: pattern, Msg: "no such " + missing, Absent: true}
	case strings.HasSuffix(pattern, ".go"):
		file := pattern
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, pattern)
		}
		if fi, err := os.Stat(file); err != nil || !fi.IsDir() {
			return &Error{Input: pattern, Msg: "a file, not a package", Hint: "give its directory: " + local(filepath.Dir(pattern)), Absent: true}
		}
	}
	return nil
}

// local returns a directory as a pattern of go.
func local(dir string) string {
	if dir == "." || filepath.IsAbs(dir) || strings.HasPrefix(dir, ".") {
		return dir
	}
	return "./" + filepath.ToSlash(dir)
}

// isVersioned reports whether a pattern is path@version, and not a directory with an @ in its name.
func isVersioned(pattern string) bool {
	return strings.Contains(pattern, "@") && !toolchain.IsLocal(pattern)
}

func isWild(pattern string) bool {
	return strings.Contains(pattern, "...") || pattern == "all" || pattern == "std" || pattern == "cmd"
}

// unmatched matches the warning of go list about a pattern with ... that matches nothing.
var unmatched = regexp.MustCompile(`(?m)^go: warning: "(.*)" matched no packages$`)

// list returns the packages that patterns select at a place. If go fails for all patterns together, list runs it for
// each one.
func list(ctx context.Context, opt Options, at place, patterns []string) ([]Package, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	args := append([]string{"list", "-e", listFields}, opt.flags(at.flags)...)
	out, stderr, err := opt.capture(ctx, at, append(append(args, "--"), patterns...)...)
	if f := (*goFailure)(nil); errors.As(err, &f) {
		return listEach(ctx, opt, at, patterns, f)
	} else if err != nil {
		return nil, err
	}
	found, err := decodeList(out)
	if err != nil {
		return nil, err
	}
	var pkgs []Package
	for _, l := range found {
		pkgs = append(pkgs, newPackage(l, originalPattern(l, patterns), at))
	}
	for _, m := range unmatched.FindAllStringSubmatch(stderr, -1) {
		pattern := originalPattern(listed{Match: m[1:]}, patterns)
		pkgs = append(pkgs, errorPackage(pattern, &Error{Input: pattern, Msg: "matches no packages", Output: stderr, Absent: true}))
	}
	return pkgs, nil
}

func listEach(ctx context.Context, opt Options, at place, patterns []string, f *goFailure) ([]Package, error) {
	if len(patterns) == 1 {
		return []Package{errorPackage(patterns[0], explainFailure(patterns[0], f))}, nil
	}
	var pkgs []Package
	for i := range patterns {
		found, err := list(ctx, opt, at, patterns[i:i+1])
		if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, found...)
	}
	return pkgs, nil
}

// originalPattern returns the pattern that selected l as the user typed it: go prints relative patterns in a clean
// form.
func originalPattern(l listed, patterns []string) string {
	for _, p := range patterns {
		clean := p
		if toolchain.IsLocal(p) && !filepath.IsAbs(p) {
			if clean = path.Clean(filepath.ToSlash(p)); clean != "." && !strings.HasPrefix(clean, "..") {
				clean = "./" + clean
			}
		}
		if slices.Contains(l.Match, p) || slices.Contains(l.Match, clean) {
			return p
		}
	}
	if len(l.Match) > 0 {
		return l.Match[0]
	}
	return l.ImportPath
}

// inOrder sorts packages by their pattern and drops repetitions.
func inOrder(pkgs []Package, patterns []string) []Package {
	place := make(map[string]int)
	for i, p := range slices.Backward(patterns) {
		place[p] = i
	}
	slices.SortStableFunc(pkgs, func(a, b Package) int { return cmp.Compare(place[a.Pattern], place[b.Pattern]) })
	type key struct{ path, version, dir string }
	seen := make(map[key]bool)
	return slices.DeleteFunc(pkgs, func(p Package) bool {
		k := key{p.ImportPath, p.Version, p.Dir}
		defer func() { seen[k] = true }()
		return seen[k]
	})
}
