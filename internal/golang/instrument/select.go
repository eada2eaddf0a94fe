package instrument

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/internal/golang/toolchain"
)

// selector finds the functions that patterns select in the packages of a build.
type selector struct {
	cfg      *Config
	ctx      context.Context
	tools    *toolchain.Toolchain
	pkgs     []*goPackage
	files    map[*goPackage][]*sourceFile
	selected map[*Func]*sourceFile
}

// selectFunctions fills chosen. It returns the functions that match but cannot be instrumented.
func (c *selector) selectFunctions() (left []Skipped, err error) {
	c.files = make(map[*goPackage][]*sourceFile)
	c.selected = make(map[*Func]*sourceFile)
	skipped, err := c.skipped()
	if err != nil {
		return nil, err
	}
	whyLeft := make(map[*Func]string)
	for _, text := range c.cfg.Match {
		found, err := c.match(text)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, c.noMatch(text)
		}
		able := 0
		why := make(map[string]bool)
		for f, file := range found {
			switch w := c.reasonAgainst(f); {
			case skipped[f]:
				why["it is skipped"] = true
			case w == "":
				able++
				c.selected[f] = file
			default:
				why[w], whyLeft[f] = true, w
			}
		}
		if able == 0 {
			return nil, fmt.Errorf("pattern %s matches %s, none of which can be instrumented: %s", text, functions(len(found)), strings.Join(slices.Sorted(maps.Keys(why)), "; "))
		}
	}
	for f, w := range whyLeft {
		left = append(left, Skipped{*f, w})
	}
	slices.SortFunc(left, func(a, b Skipped) int { return compare(&a.Func, &b.Func) })
	return left, nil
}

// reasonAgainst returns why a function cannot be instrumented, or "".
func (c *selector) reasonAgainst(f *Func) string {
	if f.why == "" && f.lines < c.cfg.MinLines {
		return fmt.Sprintf("it has %d of at least %d lines", f.lines, c.cfg.MinLines)
	}
	return f.why
}

// skipped returns the functions that match Config.Skip or Config.Except.
func (c *selector) skipped() (map[*Func]bool, error) {
	skipped := make(map[*Func]bool)
	for i, text := range slices.Concat(c.cfg.Skip, c.cfg.Except) {
		found, err := c.match(text)
		switch {
		case err != nil && i < len(c.cfg.Skip):
			return nil, err
		case len(found) == 0 && i < len(c.cfg.Skip):
			return nil, c.noMatch(text)
		}
		for f := range found {
			skipped[f] = true
		}
	}
	return skipped, nil
}

func functions(n int) string {
	if n == 1 {
		return "1 function"
	}
	return fmt.Sprintf("%d functions", n)
}

func compare(a, b *Func) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// match returns the functions that a pattern matches.
func (c *selector) match(text string) (map[*Func]*sourceFile, error) {
	p, err := parsePattern(text)
	if err != nil {
		return nil, err
	}
	p, pkgs, err := c.packagesFor(p)
	if err != nil {
		return nil, err
	}
	found := make(map[*Func]*sourceFile)
	for _, pkg := range pkgs {
		files, err := c.scan(pkg)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			for _, f := range file.funcs {
				if p.matches(f) {
					found[f] = file
				}
			}
		}
	}
	return found, nil
}

// packagesFor returns the packages whose functions a pattern may match, and the pattern as read for them: the part before a
// dot may be a package or a type. It returns packages of the standard library only if the pattern names them.
func (c *selector) packagesFor(p *pattern) (*pattern, []*goPackage, error) {
	switch p.kind {
	case byRegexp:
		return p, c.packagesWhere(func(pkg *goPackage) bool { return !pkg.Standard }), nil
	case byPackages:
		named, err := c.packagesNamed(p.text)
		return p, named, err
	}
	if p.pkg != "" {
		exact := c.packagesWhere(func(pkg *goPackage) bool { return pkg.ImportPath == p.pkg })
		if len(exact) > 0 {
			return p, exact, nil
		}
		for _, q := range append(p.dotted(), p) {
			if named := c.packagesWhere(func(pkg *goPackage) bool { return q.inPackage(pkg.ImportPath, pkg.Name) }); len(named) > 0 {
				return q, named, nil
			}
		}
		if strings.Contains(p.pkg, "/") {
			return p, nil, nil
		}
	}
	// T.Method or a bare name selects from the packages that are built.
	method := *p
	method.name, method.pkg = wildcard(p.text), ""
	return &method, c.packagesWhere(func(pkg *goPackage) bool { return !pkg.DepOnly }), nil
}

