package samecode

import (
	"slices"
	"strings"
)

// rootNames returns the names of a benchmark's function and of its closures in a binary, sorted. Test files may be in
// the package itself or in the one beside it whose name ends in _test.
func (b *Binary) rootNames(pkg, benchmark string) []string {
	var names []string
	for _, p := range []string{escape(pkg), escape(pkg + "_test")} {
		root := p + "." + benchmark
		for name := range b.byName {
			if name == root || strings.HasPrefix(name, root+".") {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// escape returns the path of a package as it stands in the names of its functions: the linker writes dots after the last
// slash as %2e (cmd/internal/objabi.PathToPrefix).
func escape(path string) string {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i] + strings.ReplaceAll(path[i:], ".", "%2e")
}

// kind says how far a function is followed.
type kind int

const (
	own      kind = iota // compared, and what it calls
	standard             // of the standard library: compared if other code calls it
	excluded             // of the runtime or of package testing: not compared
)

// kindOf returns the kind of a function, by its name and the package of the benchmark.
func kindOf(function, pkg string) kind {
	path := packageOf(function)
	first, _, _ := strings.Cut(path, "/")
	firstOfPkg, _, _ := strings.Cut(pkg, "/")
	switch {
	case path == "", path == "runtime", first == "runtime", path == "testing", first == "testing", strings.HasPrefix(path, "internal/runtime/"):
		return excluded
	case strings.Contains(first, "."), first == firstOfPkg, strings.TrimSuffix(first, "_test") == firstOfPkg, strings.HasPrefix(function, "type:"):
		return own
	}
	return standard
}

// packageOf returns the path of a function's package, "" for assembly functions without one.
func packageOf(function string) string {
	name, _, _ := strings.Cut(function, "[") // type arguments contain paths, too
	i := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[i:], '.')
	if dot < 0 {
		return ""
	}
	return name[:i+dot]
}
