package profile

import (
	"regexp"
	"strings"
)

// majorVersion matches a path's last element such as v2, which is not part of the package's name.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// pathVersion matches that of gopkg.in, as it is and as linkers write it.
var pathVersion = regexp.MustCompile(`(\.|%2e)v[0-9]+$`)

// WithoutPath returns the name of a function without the path before its package's name:
// text.(*Reader).Value of github.com/x/mark/text.(*Reader).Value, and chi.NewRouter of
// github.com/go-chi/chi/v5.NewRouter.
func WithoutPath(name string) string {
	head, _, _ := strings.Cut(name, "[") // slashes of type arguments are no path
	slash := strings.LastIndexByte(head, '/')
	if slash < 0 {
		return name
	}
	pkg, rest := name[slash+1:], ""
	if dot := strings.IndexByte(head[slash+1:], '.'); dot >= 0 {
		pkg, rest = pkg[:dot], pkg[dot:]
	}
	if majorVersion.MatchString(pkg) {
		before := head[:slash]
		pkg = before[strings.LastIndexByte(before, '/')+1:]
	}
	return pathVersion.ReplaceAllString(pkg, "") + rest
}

// separates the functions of an edge.
const separates = " > "

// withoutPaths applies WithoutPath to both names of an edge.
func withoutPaths(names string) string {
	parts := strings.Split(names, separates)
	for i, p := range parts {
		parts[i] = WithoutPath(p)
	}
	return strings.Join(parts, separates)
}
