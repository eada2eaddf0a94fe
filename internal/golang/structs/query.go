package structs

import (
	"cmp"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query says which structs are asked for.
type Query struct {
	Packages []string // as go has them; default: the one in Dir
	Types    []Want   // default: all structs
	Arch     string   // as in GOARCH; default: that of the environment, or this machine's
	Tags     string   // build tags, comma separated
	Dir      string   // where go runs; default: the current directory
}

// Want is a type that is asked for.
type Want struct {
	Package string // default: all packages of the query
	Type    string // as in Go, with arguments: "Ring", "Ring[int]"
}

func (q Query) arch() string {
	return cmp.Or(q.Arch, os.Getenv("GOARCH"), runtime.GOARCH)
}

// patterns returns all packages that are mentioned.
func (q Query) patterns() []string {
	all := slices.Clone(q.Packages)
	for _, w := range q.Types {
		if w.Package != "" {
			all = append(all, w.Package)
		}
	}
	if len(all) == 0 || slices.ContainsFunc(q.Types, func(w Want) bool { return w.Package == "" }) && len(q.Packages) == 0 {
		all = append(all, ".")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ParseArgs tells packages from types in the arguments of a command.
//
// An argument is a type if it is an exported name, such as SPSC or Ring[int], or
// if a dot and a name are behind the last slash: sync.Pool, ./queue.SPSC,
// example.org/queue.spsc, and .spsc for a type of the current package. All else is
// a package: ., ./queue, ./..., sync. A last part like that of gopkg.in/yaml.v3, or
// the name of a directory that exists, is one too.
func ParseArgs(dir string, args []string) (q Query) {
	q.Dir = dir
	for _, arg := range args {
		if w, ok := parseWant(dir, arg); ok {
			q.Types = append(q.Types, w)
		} else {
			q.Packages = append(q.Packages, arg)
		}
	}
	return q
}

func parseWant(dir, arg string) (w Want, ok bool) {
	path, arguments := arg, ""
	if i := strings.IndexByte(arg, '['); i >= 0 {
		path, arguments = arg[:i], arg[i:]
	}
	first, _ := utf8.DecodeRuneInString(path)
	if token.IsIdentifier(path) && (unicode.IsUpper(first) || arguments != "") {
		return Want{Type: arg}, true
	}
	slash := strings.LastIndexAny(path, `/\`)
	dot := strings.LastIndexByte(path, '.')
	if dot <= slash || !token.IsIdentifier(path[dot+1:]) {
		return Want{}, false
	}
	if arguments == "" && (isVersion(path[dot+1:]) && slash >= 0 || isDir(dir, path)) {
		return Want{}, false
	}
	pkg := path[:dot]
	switch {
	case pkg == "":
		pkg = "."
	case strings.HasSuffix(pkg, "/") && pkg != "/":
		pkg = strings.TrimSuffix(pkg, "/") // ./queue/.spsc
	}
	return Want{Package: pkg, Type: path[dot+1:] + arguments}, true
}

// isVersion reports whether a name is the end of a path like gopkg.in/yaml.v3.
func isVersion(name string) bool {
	digits, ok := strings.CutPrefix(name, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

func isDir(dir, path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// ParseTypes reads names of types in binaries, with the path of their package,
// its last part, or none.
func ParseTypes(args []string) (types []Want) {
	for _, arg := range args {
		pkg, name := "", arg
		if i := split(arg); i >= 0 {
			head, _, _ := strings.Cut(arg, "[")
			i = strings.LastIndexByte(head, '.') // the path of a package may have dots in its last part
			pkg, name = arg[:i], arg[i+1:]
		}
		types = append(types, Want{pkg, name})
	}
	return types
}
