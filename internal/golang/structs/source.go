package structs

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/tarebench/tare/internal/binary/layout"
)

// builder makes nodes of types as one package sees them.
type builder struct {
	path   string // of the package
	sizes  types.Sizes
	arch   string
	atomic map[*types.Var]bool // fields whose address goes to functions of sync/atomic
}

// describe returns the layout of a struct type of a package.
func (l *loader) describe(p *packages.Package, t types.Type) *layout.Node {
	n := builder{p.PkgPath, l.sizes, l.query.arch(), l.atomic[p.PkgPath]}.top(t)
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if at := p.Fset.Position(named.Obj().Pos()); at.IsValid() {
			n.Where = fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
		}
	}
	return n
}

// top returns a type that was asked for.
func (b builder) top(t types.Type) *layout.Node {
	n := b.node("", t, 0)
	n.Name, n.Path, n.Open = n.Type, b.path, true
	return &n
}

// qualify names packages as sources do.
func (b builder) qualify(p *types.Package) string {
	if p.Path() == b.path {
		return ""
	}
	return p.Name()
}

func (b builder) node(name string, t types.Type, offset int64) layout.Node {
	n := layout.Node{
		Name: name, Type: types.TypeString(t, b.qualify), Arch: b.arch, Offset: offset,
		Size: max(b.sizes.Sizeof(t), 0), Align: b.sizes.Alignof(t), Pointers: hasPointers(t),
	}
	pkgPath, typeName := nameOf(t)
	switch {
	case n.Size == 0: // such as atomic.noCopy
	case layout.IsPad(name, types.TypeString(t.Underlying(), nil)):
		n.Role = layout.Pad
	default:
		n.Role = layout.RoleOf(pkgPath, typeName)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n.Open = n.Role == layout.Plain && (typeName == "" || pkgPath == b.path)
		if name == "" || pkgPath != "sync" || typeName != "Once" { // whose atomic fields are written but once
			n.Fields = b.fields(u)
		}
	case *types.Array:
		elem := b.node("", u.Elem(), 0)
		n.Elem, n.Len = &elem, u.Len()
	}
	return n
}

func (b builder) fields(s *types.Struct) (fields []layout.Node) {
	vars := slices.Collect(s.Fields())
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

// nameOf returns the package and the name of a type, without arguments.
func nameOf(t types.Type) (pkgPath, name string) {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return "", ""
	}
	if named.Obj().Pkg() != nil {
		pkgPath = named.Obj().Pkg().Path()
	}
	name, _, _ = strings.Cut(named.Obj().Name(), "[") // those of a binary have the arguments in their name
	return pkgPath, name
}

// hasPointers reports whether the collector looks into values of a type.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return hasPointers(f.Type()) })
	}
	return true
}

// atomicFields finds the fields whose address, or that of an element, is passed to
// a function of sync/atomic: atomic.AddInt64(&c.hits, 1).
func atomicFields(files []*ast.File, info *types.Info) map[*types.Var]bool {
	found := map[*types.Var]bool{}
	for call := range inspector.All[*ast.CallExpr](inspector.New(files)) {
		if len(call.Args) > 0 && isAtomicCall(call, info) {
			if v := addressed(call.Args[0], info); v != nil {
				found[v.Origin()] = true
			}
		}
	}
	return found
}

func isAtomicCall(call *ast.CallExpr, info *types.Info) bool {
	f := typeutil.StaticCallee(info, call)
	return f != nil && f.Pkg() != nil && f.Signature().Recv() == nil &&
		(f.Pkg().Path() == "sync/atomic" || strings.HasSuffix(f.Pkg().Path(), "runtime/atomic"))
}

// addressed returns the field in &x.f, &x.f[i] and the same in parentheses. The elements of a slice lie elsewhere.
func addressed(e ast.Expr, info *types.Info) *types.Var {
	address, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || address.Op != token.AND {
		return nil
	}
	e = ast.Unparen(address.X)
	for index, ok := e.(*ast.IndexExpr); ok; index, ok = e.(*ast.IndexExpr) {
		if _, ok := info.TypeOf(index.X).Underlying().(*types.Array); !ok {
			return nil
		}
		e = ast.Unparen(index.X)
	}
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if s := info.Selections[sel]; s != nil && s.Kind() == types.FieldVal {
			return s.Obj().(*types.Var)
		}
	}
	return nil
}
