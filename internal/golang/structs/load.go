package structs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Found is the answer to a query.
type Found struct {
	Structs []*layout.Node
	Generic []string // types left out of all, because their size depends on arguments
	Broken  []error  // what is wrong with packages that were left out, each fault once
}

// Load finds structs in packages. Nothing of them is run; what they import is compiled, unless it was before. Its
// errors have an exit code and advice.
func Load(ctx context.Context, q Query) (*Found, error) {
	l := &loader{query: q, sizes: types.SizesFor("gc", q.arch()), read: map[string][]*packages.Package{}, atomic: map[string]map[*types.Var]bool{}}
	if l.sizes == nil {
		return nil, exit.Failed(fmt.Errorf("no machine is called %q", q.Arch), "go tool dist list names them, behind the slash")
	}
	if len(q.Types) == 0 || len(q.Packages) > 0 {
		all, err := l.packages(ctx, Want{})
		if err != nil {
			return nil, err
		}
		if len(q.Types) == 0 {
			l.all(all)
		}
	}
	for _, w := range q.Types {
		if err := l.wanted(ctx, w); err != nil {
			return nil, err
		}
	}
	return &l.found, nil
}

type loader struct {
	query  Query
	config packages.Config
	sizes  types.Sizes
	read   map[string][]*packages.Package // without those that are broken, by what was asked for
	atomic map[string]map[*types.Var]bool // atomicFields of each package that was read
	found  Found
}

// exported is what is read of packages whose types come from export data, and more of those that are asked for.
const exported = packages.NeedName | packages.NeedImports | packages.NeedExportFile | packages.NeedTypes

// packages returns the packages in which a type is looked for: those that the go command of the user lists, read from
// their sources.
func (l *loader) packages(ctx context.Context, w Want) ([]*packages.Package, error) {
	patterns := l.query.patterns(w)
	key := strings.Join(patterns, " ")
	if l.read[key] != nil {
		return l.read[key], nil
	}
	var queries []string
	for _, pattern := range patterns {
		if missing := toolchain.Missing(l.query.Dir, pattern); missing != "" {
			return nil, exit.Usage(fmt.Errorf("%s: no such %s", pattern, missing), "")
		}
		queries = append(queries, "pattern="+pattern) // or a path with an equals sign is a query
	}
	l.config = packages.Config{
		Context: ctx, Dir: l.query.Dir, Env: append(os.Environ(), "GOPACKAGESDRIVER=off", "GOARCH="+l.query.arch()),
		Mode: exported | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}
	if l.query.Tags != "" {
		l.config.BuildFlags = []string{"-tags=" + l.query.Tags}
	}
	if l.query.arch() != runtime.GOARCH {
		l.config.Env = append(l.config.Env, "CGO_ENABLED=0")
	}
	roots, err := packages.Load(&l.config, queries...)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		_, said, _ := strings.Cut(err.Error(), "stderr: ")
		return nil, goError("", cmp.Or(said, err.Error()))
	case len(roots) == 0:
		return nil, l.noPackage(ctx, patterns)
	}
	for _, p := range roots {
		if err = broken(p); err == nil {
			l.read[key] = append(l.read[key], p)
			l.atomic[p.PkgPath] = atomicFields(p.Syntax, p.TypesInfo)
		} else if !slices.ContainsFunc(l.found.Broken, func(e error) bool { return e.Error() == err.Error() }) {
			l.found.Broken = append(l.found.Broken, err)
		}
	}
	if l.read[key] == nil {
		return nil, err
	}
	return l.read[key], nil
}

// noPackage returns why no package matches. It runs the go command once more, because go reports the reason only if
// nothing else is requested.
func (l *loader) noPackage(ctx context.Context, patterns []string) error {
	_, said, err := toolchain.Command{Dir: l.query.Dir, Env: l.config.Env}.Run(ctx, append([]string{"list", "-export", "--"}, patterns...)...)
	if err != nil {
		return goError("", cmp.Or(said, err.Error()))
	}
	return exit.Failed(fmt.Errorf("%s: no package matches", strings.Join(patterns, " ")), "")
}

// all adds the structs of packages.
func (l *loader) all(all []*packages.Package) {
	for _, p := range all {
		for _, t := range structsOf(p) {
			n, named := t.Type().(*types.Named)
			switch {
			case t.IsAlias():
			case named && n.TypeParams().Len() > 0:
				l.found.Generic = append(l.found.Generic, p.PkgPath+"."+t.Name())
			default:
				l.found.Structs = append(l.found.Structs, l.describe(p, t.Type()))
			}
		}
	}
}

