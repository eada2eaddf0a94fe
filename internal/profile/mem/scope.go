package mem

import (
	"go/ast"
	"go/token"
	"slices"
)

// scope contains the variables of a function that are visible at a place. It is never changed.
type scope []string

// add returns the scope with the variables that a := or a declaration adds.
func (s scope) add(names ...ast.Expr) scope {
	for _, x := range names {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(s, id.Name) {
			s = append(s[:len(s):len(s)], id.Name)
		}
	}
	return s
}

// addFields returns the scope with parameters or results.
func (s scope) addFields(fields *ast.FieldList) scope {
	if fields == nil {
		return s
	}
	for _, f := range fields.List {
		for _, name := range f.Names {
			s = s.add(name)
		}
	}
	return s
}

// with returns the scope behind a statement, which may be nil.
func (s scope) with(stmt ast.Stmt) scope {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		if stmt.Tok == token.DEFINE {
			return s.add(stmt.Lhs...)
		}
	case *ast.DeclStmt:
		if d, ok := stmt.Decl.(*ast.GenDecl); ok {
			return s.withSpecs(d)
		}
	}
	return s
}

// withSpecs adds variables. Constants and types hide variables of their name.
func (s scope) withSpecs(d *ast.GenDecl) scope {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if d.Tok == token.VAR {
					s = s.add(name)
				} else {
					s = s.without(name.Name)
				}
			}
		case *ast.TypeSpec:
			s = s.without(spec.Name.Name)
		}
	}
	return s
}

func (s scope) without(name string) scope {
	return slices.DeleteFunc(slices.Clone(s), func(n string) bool { return n == name })
}
