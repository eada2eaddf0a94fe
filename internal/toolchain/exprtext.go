package toolchain

import (
	"go/ast"

	"strings"
)

// exprText returns the text of a type, as types.ExprString does: package go/types would add 0.3 MB to tare. Of what
// no signature of package runtime has, such as a literal of a function, the text is "?".
func exprText(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.BasicLit:
		return x.Value
	case *ast.SelectorExpr:
		return exprText(x.X) + "." + x.Sel.Name
	case *ast.StarExpr:
		return "*" + exprText(x.X)
	case *ast.ParenExpr:
		return "(" + exprText(x.X) + ")"
	case *ast.UnaryExpr:
		return x.Op.String() + exprText(x.X)
	case *ast.BinaryExpr:
		return exprText(x.X) + " " + x.Op.String() + " " + exprText(x.Y)
	case *ast.CallExpr:
		return exprText(x.Fun) + "(" + exprTexts(x.Args) + ")"
	case *ast.IndexExpr:
		return exprText(x.X) + "[" + exprText(x.Index) + "]"
	case *ast.IndexListExpr:
		return exprText(x.X) + "[" + exprTexts(x.Indices) + "]"
	case *ast.CompositeLit:
		if len(x.Elts) == 0 {
			return exprText(x.Type) + "{}"
		}
	case *ast.Ellipsis:
		if x.Elt == nil { // of an array
			return "..."
		}
		return "..." + exprText(x.Elt)
	case *ast.ArrayType:
		if x.Len == nil {
			return "[]" + exprText(x.Elt)
		}
		return "[" + exprText(x.Len) + "]" + exprText(x.Elt)
	case *ast.MapType:
		return "map[" + exprText(x.Key) + "]" + exprText(x.Value)
	case *ast.ChanType:
		return chanText(x)
	case *ast.FuncType:
		return "func" + signatureText(x)
	case *ast.StructType:
		return "struct{" + fieldTexts(x.Fields, "; ") + "}"
	case *ast.InterfaceType:
		return "interface{" + methodTexts(x.Methods) + "}"
	}
	return "?"
}

func exprTexts(list []ast.Expr) string {
	var out []string
	for _, e := range list {
		out = append(out, exprText(e))
	}
	return strings.Join(out, ", ")
}

func chanText(x *ast.ChanType) string {
	switch x.Dir {
	case ast.SEND:
		return "chan<- " + exprText(x.Value)
	case ast.RECV:
		return "<-chan " + exprText(x.Value)
	}
	if inner, ok := x.Value.(*ast.ChanType); ok && inner.Dir == ast.RECV {
		return "chan (" + exprText(x.Value) + ")" // chan <-chan T is read otherwise
	}
	return "chan " + exprText(x.Value)
}

// signatureText returns parameters and results.
func signatureText(f *ast.FuncType) string {
	text := "(" + fieldTexts(f.Params, ", ") + ")"
	switch {
	case f.Results.NumFields() == 0:
		return text
	case len(f.Results.List) == 1 && len(f.Results.List[0].Names) == 0:
		return text + " " + exprText(f.Results.List[0].Type)
	}
	return text + " (" + fieldTexts(f.Results, ", ") + ")"
}

func fieldTexts(list *ast.FieldList, between string) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, f := range list.List {
		out = append(out, fieldText(f))
	}
	return strings.Join(out, between)
}

// fieldText returns names and type: "a, b int".
func fieldText(f *ast.Field) string {
	var names []string
	for _, n := range f.Names {
		names = append(names, n.Name)
	}
	if len(names) == 0 {
		return exprText(f.Type)
	}
	return strings.Join(names, ", ") + " " + exprText(f.Type)
}

// methodTexts returns the methods and embedded types of an interface.
func methodTexts(list *ast.FieldList) string {
	var out []string
	for _, f := range list.List {
		if fn, ok := f.Type.(*ast.FuncType); ok && len(f.Names) == 1 {
			out = append(out, f.Names[0].Name+signatureText(fn))
			continue
		}
		out = append(out, exprText(f.Type))
	}
	return strings.Join(out, "; ")
}
