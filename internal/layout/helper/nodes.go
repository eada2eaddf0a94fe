package main

import (
	"fmt"
	"go/types"
	"path/filepath"
)

// describe returns the layout of a struct type of a package.
func (l *loader) describe(p *pkg, t types.Type) found {
	b := builder{l: l, p: p}
	n := b.node("", t, 0)
	f := found{Node: &n}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		f.Where = l.position(named.Obj())
	}
	return f
}

// position returns the file and line of a declaration.
func (l *loader) position(o types.Object) string {
	at := l.fset.Position(o.Pos())
	if !at.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

type builder struct {
	l *loader
	p *pkg
}

// qualify names packages as sources do.
func (b builder) qualify(p *types.Package) string {
	if p.Path() == b.p.Path() {
		return ""
	}
	return p.Name()
}

func (b builder) node(name string, t types.Type, offset int64) node {
	n := node{
		Name: name, Type: types.TypeString(t, b.qualify), Offset: offset,
		Size: b.l.sizes.Sizeof(t), Align: b.l.sizes.Alignof(t), Pointers: hasPointers(t), Bytes: isBytes(t),
	}
	n.TypePackage, n.TypeName = nameOf(t)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n.Struct, n.Fields = true, b.fields(u)
	case *types.Array:
		elem := b.node("", u.Elem(), 0)
		n.Elem, n.Len = &elem, u.Len()
	}
	return n
}

func (b builder) fields(s *types.Struct) []node {
	var vars []*types.Var
	for i := range s.NumFields() {
		vars = append(vars, s.Field(i))
	}
	offsets := b.l.sizes.Offsetsof(vars)
	var out []node
	for i, v := range vars {
		n := b.node(v.Name(), v.Type(), offsets[i])
		n.AtomicCalls = b.p.atomic[v.Origin()]
		out = append(out, n)
	}
	return out
}

// isBytes reports whether a type is an array of bytes.
func isBytes(t types.Type) bool {
	a, ok := t.Underlying().(*types.Array)
	if !ok {
		return false
	}
	b, ok := a.Elem().Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Byte || b.Kind() == types.Int8)
}

// nameOf returns the package and the name of a type, without arguments.
func nameOf(t types.Type) (pkgPath, name string) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return "", ""
	}
	if named.Obj().Pkg() != nil {
		pkgPath = named.Obj().Pkg().Path()
	}
	return pkgPath, named.Obj().Name()
}

// hasPointers reports whether the collector looks into values of a type.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if hasPointers(u.Field(i).Type()) {
				return true
			}
		}
		return false
	}
	return true
}
