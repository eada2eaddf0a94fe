package instrument

import "go/ast"

// aliases maps a package's alias types to their types. A method declared on an alias has the name of the type.
type aliases map[string]ast.Expr

// declared adds the aliases of a file.
func (a aliases) declared(file *ast.File) {
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && t.Assign.IsValid() {
				a[t.Name.Name] = t.Type
			}
		}
	}
}

// funcName returns a declaration's name without its package, as the compiler writes it.
func (a aliases) funcName(d *ast.FuncDecl) string {
	name := d.Name.Name
	if d.Recv == nil || len(d.Recv.List) == 0 {
		if d.Type.TypeParams.NumFields() > 0 {
			name += "[...]"
		}
		return name
	}
	star, args := "", ""
	seen := make(map[string]bool) // invalid code may contain cycles
	for t := d.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.StarExpr:
			t, star = x.X, "*"
			continue
		case *ast.IndexExpr:
			t, args = x.X, "[...]"
			continue
		case *ast.IndexListExpr:
			t, args = x.X, "[...]"
			continue
		case *ast.Ident:
			if to := a[x.Name]; to != nil && !seen[x.Name] {
				seen[x.Name], t = true, to
				continue
			}
			if star != "" {
				return "(*" + x.Name + args + ")." + name
			}
			return x.Name + args + "." + name
		}
		return name
	}
}
