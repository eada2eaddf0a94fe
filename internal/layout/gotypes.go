package layout

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strings"
)

// node describes a struct type of a package.
func (l *loader) node(p *pkg, t types.Type) *Node {
	b := builder{l: l, p: p}
	n := b.node("", t, 0)
	n.Name = types.TypeString(t, b.qualify)
	n.Path, n.Arch = p.Path(), l.query.arch()
	if named, ok := types.Unalias(t).(*types.Named); ok {
		n.Where = l.position(named.Obj())
	}
	n.Open = true
	return &n
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

func (b builder) node(name string, t types.Type, offset int64) Node {
	sizes := b.l.sizes
	n := Node{
		Name: name, Type: types.TypeString(t, b.qualify), Offset: offset,
		Size: sizes.Sizeof(t), Align: sizes.Alignof(t), Pointers: hasPointers(t), Arch: b.l.query.arch(),
	}
	pkgPath, typeName := nameOf(t)
	n.Role = roleOf(pkgPath, typeName)
	if isPad(name, n.Size, isBytes(t)) {
		n.Role = Pad
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n.Open = n.Role == Plain && (typeName == "" || pkgPath == b.p.Path())
		n.Fields = b.fields(u)
	case *types.Array:
		elem := b.node("", u.Elem(), 0)
		n.Elem, n.Len = &elem, u.Len()
	}
	return n
}

func (b builder) fields(s *types.Struct) []Node {
	var vars []*types.Var
	for i := range s.NumFields() {
		vars = append(vars, s.Field(i))
	}
	offsets := b.l.sizes.Offsetsof(vars)
	var out []Node
	for i, v := range vars {
		n := b.node(v.Name(), v.Type(), offsets[i])
		if writtenOnce(nameOf(v.Type())) {
			n.Fields = nil
		}
		if b.p.atomic[v.Origin()] && !n.Role.hot() {
			n.Role = Atomic
			n.Unsafe64 = n.Size == 8 && n.Elem == nil
		}
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

// roleOf returns what the type of a field tells.
func roleOf(pkgPath, name string) Role {
	switch pkgPath {
	case "sync/atomic", "internal/runtime/atomic":
		if name != "" && name != "noCopy" && name != "align64" {
			return Atomic
		}
	case "sync":
		if name == "Mutex" || name == "RWMutex" {
			return Lock
		}
	case "runtime":
		if name == "mutex" || name == "rwmutex" {
			return Lock
		}
	}
	if name == "CacheLinePad" && (strings.HasSuffix(pkgPath, "/cpu") || pkgPath == "internal/cpu") {
		return Pad
	}
	return Plain
}

// writtenOnce reports whether a type has atomic fields that are written but once.
func writtenOnce(pkgPath, name string) bool { return pkgPath == "sync" && name == "Once" }

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
