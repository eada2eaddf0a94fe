package toolchain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// writtenKinds begin the texts of types that the test must have come across.
var writtenKinds = []string{"struct{", "interface{", "chan ", "map[", "func("}

// TestExprText compares with package go/types, for all types that are written in some packages of the standard library.
func TestExprText(t *testing.T) {
	kinds := map[string]bool{}
	for _, dir := range []string{"runtime", "reflect", "go/types", "slices", "iter", "net/http", "sync/atomic"} {
		files, err := filepath.Glob(local(t).src(dir + "/*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", dir, err)
		}
		for _, path := range files {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				for _, e := range typesOf(n) {
					compareText(t, path, e, kinds)
				}
				return true
			})
		}
	}
	for _, text := range []string{"chan (<-chan int)", "<-chan chan<- int", "func(a, b int, c ...string) (x, y error)", "func() (n int)",
		"interface{ M(); ~int | string; E }", "struct{ a, b int; *T }", "map[K[a, b]][N + 1]T", "[len(x)]struct{}", "[...]int", "func(func() (int, bool)) (<-chan int)"} {
		e, err := parser.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		compareText(t, "text", e, kinds)
	}
	for _, kind := range writtenKinds {
		if !kinds[kind] {
			t.Errorf("no type with %s was compared", kind)
		}
	}
}

// typesOf returns the types that a node writes.
func typesOf(n ast.Node) []ast.Expr {
	switch x := n.(type) {
	case *ast.Field:
		return []ast.Expr{x.Type}
	case *ast.TypeSpec:
		return []ast.Expr{x.Type}
	case *ast.FuncDecl:
		return []ast.Expr{x.Type}
	}
	return nil
}

func compareText(t *testing.T, place string, e ast.Expr, kinds map[string]bool) {
	t.Helper()
	got, want := exprText(e), types.ExprString(e)
	if got != want {
		t.Errorf("%s: %q, want %q", place, got, want)
	}
	for _, kind := range writtenKinds {
		kinds[kind] = kinds[kind] || strings.Contains(got, kind)
	}
}
