package calls

import (
	"cmp"
	"strings"

	"github.com/tarebench/tare/internal/show/subjects/profile"
)

// names holds the short names of functions. A short name lacks the path before the package's name, and the star of a
// receiver, if it stays unique without them. It lacks the package if all functions are of one.
type names struct {
	pkg   string // of all; "": there are several
	short map[string]string
}

func newNames(lists ...[]string) *names {
	n := &names{short: map[string]string{}}
	taken := map[string]string{}
	one := true
	for _, list := range lists {
		for _, name := range list {
			if n.pkg == "" {
				n.pkg = packageOf(name)
			}
			one = one && packageOf(name) == n.pkg
			s := base(name)
			n.short[name] = s
			if other, ok := taken[s]; ok && other != name {
				n.short[name], n.short[other] = name, other
				continue
			}
			taken[s] = name
		}
	}
	if !one {
		n.pkg = ""
	}
	return n
}

// of returns a function's name in a text.
func (n *names) of(name string) string {
	s, ok := n.short[name]
	if !ok {
		s = name
	}
	if n.pkg != "" {
		if rest, ok := strings.CutPrefix(s, n.pkg+"."); ok {
			s = rest
		} else { // a package may have a type of its name: one prefix goes, and no more
			s = strings.TrimPrefix(s, lastPart(n.pkg)+".")
		}
	}
	return cmp.Or(s, "(no name)")
}

// packageOf returns the path of a function's package; "" if it has none.
func packageOf(name string) string {
	head, _, _ := strings.Cut(name, "[") // slashes of type arguments are no path
	at := strings.LastIndexByte(head, '/') + 1
	dot := strings.IndexByte(head[at:], '.')
	if dot < 0 {
		return ""
	}
	return name[:at+dot]
}

// lastPart returns what the names of a package begin with.
func lastPart(pkg string) string { return strings.TrimSuffix(profile.WithoutPath(pkg+"."), ".") }

// base returns a name as it is written in its own program: http.Server.Serve of
// net/http.(*Server).Serve.
func base(name string) string {
	s := profile.WithoutPath(name)
	if pkg, method, ok := strings.Cut(s, ".(*"); ok && !strings.Contains(pkg, ".") {
		if recv, rest, ok := strings.Cut(method, ")."); ok {
			return pkg + "." + recv + "." + rest
		}
	}
	return s
}
