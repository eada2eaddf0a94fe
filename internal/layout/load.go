package layout

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Found is the answer to a query.
type Found struct {
	Structs []*Node
	// Generic are types that were left out of all, because their size depends on
	// arguments.
	Generic []string
	// Broken says what is wrong with packages that were left out.
	Broken []error
}

// Load finds structs in packages. Nothing is run; what the packages import is
// compiled, unless it was before.
func Load(ctx context.Context, q Query) (*Found, error) {
	sizes := types.SizesFor("gc", q.arch())
	if sizes == nil {
		return nil, &Error{Msg: fmt.Sprintf("no machine is called %q", q.Arch), Hint: "go tool dist list names them, behind the slash"}
	}
	roots, exports, err := list(ctx, q)
	if err != nil {
		return nil, err
	}
	l := &loader{fset: token.NewFileSet(), query: q, sizes: sizes, exports: exports}
	l.imports = newExportImporter(l.fset, exports)
	broken := l.read(roots)
	if len(l.packages) == 0 {
		return nil, broken[0]
	}
	if len(q.Types) == 0 {
		found := l.all()
		found.Broken = broken
		return found, nil
	}
	found, err := l.wanted()
	if err != nil {
		if n := (*NotFoundError)(nil); errors.As(err, &n) && len(broken) > 0 {
			return nil, broken[0] // it may be in there
		}
		return nil, err
	}
	found.Broken = broken
	return found, nil
}

// read reads the packages that can be read, and says what is wrong with the
// others, each fault once.
func (l *loader) read(roots []*listed) (broken []error) {
	for _, r := range roots {
		err := r.broken(l.exports)
		if err == nil {
			var p *pkg
			if p, err = l.check(r); err == nil {
				l.packages = append(l.packages, p)
				continue
			}
		}
		if !slices.ContainsFunc(broken, func(e error) bool { return e.Error() == err.Error() }) {
			broken = append(broken, err)
		}
	}
	return broken
}

type loader struct {
	fset     *token.FileSet
	query    Query
	sizes    types.Sizes
	exports  map[string]*listed
	imports  types.Importer
	packages []*pkg
}

// pkg is a package that was read from its sources.
type pkg struct {
	*types.Package
	listed *listed
	files  []*ast.File
	atomic map[*types.Var]bool // fields whose address goes to functions of sync/atomic
	scope  *types.Package      // for the arguments of generic types; made when needed
}

// check reads the sources of a package.
func (l *loader) check(r *listed) (*pkg, error) {
	p := &pkg{listed: r}
	for _, name := range r.CompiledGoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(r.Dir, name)
		}
		f, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, firstError(r.ImportPath, err.Error())
		}
		p.files = append(p.files, f)
	}
	var first error
	conf := types.Config{
		Importer: importMap{r, l.imports},
		Sizes:    l.sizes,
		Error: func(err error) {
			if t := (types.Error{}); first == nil && !(errors.As(err, &t) && t.Soft) {
				first = err
			}
		},
	}
	if r.Module != nil && r.Module.GoVersion != "" {
		conf.GoVersion = "go" + r.Module.GoVersion
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	p.Package, _ = conf.Check(r.ImportPath, l.fset, p.files, info)
	if first != nil {
		return nil, firstError(r.ImportPath, first.Error())
	}
	p.atomic = atomicFields(p.files, info)
	return p, nil
}

// all returns the structs of all packages.
func (l *loader) all() *Found {
	found := &Found{}
	for _, p := range l.packages {
		for _, name := range p.Scope().Names() {
			t, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || t.IsAlias() {
				continue
			}
			if _, ok := t.Type().Underlying().(*types.Struct); !ok {
				continue
			}
			if n, ok := t.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
				found.Generic = append(found.Generic, p.Path()+"."+name)
				continue
			}
			found.Structs = append(found.Structs, l.node(p, t.Type()))
		}
	}
	return found
}

// wanted returns the types that were asked for, each as often as there is one.
func (l *loader) wanted() (*Found, error) {
	found := &Found{}
	for _, want := range l.query.Types {
		in, names, n := []string{}, []string{}, 0
		for _, p := range l.packages {
			if !l.meant(want, p) {
				continue
			}
			t, err := l.lookup(p, want.Type)
			if err != nil {
				return nil, err
			}
			if t != nil {
				found.Structs = append(found.Structs, l.node(p, t))
				n++
			}
			in, names = append(in, p.Path()), append(names, structNames(p)...)
		}
		if n == 0 {
			base, _, _ := strings.Cut(want.Type, "[")
			return nil, &NotFoundError{Type: want.Type, In: shorten(in), Near: nearNames(base, names)}
		}
	}
	return found, nil
}

// meant reports whether a type may be one of the package.
func (l *loader) meant(w Want, p *pkg) bool {
	if w.Package == "" {
		return len(l.query.Packages) == 0 && l.matches(".", p) || slices.ContainsFunc(l.query.Packages, func(pattern string) bool { return l.matches(pattern, p) })
	}
	return l.matches(w.Package, p)
}

// matches reports whether go means a package by a pattern.
func (l *loader) matches(pattern string, p *pkg) bool {
	if !strings.HasPrefix(pattern, ".") && !filepath.IsAbs(pattern) {
		return matchDots(pattern, p.Path())
	}
	if !filepath.IsAbs(pattern) {
		dir, err := filepath.Abs(filepath.Join(l.query.Dir, pattern))
		if err != nil {
			return false
		}
		pattern = dir
	}
	return matchDots(filepath.ToSlash(resolve(pattern)), filepath.ToSlash(resolve(p.listed.Dir)))
}

// resolve follows links, as go does, as far as the path exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// matchDots reports whether a package path matches a pattern of the go command, in which ... stands for any text
// and /... also for none.
func matchDots(pattern, name string) bool {
	if rest, ok := strings.CutSuffix(pattern, "/..."); ok && matchDots(rest, name) {
		return true
	}
	head, tail, ok := strings.Cut(pattern, "...")
	if !ok {
		return pattern == name || pattern == "all"
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	for i := len(head); i <= len(name); i++ {
		if matchDots(tail, name[i:]) {
			return true
		}
	}
	return false
}

func structNames(p *pkg) (names []string) {
	for _, name := range p.Scope().Names() {
		if t, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			if _, ok := t.Type().Underlying().(*types.Struct); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// shorten names the places of a long list by their number.
func shorten(in []string) string {
	if len(in) > 3 {
		return fmt.Sprintf("%d packages from %s to %s", len(in), in[0], in[len(in)-1])
	}
	return strings.Join(in, ", ")
}
