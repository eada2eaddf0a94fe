package gofunc

import "strings"

// WithoutTypeArgs returns the name of a function without its type arguments: "m.F[...].func1" is "m.F.func1".
func WithoutTypeArgs(name string) string {
	if !strings.Contains(name, "[") {
		return name
	}
	var b strings.Builder
	depth := 0
	for _, r := range name {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// LinkName returns the name that a function of a package has in a binary: the linker writes dots in the last element of
// the package's path as %2e.
func LinkName(pkg, name string) string {
	i := strings.LastIndexByte(pkg, '/') + 1
	return pkg[:i] + strings.ReplaceAll(pkg[i:], ".", "%2e") + "." + name
}
