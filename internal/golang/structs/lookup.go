package structs

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// lookup returns the struct of a package with that name and type arguments, nil if there is no type of that name.
func (l *loader) lookup(p *pkg, name string) (types.Type, error) {
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
		return nil, &Error{
			Msg:  fmt.Sprintf("%s.%s: is generic, and its layout depends on the arguments", p.PkgPath, base),
			Hint: fmt.Sprintf("name them: '%s[%s]'", base, strings.Repeat("int, ", n.TypeParams().Len()-1)+"int"),
		}
	}
	if _, ok := typ.Underlying().(*types.Struct); !ok {
		return nil, &Error{Msg: fmt.Sprintf("%s.%s: is no struct, but %s", p.PkgPath, base, typ.Underlying())}
	}
	return typ, nil
}

// instance finds a generic type with its arguments. They may be any types that can
// be written in the package, with the packages that it imports, itself or not.
func (l *loader) instance(p *pkg, name string) (types.Type, error) {
	expr, err := parser.ParseExprFrom(p.Fset, "", name, 0)
	if err != nil {
		return nil, &Error{Msg: fmt.Sprintf("%s: is not the name of a type", name)}
	}
	if err := l.importFor(p, name, expr); err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(p.Fset, p.scope, token.NoPos, expr, info); err != nil {
		msg := err.Error()
		if t := (types.Error{}); errors.As(err, &t) {
			msg = t.Msg
		}
		return nil, &Error{Msg: fmt.Sprintf("%s.%s: %s", p.PkgPath, name, strings.Join(strings.Fields(msg), " "))}
	}
	if !info.Types[expr].IsType() {
		return nil, &Error{Msg: fmt.Sprintf("%s.%s: is not a type", p.PkgPath, name)}
	}
	return info.Types[expr].Type, nil
}

// importFor adds the packages that the type's text mentions to the scope of p, so that the type can be looked up.
// It fails if p does not import one of them.
func (l *loader) importFor(p *pkg, name string, expr ast.Expr) (err error) {
	if p.scope == nil {
		p.scope = types.NewPackage(p.PkgPath, p.Name)
		for _, own := range p.Types.Scope().Names() {
			p.scope.Scope().Insert(p.Types.Scope().Lookup(own))
		}
	}
	ast.Inspect(expr, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok || err != nil || p.scope.Scope().Lookup(id.Name) != nil {
			return false
		}
		if from := l.packageNamed(p, id.Name); from != nil {
			p.scope.Scope().Insert(types.NewPkgName(token.NoPos, p.scope, id.Name, from))
			return false
		}
		err = &Error{
			Msg:  fmt.Sprintf("%s: neither the package nor what it imports has a package %s", p.PkgPath, id.Name),
			Hint: fmt.Sprintf("name its path, too: tare layout %s PATH/%s '%s'", p.PkgPath, id.Name, name),
		}
		return false
	})
	return err
}

// packageNamed returns the package that has a name in a file of p, else the one of that name, nil if there is none.
func (l *loader) packageNamed(p *pkg, name string) *types.Package {
	for _, f := range p.Syntax {
		if n, ok := p.TypesInfo.Scopes[f].Lookup(name).(*types.PkgName); ok {
			return n.Imported()
		}
	}
	best := ""
	for _, root := range l.packages {
		packages.Visit([]*packages.Package{root.Package}, nil, func(d *packages.Package) {
			nearer := best == "" || len(d.PkgPath) < len(best) || len(d.PkgPath) == len(best) && d.PkgPath < best
			if d.Name == name && nearer {
				best = d.PkgPath
			}
		})
	}
	if best == "" {
		return nil
	}
	config := l.config
	config.Mode, config.Fset = exported, nil
	if found, err := packages.Load(&config, "pattern="+best); err == nil && len(found) == 1 && len(found[0].Errors) == 0 {
		return found[0].Types // export data has no types of what is imported indirectly
	}
	return nil
}
