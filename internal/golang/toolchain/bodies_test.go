package toolchain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// TestWithoutBodies: what package runtime declares is the same with and without bodies, and text
// that gofmt did not write is parsed as it is.
func TestWithoutBodies(t *testing.T) {
	tc := local(t)
	have, err := tc.runtimeDecls()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, name := range []string{"proc.go", "runtime2.go", "os_linux.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), tc.src("runtime/"+name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				want[signature(fn)] = true
			}
			addNames(want, d)
		}
	}
	for need := range want {
		if !have[need] {
			t.Errorf("no %s", need)
		}
	}

	root := t.TempDir()
	src := filepath.Join(root, "src", "runtime")
	if err := os.MkdirAll(src, 0o777); err != nil {
		t.Fatal(err)
	}
	const odd = "package runtime\n\nfunc one() {\n\t_ = `\n}`\n}\n\nfunc two() { }; var three = func() {\n}\n"
	if err := os.WriteFile(filepath.Join(src, "odd.go"), []byte(odd), 0o666); err != nil {
		t.Fatal(err)
	}
	have, err = (&Toolchain{Root: root}).runtimeDecls()
	if err != nil || !have["func one()"] || !have["func two()"] || !have["name three"] {
		t.Errorf("%v, %v", have, err)
	}
}
