package hunks

import (
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/result/why"
)

// declaration is the first line of a function, as a line of a file.
var declaration = regexp.MustCompile(`^func (?:\((?:[\pL_][\pL\p{Nd}_]* +)?(\*?)([\pL_][\pL\p{Nd}_]*)(?:\[[^\]]*\])?\) *)?([\pL_][\pL\p{Nd}_]*)`)

// generated is an element that the compiler appends to the name of a function for parts of it.
var generated = regexp.MustCompile(`^(func[0-9]+|gowrap[0-9]+|deferwrap[0-9]+|[0-9]+)$`)

// declared returns the name of the function that a line begins, without its package, such as "(*T).M"; "" if it begins none.
func declared(line string) string {
	m := declaration.FindStringSubmatch(line)
	switch {
	case m == nil:
		return ""
	case m[2] == "":
		return m[3]
	case m[1] != "":
		return "(*" + m[2] + ")." + m[3]
	}
	return m[2] + "." + m[3]
}

// nameOf splits the symbol of a function into its package and the name that its source declares.
func nameOf(symbol string) (pkg, name string) {
	symbol = gofunc.WithoutTypeArgs(symbol)
	pkg = gofunc.Package(symbol)
	name = symbol
	if i := strings.LastIndexByte(symbol, '/'); i >= 0 {
		name = symbol[i+1:]
	}
	_, name, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "-") // T.M-fm, F-range1
	for {
		i := strings.LastIndexByte(name, '.')
		if i < 0 || !generated.MatchString(name[i+1:]) {
			return pkg, name
		}
		name = name[:i]
	}
}

// inFunctions returns the hunks in the functions that a cause is about: its own, those of its places, and those of their packages that its
// text names.
func inFunctions(files []File, c *why.Cause) (out []found) {
	names := map[string]bool{} // "pkg\x00name"
	var packages []string
	for _, symbol := range []string{c.Func, c.Place[0].Func, c.Place[1].Func} {
		if pkg, name := nameOf(symbol); pkg != "" && name != "" && !gofunc.IsStd(pkg) {
			names[pkg+"\x00"+name], packages = true, append(packages, pkg)
		}
	}
	if len(packages) == 0 {
		return nil
	}
	text := c.What + "\n" + strings.Join(c.Evidence, "\n")
	about := func(pkg, name string) bool {
		return names[pkg+"\x00"+name] || mentions(text, shortPackage(pkg)+"."+name)
	}
	for i := range files {
		f := &files[i]
		pkg := packageOf(f, packages)
		if pkg == "" {
			continue
		}
		for j := range f.Hunks {
			h := &f.Hunks[j]
			if at, ok := h.changeIn(func(name string) bool { return about(pkg, name) }); ok {
				out = append(out, found{hunk: h, at: at})
			}
		}
	}
	return out
}

// packageOf returns the package of those that a file is in, as far as the ends of the paths tell; "" if it is in none. Files at the
// top of the tree may be in any.
func packageOf(f *File, packages []string) (best string) {
	dir := path.Dir(f.name())
	most := 0
	for _, pkg := range packages {
		n := commonEnd(dir, pkg)
		if dir == "." {
			n = 1
		}
		if n > most {
			best, most = pkg, n
		}
	}
	return best
}

// changeIn returns the first line that differs inside of a function whose name is one of those asked for.
func (h *Hunk) changeIn(isName func(string) bool) (at int, ok bool) {
	_, section, _ := strings.Cut(strings.TrimPrefix(h.Header, "@@"), "@@ ")
	in := declared(section)
	for i, l := range h.Lines {
		if name := declared(l[1:]); name != "" {
			in = name
		}
		if l[0] != ' ' && in != "" && isName(in) {
			return i, true
		}
		if l[1:] == "}" {
			in = ""
		}
	}
	return 0, false
}

// mentions reports whether a text has a name that is no part of a longer one.
func mentions(text, name string) bool {
	isPart := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, name)
		if !ok {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if (before == "" || !isPart(last) && last != '.' && last != '/') && (after == "" || !isPart(next)) {
			return true
		}
		rest = after
	}
}

// shortPackage returns the last element of an import path.
func shortPackage(pkg string) string { return path.Base(pkg) }
