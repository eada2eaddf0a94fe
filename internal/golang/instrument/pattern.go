package instrument

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// pattern selects functions.
type pattern struct {
	text string
	kind patternKind
	pkg  string         // path, name or last elements of the path of a package
	name *regexp.Regexp // matches the whole function name without its package
	re   *regexp.Regexp // matches any part of package and function
}

type patternKind int

const (
	byName     patternKind = iota // pkg.Func, pkg.Type.Method, pkg.(*Type).Method, with * for anything
	byPackages                    // ./..., path/..., ./folder
	byRegexp                      // /…/
)

func parsePattern(text string) (*pattern, error) {
	p := &pattern{text: text}
	switch {
	case strings.TrimSpace(text) == "":
		return nil, fmt.Errorf("pattern %q is empty", text)
	case !utf8.ValidString(text):
		return nil, fmt.Errorf("pattern %q is not UTF-8", text)
	case len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/':
		p.kind = byRegexp
		var err error
		if p.re, err = regexp.Compile(text[1 : len(text)-1]); err != nil {
			return nil, fmt.Errorf("pattern %s: %w", text, err)
		}
		return p, nil
	case text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") ||
		text == "..." || strings.HasSuffix(text, "/..."):
		p.kind = byPackages
		return p, nil
	}
	pkg, name := cutPackage(text)
	if name == "" {
		return nil, fmt.Errorf("pattern %q selects no function: write pkg.Func, pkg.(*T).Method, pkg.* or ./... for packages", text)
	}
	p.pkg, p.name = pkg, wildcard(name)
	return p, nil
}

// cutPackage splits a function's full name at the first dot of the last path element. The package is "" if there is
// none.
func cutPackage(text string) (pkg, name string) {
	slash := strings.LastIndexByte(text[:len(text)-len(brackets(text))], '/') + 1
	dot := strings.IndexByte(text[slash:], '.')
	if dot < 0 {
		if slash > 0 {
			return text, ""
		}
		return "", text
	}
	return text[:slash+dot], text[slash+dot+1:]
}

// dotted returns the other readings of a pattern by name, for packages with dots in the last element of their path,
// as in gopkg.in/yaml.v3.Node.
func (p *pattern) dotted() (out []*pattern) {
	if p.kind != byName || p.pkg == "" {
		return nil
	}
	rest := p.text[len(p.pkg)+1:]
	for i := range len(rest) - len(brackets(rest)) {
		if rest[i] == '.' && i+1 < len(rest) {
			out = append(out, &pattern{text: p.text, pkg: p.pkg + "." + rest[:i], name: wildcard(rest[i+1:])})
		}
	}
	return out
}

// brackets returns the part of a name from its first type argument or receiver on. Dots and slashes there do not
// belong to the package.
func brackets(text string) string {
	if i := strings.IndexAny(text, "[("); i >= 0 {
		return text[i:]
	}
	return ""
}

// wildcard returns the regular expression for a function's plain name, in which * matches any text, except the * of a
// pointer.
func wildcard(name string) *regexp.Regexp {
	name = plainName(name)
	expr := strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*")
	return regexp.MustCompile("^(?:" + expr + ")$")
}

// plainName returns a function's name as in package documentation: T.Method for (*T).Method and (T).Method, without
// type arguments.
func plainName(name string) string {
	if head, tail, ok := strings.Cut(name, "["); ok {
		if i := strings.LastIndexByte(tail, ']'); i >= 0 {
			name = head + tail[i+1:]
		}
	}
	if rest, ok := strings.CutPrefix(name, "("); ok {
		if typ, method, ok := strings.Cut(rest, ")"); ok {
			name = strings.TrimPrefix(typ, "*") + method
		}
	}
	return name
}

// inPackage reports whether a pattern by name may match functions of a package: it contains the whole path, its last
// elements, or the package's name.
func (p *pattern) inPackage(importPath, name string) bool {
	return p.pkg == importPath || p.pkg == name || strings.HasSuffix(importPath, "/"+p.pkg) ||
		p.pkg == path.Base(importPath)
}

// matches reports whether the pattern matches a function of a package returned by about.
func (p *pattern) matches(f *Func) bool {
	switch p.kind {
	case byPackages:
		return true
	case byRegexp:
		return p.re.MatchString(f.Name)
	}
	return p.name.MatchString(plainName(f.short))
}
