package structs

import (
	"fmt"
	"go/types"
	"path/filepath"

	"github.com/tarebench/tare/internal/binary/layout"
)

// builder makes nodes of types as a package sees them.
type builder struct {
	*pkg
	sizes types.Sizes
	arch  string
}

// describe returns the layout of a struct type of a package.
func (l *loader) describe(p *pkg, t types.Type) *layout.Node {
	n := builder{p, l.sizes, l.query.arch()}.node("", t, 0)
	n.Name, n.Path, n.Open = n.Type, p.PkgPath, true
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if at := p.Fset.Position(named.Obj().Pos()); at.IsValid() {
			n.Where = fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
		}
	}
	return &n
}

// qualify names packages as sources do.
func (b builder) qualify(p *types.Package) string {
	if p.Path() == b.PkgPath {
		return ""
	}
	return p.Name()
}

func (b builder) node(name string, t types.Type, offset int64) layout.Node {
	n := layout.Node{
		Name: name, Type: types.TypeString(t, b.qualify), Arch: b.arch, Offset: offset,
		Size: b.sizes.Sizeof(t), Align: b.sizes.Alignof(t), Pointers: hasPointers(t),
	}
	pkgPath, typeName := nameOf(t)
	n.Role = layout.RoleOf(pkgPath, typeName)
	if layout.IsPad(name, n.Size, isBytes(t)) {
		n.Role = layout.Pad
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n.Open = n.Role == layout.Plain && (typeName == "" || pkgPath == b.PkgPath)
		if name == "" || !layout.WrittenOnce(pkgPath, typeName) {
			n.Fields = b.fields(u)
		}
	case *types.Array:
		elem := b.node("", u.Elem(), 0)
		n.Elem, n.Len = &elem, u.Len()
	}
	return n
}

func (b builder) fields(s *types.Struct) (fields []layout.Node) {
	var vars []*types.Var
	for v := range s.Fields() {
		vars = append(vars, v)
	}
	for i, offset := range b.sizes.Offsetsof(vars) {
		n := b.node(vars[i].Name(), vars[i].Type(), offset)
		if b.atomic[vars[i].Origin()] && !n.Role.Hot() {
			n.Role = layout.Atomic
			n.Unsafe64 = n.Size == 8 && n.Elem == nil
		}
		fields = append(fields, n)
	}
	return fields
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
		for f := range u.Fields() {
			if hasPointers(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}
