package sample

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAnchors: what is asked of a runtime is what the texts use of it, on all systems.
func TestAnchors(t *testing.T) {
	want := map[string]bool{"import internal/runtime/syscall/linux": true}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	usual := build.Default
	defer func() { build.Default = usual }()
	build.Default.GOROOT = strings.TrimSpace(string(out))
	for _, system := range []string{"linux", "darwin"} {
		for _, arch := range []string{"amd64", "arm64"} {
			build.Default.GOOS, build.Default.GOARCH, build.Default.CgoEnabled = system, arch, false
			maps.Copy(want, uses(t))
		}
	}
	have := map[string]bool{}
	for _, a := range slices.Concat(anchors, fields) {
		if !have[a] {
			have[a] = true
			continue
		}
		t.Errorf("%s is there twice", a)
	}
	for _, x := range slices.Sorted(maps.Keys(want)) {
		if !have[x] {
			t.Errorf("not asked for: %q,", x)
		}
	}
	for _, x := range slices.Sorted(maps.Keys(have)) {
		if !want[x] {
			t.Errorf("asked for and not used: %q", x)
		}
	}
}

// uses are what the texts use of the runtime on the system of build.Default.
func uses(t *testing.T) map[string]bool {
	t.Helper()
	dir := filepath.Join(build.Default.GOROOT, "src", "runtime")
	list, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	add := func(path string, text any) {
		f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	for _, name := range list.GoFiles {
		add(filepath.Join(dir, name), nil)
	}
	mine, err := insideTexts.ReadDir(insideDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mine {
		text, _ := insideTexts.ReadFile(insideDir + "/" + f.Name())
		if use, err := build.Default.MatchFile(insideDir, f.Name()); err != nil {
			t.Fatal(err)
		} else if use {
			add(f.Name(), text)
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Sizes: types.SizesFor("gc", build.Default.GOARCH)}
	pkg, err := conf.Check("runtime", fset, files, info)
	if err != nil {
		t.Fatal(build.Default.GOOS, build.Default.GOARCH, err)
	}
	decls := map[token.Pos]*ast.FuncDecl{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				decls[fn.Name.Pos()] = fn
			}
		}
	}
	isMine := func(p token.Pos) bool { return strings.HasPrefix(fset.Position(p).Filename, "tare_sample") }
	out := map[string]bool{}
	for _, fn := range decls {
		if slices.ContainsFunc(hooks, func(h hook) bool { return h.fn == fn.Name.Name }) {
			out[signature(fn)] = true
		}
	}
	for id, obj := range info.Uses {
		if !isMine(id.Pos()) || isMine(obj.Pos()) || obj.Pkg() != pkg || obj.Parent() != pkg.Scope() && obj.Parent() != nil {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			out[signature(decls[obj.Pos()])] = true
		case *types.Var:
			if !obj.IsField() {
				out["name "+obj.Name()] = true
			}
		case *types.TypeName:
			out["type "+obj.Name()] = true
		default:
			out["name "+obj.Name()] = true
		}
	}
	for sel, s := range info.Selections {
		if s.Kind() != types.FieldVal || !isMine(sel.Pos()) || s.Obj().Pkg() != pkg || isMine(s.Obj().Pos()) {
			continue
		}
		typ := s.Recv()
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			typ = p.Elem()
		}
		named, ok := typ.(*types.Named)
		if !ok {
			continue // of a variable whose type has no name, such as debug
		}
		out[named.Obj().Name()+"."+s.Obj().Name()] = true
	}
	return out
}
