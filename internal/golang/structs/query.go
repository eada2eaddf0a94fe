package structs

import (
	"cmp"
	"go/token"
	"os"
	"regexp"
	"runtime"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
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

// String returns the type as it was asked for.
func (w Want) String() string { return strings.TrimPrefix(w.Package+"."+w.Type, ".") }

func (q Query) arch() string {
	return cmp.Or(q.Arch, os.Getenv("GOARCH"), runtime.GOARCH)
}

// patterns returns the packages in which a type is looked for.
func (q Query) patterns(w Want) []string {
	if w.Package == "" && len(q.Packages) > 0 {
		return q.Packages
	}
	return []string{cmp.Or(w.Package, ".")}
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
		if w := cutType(arg); w.isType(dir, arg) {
			if arg != w.Type {
				w.Package = cmp.Or(w.Package, ".")
			}
			q.Types = append(q.Types, w)
		} else {
			q.Packages = append(q.Packages, arg)
		}
	}
	return q
}

// version matches the end of a path like gopkg.in/yaml.v3.
var version = regexp.MustCompile(`[/\\][^/\\]*\.v\d+$`)

// isType reports whether an argument is a type and not a package.
func (w Want) isType(dir, arg string) bool {
	name, _, generic := strings.Cut(w.Type, "[")
	if ok := token.IsIdentifier(name); !ok || generic {
		return ok
	}
	if arg == w.Type {
		return token.IsExported(name)
	}
	st, err := os.Stat(toolchain.InDir(dir, arg))
	return !version.MatchString(arg) && (err != nil || !st.IsDir())
}

// ParseTypes reads names of types in binaries, with the path of their package,
// its last part, or none.
func ParseTypes(args []string) (types []Want) {
	for _, arg := range args {
		types = append(types, cutType(arg))
	}
	return types
}

// cutType divides the name of a type at its last dot behind all slashes and in front of the arguments.
func cutType(arg string) Want {
	head, _, _ := strings.Cut(arg, "[")
	dot := strings.LastIndexByte(head, '.')
	if dot <= strings.LastIndexAny(head, `/\`) {
		return Want{Type: arg}
	}
	pkg := head[:dot]
	if len(pkg) > 1 {
		pkg = strings.TrimSuffix(pkg, "/") // ./queue/.spsc
	}
	return Want{pkg, arg[dot+1:]}
}
