package structs

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// atomicFields finds the fields whose address, or that of an element, is passed to
// a function of sync/atomic: atomic.AddInt64(&c.hits, 1).
func atomicFields(files []*ast.File, info *types.Info) map[*types.Var]bool {
	found := map[*types.Var]bool{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) > 0 && isAtomicCall(call, info) {
				if v := addressed(call.Args[0], info); v != nil {
					found[v.Origin()] = true
				}
			}
			return true
		})
	}
	return found
}

func isAtomicCall(call *ast.CallExpr, info *types.Info) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return false
	}
	return f.Pkg().Path() == "sync/atomic" || strings.HasSuffix(f.Pkg().Path(), "runtime/atomic")
}

// addressed returns the field in &x.f, &x.f[i] and the same in parentheses.
func addressed(e ast.Expr, info *types.Info) *types.Var {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return nil
	}
	x, indexed := ast.Unparen(u.X), false
	for {
		index, ok := x.(*ast.IndexExpr)
		if !ok {
			break
		}
		x, indexed = ast.Unparen(index.X), true
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	v, _ := s.Obj().(*types.Var)
	if v == nil || indexed && !isArray(v.Type()) {
		return nil // the elements of a slice are elsewhere
	}
	return v
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}
