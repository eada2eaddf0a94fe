package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

type loader struct {
	request request
	fset    *token.FileSet
	sizes   types.Sizes
	imports types.Importer
}

func newLoader(q request) (*loader, error) {
	l := &loader{request: q, fset: token.NewFileSet(), sizes: types.SizesFor("gc", q.Arch)}
	if l.sizes == nil {
		return nil, fmt.Errorf("no machine is called %q", q.Arch)
	}
	l.imports = exportImporter(l.fset, q.Compiled)
	return l, nil
}

// pkg is a package that was read from its sources.
type pkg struct {
	*types.Package
	source source
	files  []*ast.File
	atomic map[*types.Var]bool // fields whose address goes to functions of sync/atomic
	scope  *types.Package      // for the arguments of generic types; made when needed
}

// check reads the sources of a package. It returns the first error that is in them.
func (l *loader) check(s source) (*pkg, error) {
	p := &pkg{source: s}
	for _, name := range s.Files {
		f, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	var first error
	conf := types.Config{
		Importer: importMap{s.ImportMap, l.imports},
		Sizes:    l.sizes,
		Error: func(err error) {
			if t := (types.Error{}); first == nil && !(errors.As(err, &t) && t.Soft) {
				first = err
			}
		},
	}
	if s.GoVersion != "" {
		conf.GoVersion = "go" + s.GoVersion
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	p.Package, _ = conf.Check(s.Path, l.fset, p.files, info)
	if first != nil {
		return nil, first
	}
	p.atomic = atomicFields(p.files, info)
	return p, nil
}

// all returns all structs of a package.
func (l *loader) all(p *pkg) answer {
	var a answer
	for _, name := range structNames(p) {
		t := p.Scope().Lookup(name).(*types.TypeName)
		if t.IsAlias() {
			continue
		}
		if n, ok := t.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
			a.Generic = append(a.Generic, name)
			continue
		}
		a.Structs = append(a.Structs, l.describe(p, t.Type()))
	}
	return a
}

// structNames returns the names of a package's structs and of aliases of structs.
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
