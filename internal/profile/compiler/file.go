package compiler

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// version is that of a module in the path of a file: "golang.org/x/perf@v0.1.0/benchfmt/files.go".
var version = regexp.MustCompile(`@[^/]*`)

// fileOf returns the name of a file, and whether it is one of a package. file is the path that the compiler writes under
// -trimpath: it begins with the import path. Code of other packages is compiled with a package that gives it type
// arguments, and inlined functions may be in other files.
func fileOf(pkg, file string) (name string, own bool) {
	dir, name := path.Split(version.ReplaceAllString(filepath.ToSlash(file), ""))
	dir = strings.TrimSuffix(dir, "/")
	return name, dir == pkg || dir+"_test" == pkg
}
