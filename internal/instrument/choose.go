package instrument

import (
	"context"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/tarebench/tare/internal/suggest"
	"github.com/tarebench/tare/internal/toolchain"
)

// chooser finds the functions that patterns mean among the packages of a build.
type chooser struct {
	cfg    *Config
	ctx    context.Context
	tools  *toolchain.Toolchain
	pkgs   []*goPackage
	files  map[*goPackage][]*sourceFile
	chosen map[*Func]*sourceFile
}

// choose fills chosen, and returns the functions that match and cannot be instrumented.
func (c *chooser) choose() (left []Skipped, err error) {
	c.files = make(map[*goPackage][]*sourceFile)
	c.chosen = make(map[*Func]*sourceFile)
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
			switch w := c.whyNot(f); {
			case skipped[f]:
				why["it is skipped"] = true
			case w == "":
				able++
				c.chosen[f] = file
			default:
				why[w], whyLeft[f] = true, w
			}
		}
		if able == 0 {
			return nil, fmt.Errorf("pattern %s matches %s and none that can be instrumented: %s", text, functions(len(found)), strings.Join(slices.Sorted(maps.Keys(why)), "; "))
		}
	}
	for f, w := range whyLeft {
		left = append(left, Skipped{*f, w})
	}
	sort.Slice(left, func(i, j int) bool { return before(&left[i].Func, &left[j].Func) })
	return left, nil
}

// whyNot returns why a function cannot be instrumented; "" if it can.
func (c *chooser) whyNot(f *Func) string {
	if f.why == "" && f.lines < c.cfg.MinLines {
		return fmt.Sprintf("it has %d of at least %d lines", f.lines, c.cfg.MinLines)
	}
	return f.why
}

// skipped returns the functions that match Config.Skip or Config.Except.
func (c *chooser) skipped() (map[*Func]bool, error) {
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

func before(a, b *Func) bool {
	if a.Name != b.Name {
		return a.Name < b.Name
	}
	return a.File < b.File || a.File == b.File && a.Line < b.Line
}

// match returns the functions that a pattern matches.
func (c *chooser) match(text string) (map[*Func]*sourceFile, error) {
	p, err := parsePattern(text)
	if err != nil {
		return nil, err
	}
	p, pkgs, err := c.about(p)
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

// about returns the packages whose functions a pattern may match, and the pattern as it is read
// for them: the part before a dot may be a package or a type. The standard library is among them
// only if it is named.
func (c *chooser) about(p *pattern) (*pattern, []*goPackage, error) {
	switch p.kind {
	case byRegexp:
		return p, c.where(func(pkg *goPackage) bool { return !pkg.Standard }), nil
	case byPackages:
		named, err := c.named(p.text)
		return p, named, err
	}
	if p.pkg != "" {
		exact := c.where(func(pkg *goPackage) bool { return pkg.ImportPath == p.pkg })
		if len(exact) > 0 {
			return p, exact, nil
		}
		for _, q := range append(p.dotted(), p) {
			if named := c.where(func(pkg *goPackage) bool { return q.inPackage(pkg.ImportPath, pkg.Name) }); len(named) > 0 {
				return q, named, nil
			}
		}
		if strings.Contains(p.pkg, "/") {
			return p, nil, nil
		}
	}
	// T.Method, or a bare name: of the packages that are built.
	method := *p
	method.name, method.pkg = wildcard(p.text), ""
	return &method, c.where(func(pkg *goPackage) bool { return !pkg.DepOnly }), nil
}

// named returns the packages of the build that a pattern of packages names. Errors of packages
// count only if there are no others.
func (c *chooser) named(pattern string) ([]*goPackage, error) {
	named, err := c.cfg.listed(c.ctx, nil, []string{pattern})
	if err != nil {
		return nil, err
	}
	found := c.where(func(pkg *goPackage) bool {
		return slices.ContainsFunc(named, func(n *goPackage) bool {
			return n.ImportPath == pkg.ImportPath || n.ImportPath == pkg.ForTest
		})
	})
	if len(found) > 0 {
		return found, nil
	}
	for _, n := range named {
		if n.Error != nil {
			return nil, n.wrong()
		}
	}
	return nil, nil
}

func (c *chooser) where(ok func(*goPackage) bool) (out []*goPackage) {
	for _, pkg := range c.pkgs {
		if ok(pkg) {
			out = append(out, pkg)
		}
	}
	return out
}

// scan returns the files of a package, parsed once.
func (c *chooser) scan(pkg *goPackage) ([]*sourceFile, error) {
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
		f.find(c.cfg.Literals, n, known)
	}
	c.files[pkg] = files
	return files, nil
}

// literalName matches the end of the name that the compiler gives to a function literal.
var literalName = regexp.MustCompile(`\.func\d+(\.\d+)*$`)

// NoMatchError is the error of a pattern that matches no function of the build.
type NoMatchError struct {
	Pattern string
	why     error
}

func (e *NoMatchError) Error() string { return e.why.Error() }
func (e *NoMatchError) Unwrap() error { return e.why }

func (c *chooser) noMatch(text string) error { return &NoMatchError{text, c.whyNone(text)} }

// whyNone returns the error of a pattern that matches no function, with the most similar names.
func (c *chooser) whyNone(text string) error {
	p, err := parsePattern(text)
	if err != nil || p.kind != byName {
		return fmt.Errorf("pattern %s matches no function", text)
	}
	if !c.cfg.Literals && literalName.MatchString(text) {
		return fmt.Errorf("pattern %s matches no function of the build: function literals are some of their own with --literals only", text)
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
			continue // it is no name to propose
		}
		for _, file := range files {
			for _, f := range file.funcs {
				for _, as := range []string{f.Name, pkg.Name + "." + f.short, pkg.Name + "." + plainName(f.short), f.short, plainName(f.short), f.short[strings.LastIndexByte(f.short, '.')+1:]} {
					names = append(names, name{f.Name, suggest.Distance(text, as)})
				}
			}
		}
	}
	sort.SliceStable(names, func(i, j int) bool { return names[i].far < names[j].far })
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
	return fmt.Errorf("pattern %s matches no function of the build; near it: %s", text, strings.Join(say, ", "))
}
