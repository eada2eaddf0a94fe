package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// A problem is what is wrong with a name, and what to do.
type problem struct{ msg, hint string }

// find describes the struct of a package with that name and type arguments.
func (l *loader) find(p *pkg, name string) found {
	t, wrong := l.lookup(p, name)
	switch {
	case wrong != nil:
		return found{Msg: wrong.msg, Hint: wrong.hint}
	case t == nil:
		return found{}
	}
	return l.describe(p, t)
}

// lookup returns the type of a package with that name and type arguments, nil if there is none of that name.
func (l *loader) lookup(p *pkg, name string) (types.Type, *problem) {
	base, _, generic := strings.Cut(name, "[")
	t, ok := p.Scope().Lookup(base).(*types.TypeName)
	if !ok {
		return nil, nil
	}
	typ := t.Type()
	if generic {
		var wrong *problem
		if typ, wrong = l.instance(p, name); wrong != nil {
			return nil, wrong
		}
	} else if n, ok := types.Unalias(typ).(*types.Named); ok && n.TypeParams().Len() > n.TypeArgs().Len() {
		return nil, &problem{
			fmt.Sprintf("%s.%s: is generic, and its layout depends on the arguments", p.Path(), base),
			fmt.Sprintf("name them: '%s[%s]'", base, strings.Repeat("int, ", n.TypeParams().Len()-1)+"int"),
		}
	}
	if _, ok := typ.Underlying().(*types.Struct); !ok {
		return nil, &problem{msg: fmt.Sprintf("%s.%s: is no struct, but %s", p.Path(), base, typ.Underlying())}
	}
	return typ, nil
}

// instance finds a generic type with its arguments. They may be any types that can
// be written in the package, with the packages that it imports, itself or not.
func (l *loader) instance(p *pkg, name string) (types.Type, *problem) {
	expr, err := parser.ParseExprFrom(l.fset, "", name, 0)
	if err != nil {
		return nil, &problem{msg: fmt.Sprintf("%s: is not the name of a type", name)}
	}
	if wrong := l.importFor(p, name, expr); wrong != nil {
		return nil, wrong
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(l.fset, p.scope, token.NoPos, expr, info); err != nil {
		msg := err.Error()
		if t, ok := err.(types.Error); ok {
			msg = t.Msg
		}
		return nil, &problem{msg: fmt.Sprintf("%s.%s: %s", p.Path(), name, strings.Join(strings.Fields(msg), " "))}
	}
	tv := info.Types[expr]
	if !tv.IsType() {
		return nil, &problem{msg: fmt.Sprintf("%s.%s: is not a type", p.Path(), name)}
	}
	return tv.Type, nil
}

// importFor adds the packages that the type's text mentions to the scope of p, so that the type can be looked up.
// It fails if p does not import one of them.
func (l *loader) importFor(p *pkg, name string, expr ast.Expr) (wrong *problem) {
	if p.scope == nil {
		p.scope = types.NewPackage(p.Path(), p.Name())
		for _, own := range p.Scope().Names() {
			p.scope.Scope().Insert(p.Scope().Lookup(own))
		}
	}
	ast.Inspect(expr, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && p.scope.Scope().Lookup(id.Name) == nil && wrong == nil && !l.importName(p, id.Name) {
			wrong = &problem{
				fmt.Sprintf("%s: neither the package nor what it imports has a package %s", p.Path(), id.Name),
				fmt.Sprintf("name its path, too: tare layout %s PATH/%s '%s'", p.Path(), id.Name, name),
			}
		}
		return false
	})
	return wrong
}

// importName adds a package to the scope under its name in a file of p, or under its own name.
func (l *loader) importName(p *pkg, name string) (ok bool) {
	from := importMap{p.source.ImportMap, l.imports}
	for _, f := range p.files {
		for _, spec := range f.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			if err != nil || importPath == "C" || spec.Name != nil && spec.Name.Name != name || spec.Name == nil && !strings.Contains(importPath, name) {
				continue
			}
			got, err := from.Import(importPath)
			if err == nil && (spec.Name != nil || got.Name() == name) {
				p.scope.Scope().Insert(types.NewPkgName(token.NoPos, p.scope, name, got))
				return true
			}
		}
	}
	best := ""
	for importPath, e := range l.request.Compiled {
		if e.Name == name && (best == "" || len(importPath) < len(best) || len(importPath) == len(best) && importPath < best) {
			best = importPath
		}
	}
	if best != "" {
		if got, err := l.imports.Import(best); err == nil {
			p.scope.Scope().Insert(types.NewPkgName(token.NoPos, p.scope, name, got))
			return true
		}
	}
	return false
}