// packagesNamed returns the packages of the build that a pattern of packages selects. Errors of packages count only if it
// selects none.
func (c *selector) packagesNamed(pattern string) ([]*goPackage, error) {
	named, err := c.cfg.listWithErrors(c.ctx, nil, []string{pattern})
	if err != nil {
		return nil, err
	}
	found := c.packagesWhere(func(pkg *goPackage) bool {
		return slices.ContainsFunc(named, func(n *goPackage) bool {
			return n.ImportPath == pkg.ImportPath || n.ImportPath == pkg.ForTest
		})
	})
	if len(found) > 0 {
		return found, nil
	}
	for _, n := range named {
		if n.Error != nil {
			return nil, n.err()
		}
	}
	return nil, nil
}

func (c *selector) packagesWhere(ok func(*goPackage) bool) (out []*goPackage) {
	for _, pkg := range c.pkgs {
		if ok(pkg) {
			out = append(out, pkg)
		}
	}
	return out
}

// scan returns the parsed files of a package. It parses them once.
func (c *selector) scan(pkg *goPackage) ([]*sourceFile, error) {
	if files, ok := c.files[pkg]; ok {
		return files, nil
	}
	var files []*sourceFile
	known := make(aliases)
	for _, path := range pkg.files() {
		text, err := c.tools.Overlay.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := parseFile(path, string(text), pkg)
		if err != nil {
			return nil, err
		}
		known.declared(f.file)
		files = append(files, f)
	}
	n := new(numbering)
	for _, f := range files {
		f.findFunctions(c.cfg.Literals, n, known)
	}
	c.files[pkg] = files
	return files, nil
}

// literalName matches the end of the name that the compiler gives to a function literal.
var literalName = regexp.MustCompile(`\.func\d+(\.\d+)*$`)

// NoMatchError is the error for a pattern that matches no function of the build.
type NoMatchError struct {
	Pattern string
	why     error
}

func (e *NoMatchError) Error() string { return e.why.Error() }
func (e *NoMatchError) Unwrap() error { return e.why }

func (c *selector) noMatch(text string) error { return &NoMatchError{text, c.noMatchReason(text)} }

// noMatchReason returns the error for a pattern that matches no function, with the most similar names.
func (c *selector) noMatchReason(text string) error {
	p, err := parsePattern(text)
	if err != nil || p.kind != byName {
		return fmt.Errorf("pattern %s matches no function", text)
	}
	if !c.cfg.Literals && literalName.MatchString(text) {
		return fmt.Errorf("pattern %s matches no function of the build: function literals are separate functions only with --literals", text)
	}
	for _, pkg := range c.pkgs {
		if pkg.ForTest == "" && (text == pkg.ImportPath || text == pkg.Name && !pkg.DepOnly || text == path.Base(pkg.ImportPath) && !pkg.Standard) {
			return fmt.Errorf("pattern %s names a package: write %s.* for all of its functions", text, text)
		}
	}
	type name struct {
		text string
		far  int
	}
	var names []name
	for _, pkg := range c.pkgs {
		known := c.files[pkg] != nil || !pkg.Standard
		if p.pkg != "" && !known && suggest.Distance(p.pkg, pkg.ImportPath) > 2 {
			continue
		}
		if !known && p.pkg == "" {
			continue
		}
		files, err := c.scan(pkg)
		if err != nil {
			continue // it offers no name
		}
		for _, file := range files {
			for _, f := range file.funcs {
				for _, as := range []string{f.Name, pkg.Name + "." + f.short, pkg.Name + "." + plainName(f.short), f.short, plainName(f.short), f.short[strings.LastIndexByte(f.short, '.')+1:]} {
					names = append(names, name{f.Name, suggest.Distance(text, as)})
				}
			}
		}
	}
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.far, b.far) })
	var say []string
	for _, n := range names {
		if n.far > max(3, len(text)/3) || len(say) == 3 {
			break
		}
		if !slices.Contains(say, n.text) {
			say = append(say, n.text)
		}
	}
	if len(say) == 0 {
		return fmt.Errorf("pattern %s matches no function of the build", text)
	}
	return fmt.Errorf("pattern %s matches no function of the build; similar: %s", text, strings.Join(say, ", "))
}
