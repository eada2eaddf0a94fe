package tare

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPublic holds that who imports a public package can call all of it: no
// exported signature names a type of an internal package.
func TestPublic(t *testing.T) {
	for file := range goFiles(t) {
		path := filepath.ToSlash(file)
		first, _, _ := strings.Cut(path, "/")
		if first == "internal" || first == "cmd" || first == "examples" || first == "suites" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, leak := range leaks(f) {
			t.Errorf("%s: %s, which is internal", file, leak)
		}
	}
}

// leaks lists the exported names of a file whose declaration names a type of an
// internal package of this module.
func leaks(f *ast.File) (out []string) {
	internal := internalImports(f)
	var check func(name string, types ast.Node)
	check = func(name string, types ast.Node) {
		ast.Inspect(types, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.StructType:
				for _, field := range n.Fields.List {
					if len(field.Names) == 0 || anyExported(field.Names) {
						check(name, field.Type)
					}
				}
				return false
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && internal[pkg.Name] {
					out = append(out, fmt.Sprintf("%s names %s.%s", name, pkg.Name, n.Sel.Name))
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d.Recv) {
				check(d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						check(s.Name.Name, s.Type)
					}
				case *ast.ValueSpec:
					if anyExported(s.Names) && s.Type != nil {
						check(s.Names[0].Name, s.Type)
					}
				}
			}
		}
	}
	return out
}

// internalImports are the names by which a file imports internal packages.
func internalImports(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, s := range f.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		if !strings.HasPrefix(path, module+"/internal/") {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if s.Name != nil {
			name = s.Name.Name
		}
		names[name] = true
	}
	return names
}

func anyExported(names []*ast.Ident) bool {
	for _, n := range names {
		if n.IsExported() {
			return true
		}
	}
	return false
}

// exportedReceiver reports whether a function is none's method, or that of an
// exported type.
func exportedReceiver(recv *ast.FieldList) bool {
	if recv == nil {
		return true
	}
	x := recv.List[0].Type
	for {
		switch t := x.(type) {
		case *ast.StarExpr:
			x = t.X
		case *ast.IndexExpr:
			x = t.X
		case *ast.IndexListExpr:
			x = t.X
		case *ast.Ident:
			return t.IsExported()
		default:
			return false
		}
	}
}

// TestLeaks makes sure that the check can fail.
func TestLeaks(t *testing.T) {
	const source = `package p
import ("github.com/tarebench/tare/internal/base/clock"; other "github.com/tarebench/tare/internal/numbers/pace")
func Public(a int, c clock.Cost) {}
func private(c clock.Cost) {}
func (p private) Method(c clock.Cost) {}
func (p *Generic[T]) Method() (x []other.Mode) { return nil }
type Struct struct { Field map[string]clock.Cost; hidden clock.Cost; _ clock.Cost }
type Iface interface { Do(c clock.Cost) }
type Embeds struct { clock.Cost }
var Value clock.Cost
`
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(leaks(f), "; ")
	want := "Public names clock.Cost; Method names other.Mode; Struct names clock.Cost; Iface names clock.Cost; Embeds names clock.Cost; Value names clock.Cost"
	if got != want {
		t.Errorf("leaks are %s\nwant %s", got, want)
	}
}
