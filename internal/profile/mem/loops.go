package mem

import (
	"go/ast"
	"go/token"
	"slices"
)

// benchmark is a function with a parameter *testing.B, and where memory is read in it.
type benchmark struct {
	b      string   // the parameter
	counts []string // variables that were set from b.N
	inLoop bool     // visiting the body of a loop, where a return ends the measurement
	reads  []read
}

// read is a place behind a statement, or before a return.
type read struct {
	at       token.Pos
	alive    scope // variables to keep alive until then
	keepOnly bool  // the reading itself is done elsewhere
	before   bool  // at is where a return statement begins
}

// list finds the loops among statements. Of several loops in one list only the last is read: what lives then is what
// was measured. A return inside a loop ends the benchmark: memory is read before it, in each loop.
func (f *benchmark) list(list []ast.Stmt, visible scope) {
	if f.inLoop {
		f.returns(list, visible)
		return
	}
	last := -1
	for i, stmt := range list {
		f.noteCounts(unlabelled(stmt))
		if f.isLoop(unlabelled(stmt)) {
			last = i
		}
	}
	for i, stmt := range list {
		if i == last {
			f.reads = append(f.reads, read{at: stmt.End(), alive: visible})
		}
		f.inLoop = f.isLoop(unlabelled(stmt))
		f.within(unlabelled(stmt), visible)
		f.inLoop = false
		visible = visible.with(unlabelled(stmt))
	}
}

// returns adds a read before each return statement in the body of a loop.
func (f *benchmark) returns(list []ast.Stmt, visible scope) {
	for _, stmt := range list {
		stmt = unlabelled(stmt)
		if _, ok := stmt.(*ast.ReturnStmt); ok {
			f.reads = append(f.reads, read{at: stmt.Pos(), alive: visible, before: true})
		}
		f.within(stmt, visible)
		visible = visible.with(stmt)
	}
}

// within finds the loops in the bodies of a statement.
func (f *benchmark) within(stmt ast.Stmt, visible scope) {
	switch stmt := stmt.(type) {
	case *ast.BlockStmt:
		f.list(stmt.List, visible)
	case *ast.IfStmt:
		visible = visible.with(stmt.Init)
		f.list(stmt.Body.List, visible)
		f.within(stmt.Else, visible)
	case *ast.ForStmt:
		f.list(stmt.Body.List, visible.with(stmt.Init))
	case *ast.RangeStmt:
		if stmt.Tok == token.DEFINE {
			visible = visible.add(stmt.Key, stmt.Value)
		}
		f.list(stmt.Body.List, visible)
	case *ast.SwitchStmt:
		f.list(stmt.Body.List, visible.with(stmt.Init))
	case *ast.TypeSwitchStmt:
		f.list(stmt.Body.List, visible.with(stmt.Init))
	case *ast.SelectStmt:
		f.list(stmt.Body.List, visible)
	case *ast.CaseClause:
		f.list(stmt.Body, visible)
	case *ast.CommClause:
		f.list(stmt.Body, visible.with(stmt.Comm))
	}
}

// isLoop reports whether a statement is the loop of a benchmark.
func (f *benchmark) isLoop(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.ForStmt:
		return f.countsIn(stmt.Init, stmt.Cond, stmt.Post) || f.countsWithin(stmt.Body)
	case *ast.RangeStmt:
		return f.countsIn(stmt.X) || f.countsWithin(stmt.Body)
	case *ast.ExprStmt:
		call, ok := stmt.X.(*ast.CallExpr)
		return ok && f.isMethod(call.Fun, "RunParallel")
	}
	return false
}

// countsWithin reports whether the body of a for statement mentions the number of operations outside of any loop in it.
func (f *benchmark) countsWithin(body *ast.BlockStmt) bool {
	inner := benchmark{b: f.b, counts: f.counts}
	inner.list(body.List, nil)
	return len(inner.reads) == 0 && f.mentions(body, false)
}

// countsIn reports whether one of some nodes mentions the number of operations.
func (f *benchmark) countsIn(nodes ...ast.Node) bool {
	return slices.ContainsFunc(nodes, func(n ast.Node) bool { return n != nil && f.mentions(n, false) })
}

// mentions reports whether a node uses b.N, a variable that was set from it, b.Loop or b.RunParallel. literals says
// whether function literals in it count, except those with a b of their own.
func (f *benchmark) mentions(n ast.Node, literals bool) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return literals && !slices.Contains(scope(nil).addFields(n.Type.Params), f.b)
		case *ast.SelectorExpr:
			found = found || f.isMethod(n, "N") || f.isMethod(n, "Loop") || f.isMethod(n, "RunParallel")
			return !found && !isName(n.X, f.b)
		case *ast.Ident:
			found = found || slices.Contains(f.counts, n.Name)
		}
		return !found
	})
	return found
}

// isMethod reports whether x is b.name.
func (f *benchmark) isMethod(x ast.Expr, name string) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name && isName(s.X, f.b)
}

// noteCounts notes variables that a statement sets from b.N by arithmetic.
func (f *benchmark) noteCounts(stmt ast.Stmt) {
	a, ok := stmt.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != len(a.Rhs) {
		return
	}
	for i, x := range a.Rhs {
		if id, ok := a.Lhs[i].(*ast.Ident); ok && id.Name != "_" && f.isArithmetic(x) && f.mentions(x, false) {
			f.counts = append(f.counts, id.Name)
		}
	}
}

// isArithmetic reports whether x is a number that is computed without a function. Conversions are allowed.
func (f *benchmark) isArithmetic(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.isArithmetic(x.X)
	case *ast.BinaryExpr:
		return f.isArithmetic(x.X) && f.isArithmetic(x.Y)
	case *ast.CallExpr:
		name, ok := x.Fun.(*ast.Ident)
		return ok && len(x.Args) == 1 && slices.Contains([]string{"int", "int64", "int32", "uint", "uint64", "uint32", "float64"}, name.Name) && f.isArithmetic(x.Args[0])
	case *ast.SelectorExpr, *ast.Ident, *ast.BasicLit:
		return true
	}
	return false
}

// fallBack finds the read of a function without a loop. If it mentions the number of operations, such as in goroutines
// that it starts, it is read at its end. If it passes b to a function, that has the loop.
func (f *benchmark) fallBack(list []ast.Stmt, t *ast.FuncType) {
	visible := scope(nil).addFields(t.Params).addFields(t.Results)
	var end, passed *read
	counts := false
	for _, stmt := range list {
		if _, returns := stmt.(*ast.ReturnStmt); returns {
			continue
		}
		counts = counts || f.mentions(stmt, true)
		if f.passes(stmt) {
			passed = &read{at: stmt.End(), alive: visible, keepOnly: true}
		}
		end = &read{at: stmt.End(), alive: visible}
		visible = visible.with(unlabelled(stmt))
	}
	switch {
	case counts:
		f.reads = append(f.reads, *end)
	case passed != nil:
		f.reads = append(f.reads, *passed)
	}
}

// passes reports whether b is an argument of a call in n.
func (f *benchmark) passes(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || slices.ContainsFunc(n.Args, func(x ast.Expr) bool { return isName(x, f.b) })
		}
		return !found
	})
	return found
}

func isName(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

func unlabelled(stmt ast.Stmt) ast.Stmt {
	for {
		l, ok := stmt.(*ast.LabeledStmt)
		if !ok {
			return stmt
		}
		stmt = l.Stmt
	}
}
