package toolchain

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// needPlatforms are those on which the files of a half differ.
var needPlatforms = map[RuntimePart][]string{
	Probes:  {"linux/amd64", "linux/s390x", "darwin/arm64", "freebsd/amd64", "netbsd/amd64", "openbsd/amd64"},
	Sampler: {"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"},
	Totals:  {"linux/amd64", "linux/arm64", "linux/riscv64", "darwin/arm64", "freebsd/amd64"},
}

// TestNeeds: what a half asks of a runtime is what its files use, on all systems at full length.
func TestNeeds(t *testing.T) {
	testutil.NeedLong(t, "lists packages for each system")
	tc := local(t)
	usual := build.Default
	defer func() { build.Default = usual }()
	build.Default.GOROOT, build.Default.CgoEnabled = tc.Root, false
	for half, all := range needPlatforms {
		want := map[string]bool{}
		if !testutil.Long() {
			all = all[:1]
		}
		for _, platform := range all {
			build.Default.GOOS, build.Default.GOARCH, _ = strings.Cut(platform, "/")
			maps.Copy(want, uses(t, tc, half))
		}
		have := map[string]bool{}
		for _, n := range runtimeParts[half].needs {
			if have[n] {
				t.Errorf("%s: %s is there twice", runtimeParts[half].dir, n)
			}
			have[n] = true
		}
		for _, x := range slices.Sorted(maps.Keys(want)) {
			if !have[x] {
				t.Errorf("%s: not asked for: %q,", runtimeParts[half].dir, x)
			}
		}
		for _, x := range slices.Sorted(maps.Keys(have)) {
			if !want[x] && testutil.Long() { // other systems may use it
				t.Errorf("%s: asked for and not used: %q", runtimeParts[half].dir, x)
			}
		}
	}
}

// uses returns what the files of a half use of package runtime on the platform of build.Default.
func uses(t *testing.T, tc *Toolchain, h RuntimePart) map[string]bool {
	t.Helper()
	here := *tc
	here.OS, here.Arch = build.Default.GOOS, build.Default.GOARCH
	x := runtimeParts[h]
	x.needs = nil
	texts, err := x.files(&here, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := here.src("runtime")
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
		if !strings.HasPrefix(filepath.Base(path), "tare_") {
			dropBodies(f)
		}
		files = append(files, f)
	}
	out := map[string]bool{}
	for _, name := range list.GoFiles {
		if text, ok := texts["runtime/"+name]; ok {
			add(name, text)
			delete(texts, "runtime/"+name)
		} else {
			add(filepath.Join(dir, name), nil)
		}
	}
	for name, text := range texts {
		if filepath.Ext(name) != ".go" || !strings.HasPrefix(filepath.Base(name), "tare_") {
			continue
		}
		folder := "_runtime/" + x.dir
		if _, err := os.Stat(filepath.Join(folder, filepath.Base(name))); err != nil {
			folder = "_runtime/shared"
		}
		use, err := build.Default.MatchFile(folder, filepath.Base(name))
		if err != nil {
			t.Fatal(err)
		} else if use {
			add(filepath.Base(name), text)
			for _, i := range files[len(files)-1].Imports {
				if path := strings.Trim(i.Path.Value, `"`); path != "unsafe" {
					out["import "+path] = true
				}
			}
		}
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{DisableUnusedImportCheck: true, Importer: importer.ForCompiler(fset, "source", nil), Sizes: types.SizesFor("gc", build.Default.GOARCH)}
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
	isMine := func(p token.Pos) bool { return strings.HasPrefix(fset.Position(p).Filename, "tare_") }
	for _, e := range x.edits {
		switch {
		case e.structure != "":
			out["type "+e.structure] = true
		case !e.optional:
			out[e.function] = true
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
		typ := pointed(s.Recv())
		for _, i := range s.Index()[:len(s.Index())-1] { // through embedded fields
			typ = pointed(typ.Underlying().(*types.Struct).Field(i).Type())
		}
		named, ok := typ.(*types.Named)
		if !ok {
			continue // of a variable whose type has no name, such as debug
		}
		if name := s.Obj().Name(); !strings.HasPrefix(name, "tare") {
			out[named.Obj().Name()+"."+name] = true
		}
	}
	return out
}

// dropBodies leaves nothing but their types of functions, as far as that may be checked.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Type.TypeParams == nil && fn.Name.Name != "init" {
			fn.Body = nil
		}
	}
}

// pointed returns what a pointer points to, and any other type itself.
func pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// TestFormerPaths: a package is imported by the path that it has in the toolchain.
func TestFormerPaths(t *testing.T) {
	const now, then = "internal/runtime/syscall/linux", "internal/runtime/syscall"
	for _, c := range []struct {
		dirs []string
		want string
	}{{[]string{then, now}, now}, {[]string{then}, then}, {nil, now}} {
		root := t.TempDir()
		for _, dir := range c.dirs {
			if err := os.MkdirAll(filepath.Join(root, "src", dir), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, "src", dir, "a.go"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		tc := &Toolchain{Root: root}
		if got := tc.adapted(`import linux "` + now + `"`); got != `import linux "`+c.want+`"` {
			t.Errorf("%v: %s", c.dirs, got)
		}
		if err := tc.checkNeeds(nil, []string{"import " + now}); (err == nil) != (c.dirs != nil) {
			t.Errorf("%v: %v", c.dirs, err)
		}
	}
}
