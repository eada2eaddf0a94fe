package build

import "go/ast"

// walker notes what the code of one file mentions.
type walker struct {
	g *graph
	source
	self string // name of the package under test in an external test file
	dot  bool   // it is imported as "."
}

// walk notes everything that n, code of from, mentions.
func (w *walker) walk(from node, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			w.selector(from, n)
			w.walk(from, n.X)
			return false
		case *ast.KeyValueExpr:
			// The key of a struct literal is a field's name and means
			// nothing else, though a function may have it too.
			if _, isName := n.Key.(*ast.Ident); !isName {
				w.walk(from, n.Key)
			}
			w.walk(from, n.Value)
			return false
		case *ast.AssignStmt:
			w.assign(n)
		case *ast.Ident:
			w.ident(from, n)
		}
		return true
	})
}

// walkVars lets each variable mention what it is initialised with.
func (w *walker) walkVars(v *ast.ValueSpec) {
	for i, name := range v.Names {
		from := node{w.unit, false, name.Name}
		switch {
		case len(v.Values) == len(v.Names):
			w.walk(from, v.Values[i])
		case len(v.Values) > 0: // one call, several results
			w.walk(from, v.Values[0])
		}
	}
}

// assign lets a variable of the package level mention what is assigned to it,
// or to a part of it: tables are often filled by init.
func (w *walker) assign(s *ast.AssignStmt) {
	for i, left := range s.Lhs {
		id := root(left)
		if id == nil || !w.isGlobal(id) {
			continue
		}
		target, ok := w.lookup(id.Name)
		if !ok {
			continue
		}
		if len(s.Rhs) == len(s.Lhs) {
			w.walk(target, s.Rhs[i])
		} else if len(s.Rhs) > 0 {
			w.walk(target, s.Rhs[0])
		}
	}
}

// root is x in x, x.f, x[i].f, *x, or nil.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// ident notes a plain name, unless it is a local one.
func (w *walker) ident(from node, id *ast.Ident) {
	if w.isGlobal(id) {
		if to, ok := w.lookup(id.Name); ok {
			w.mention(from, to)
		}
	}
}

// selector notes x.Name: RunParallel itself, a method of that name, or a name
// of the package under test.
func (w *walker) selector(from node, s *ast.SelectorExpr) {
	name := s.Sel.Name
	if name == "RunParallel" {
		w.g.direct[from] = true
	}
	switch x := s.X.(type) {
	case *ast.Ident:
		if w.isImport(x) {
			if x.Name == w.self {
				w.mention(from, node{unitPackage, false, name})
			}
			return
		}
		if isTestingVar(x) {
			return // b.Run is not the package's own method Run
		}
	case *ast.SelectorExpr:
		if w.g.benchField[w.unit][x.Sel.Name] {
			return
		}
	}
	w.mention(from, node{w.unit, true, name})
	if w.unit == unitExternal {
		w.mention(from, node{unitPackage, true, name})
	}
}

func (w *walker) mention(from, to node) {
	if from != to && w.g.declared[to] {
		w.g.mentions[from] = append(w.g.mentions[from], to)
	}
}

// lookup finds a name of the package level.
func (w *walker) lookup(name string) (node, bool) {
	n := node{w.unit, false, name}
	if w.g.declared[n] {
		return n, true
	}
	n.unit = unitPackage
	return n, w.dot && w.g.declared[n]
}

// isGlobal reports whether id is not declared inside a function: the parser
// has found no declaration in this file, or one of its package level.
func (w *walker) isGlobal(id *ast.Ident) bool {
	return id.Obj == nil || w.file.Scope != nil && w.file.Scope.Lookup(id.Name) == id.Obj
}

// isImport reports whether id names an imported package: what is neither
// declared in this file nor elsewhere in the package.
func (w *walker) isImport(id *ast.Ident) bool {
	if id.Obj != nil {
		return false
	}
	_, ok := w.lookup(id.Name)
	return !ok
}

// isTestingVar reports whether id was declared with a type of package testing.
func isTestingVar(id *ast.Ident) bool {
	if id.Obj == nil {
		return false
	}
	switch d := id.Obj.Decl.(type) {
	case *ast.Field:
		return isTestingType(d.Type)
	case *ast.ValueSpec:
		return d.Type != nil && isTestingType(d.Type)
	}
	return false
}

// isTestingType recognises *testing.B, testing.TB and the like.
func isTestingType(e ast.Expr) bool {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "testing"
}

// typeName is the last name of a type: the name of a field that embeds it.
func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}