// wanted adds a type that was asked for, of each package that has one.
func (l *loader) wanted(ctx context.Context, w Want) error {
	all, err := l.packages(ctx, w)
	if err != nil {
		return err
	}
	var in, names []string
	before := len(l.found.Structs)
	for _, p := range all {
		t, err := l.lookup(p, w.Type)
		if err != nil {
			return err
		}
		if t != nil {
			l.found.Structs = append(l.found.Structs, l.describe(p, t))
		}
		in = append(in, p.PkgPath)
		for _, t := range structsOf(p) {
			names = append(names, t.Name())
		}
	}
	switch {
	case len(l.found.Structs) > before:
		return nil
	case len(l.found.Broken) > 0:
		return l.found.Broken[0] // it may be in there
	}
	return notFound(units.List(in, 3), w.Type, names)
}

// structsOf returns a package's structs and the aliases of structs.
func structsOf(p *packages.Package) (structs []*types.TypeName) {
	for _, name := range p.Types.Scope().Names() {
		if t, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok {
			if _, ok := t.Type().Underlying().(*types.Struct); ok {
				structs = append(structs, t)
			}
		}
	}
	return structs
}

// packageNamed returns the package that has a name in a file of p, else the one of that name, nil if there is none.
func (l *loader) packageNamed(p *packages.Package, name string) *types.Package {
	for _, f := range p.Syntax {
		if n, ok := p.TypesInfo.Scopes[f].Lookup(name).(*types.PkgName); ok {
			return n.Imported()
		}
	}
	shortest := ""
	for d := range packages.Postorder(slices.Concat(slices.Collect(maps.Values(l.read))...)) {
		closer := cmp.Or(cmp.Compare(len(d.PkgPath), len(shortest)), cmp.Compare(d.PkgPath, shortest)) < 0
		if d.Name == name && (shortest == "" || closer) {
			shortest = d.PkgPath
		}
	}
	if shortest == "" {
		return nil
	}
	config := l.config
	config.Mode, config.Fset = exported, nil
	if found, err := packages.Load(&config, "pattern="+shortest); err == nil && len(found) == 1 && len(found[0].Errors) == 0 {
		return found[0].Types // export data has no types of what is imported indirectly
	}
	return nil
}

// lookup returns the struct of a package with that name and type arguments, nil if there is no type of that name.
func (l *loader) lookup(p *packages.Package, name string) (types.Type, error) {
	base, _, generic := strings.Cut(name, "[")
	t, ok := p.Types.Scope().Lookup(base).(*types.TypeName)
	if !ok {
		return nil, nil
	}
	typ := t.Type()
	if generic {
		var err error
		if typ, err = l.instance(p, name); err != nil {
			return nil, err
		}
	} else if n, ok := types.Unalias(typ).(*types.Named); ok && n.TypeParams().Len() > n.TypeArgs().Len() {
		arguments := strings.Repeat("int, ", n.TypeParams().Len()-1) + "int"
		return nil, exit.Failed(fmt.Errorf("%s.%s: is generic, and its layout depends on the arguments", p.PkgPath, base),
			fmt.Sprintf("name them: '%s[%s]'", base, arguments))
	}
	if _, ok := typ.Underlying().(*types.Struct); !ok {
		return nil, exit.Failed(fmt.Errorf("%s.%s: is no struct, but %s", p.PkgPath, base, typ.Underlying()), "")
	}
	return typ, nil
}

// instance returns a generic type with its arguments. They may be any types that can
// be written in the package, with the packages that it imports, itself or not.
func (l *loader) instance(p *packages.Package, name string) (types.Type, error) {
	expr, err := parser.ParseExprFrom(p.Fset, "", name, 0)
	if err != nil {
		return nil, exit.Failed(fmt.Errorf("%s: is not the name of a type", name), "")
	}
	for n := range ast.Preorder(expr) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok || p.Types.Scope().Lookup(id.Name) != nil {
			continue
		}
		from := l.packageNamed(p, id.Name)
		if from == nil {
			return nil, exit.Failed(fmt.Errorf("%s: neither the package nor what it imports has a package %s", p.PkgPath, id.Name),
				fmt.Sprintf("name its path, too: tare layout %s PATH/%s '%s'", p.PkgPath, id.Name, name))
		}
		p.Types.Scope().Insert(types.NewPkgName(token.NoPos, p.Types, id.Name, from)) // where the type's text is checked
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	err = types.CheckExpr(p.Fset, p.Types, token.NoPos, expr, info)
	switch t := (types.Error{}); {
	case errors.As(err, &t):
		return nil, exit.Failed(fmt.Errorf("%s.%s: %s", p.PkgPath, name, strings.Join(strings.Fields(t.Msg), " ")), "")
	case err != nil || !info.Types[expr].IsType():
		return nil, exit.Failed(fmt.Errorf("%s.%s: is not a type", p.PkgPath, name), "")
	}
	return info.Types[expr].Type, nil
}
