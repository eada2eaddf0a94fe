package build

import "go/ast"

// walker collects what the code of one file mentions.
type walker struct {
	g *graph
	source
	self string // import name of the package under test in an external test file
	dot  bool   // the package under test is imported as "."
}

// walk collects everything that n, which is code of from, mentions.
func (w *walker) walk(from node, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			w.selector(from, n)
			w.walk(from, n.X)
			return false
		case *ast.KeyValueExpr:
			// The key of a struct literal is the name of a field, even if a function has the same name.
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

// walkVars collects what the initial value of each variable mentions.
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

// assign records what is assigned to a package-level variable, or to a part of it, as mentioned by that variable:
// init often fills tables.
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

// root returns x of x, x.f, x[i].f and *x, or nil.
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

// ident records a plain name unless it is local.
func (w *walker) ident(from node, id *ast.Ident) {
	if w.isGlobal(id) {
		if to, ok := w.lookup(id.Name); ok {
			w.addMention(from, to)
		}
	}
}

// selector records x.Name: RunParallel itself, a method of that name, or a name of the package under test.
func (w *walker) selector(from node, s *ast.SelectorExpr) {
	name := s.Sel.Name
	if direct := w.g.direct[name]; direct != nil && (name == methodParallel || w.ofBenchmark(s.X)) {
		direct[from] = true
	}
	switch x := s.X.(type) {
	case *ast.Ident:
		if w.isImport(x) {
			if x.Name == w.self {
				w.addMention(from, node{unitPackage, false, name})
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
	w.addMention(from, node{w.unit, true, name})
	if w.unit == unitExternal {
		w.addMention(from, node{unitPackage, true, name})
	}
}

func (w *walker) addMention(from, to node) {
	if from != to && w.g.declared[to] {
		w.g.mentions[from] = append(w.g.mentions[from], to)
	}
}

// lookup returns the node of a package-level name.
func (w *walker) lookup(name string) (node, bool) {
	n := node{w.unit, false, name}
	if w.g.declared[n] {
		return n, true
	}
	n.unit = unitPackage
	return n, w.dot && w.g.declared[n]
}

// isGlobal reports whether id is not declared inside a function: the parser has found no declaration in this
// file, or one at package level.
func (w *walker) isGlobal(id *ast.Ident) bool {
	return id.Obj == nil || w.file.Scope != nil && w.file.Scope.Lookup(id.Name) == id.Obj
}

// isImport reports whether id names an imported package: it is declared neither in this file nor elsewhere
// in the package.
func (w *walker) isImport(id *ast.Ident) bool {
	if id.Obj != nil {
		return false
	}
	_, ok := w.lookup(id.Name)
	return !ok
}

// ofBenchmark reports whether an expression is a *testing.B as far as names tell.
func (w *walker) ofBenchmark(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return isTestingVar(x)
	case *ast.SelectorExpr:
		return w.g.benchField[w.unit][x.Sel.Name]
	}
	return false
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

// isTestingType reports whether a type is *testing.B, testing.TB or similar.
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

// typeName returns the name of an embedded field of the type.
func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}
