package instrument

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tarebench/tare/internal/gocmd"
)

// ErrUnfit is wrapped by the error of a toolchain or system that probes cannot be
// put into.
var ErrUnfit = errors.New("no place for probes")

// probes are the files that are added to package runtime.
//
//go:embed _runtime/*.go _runtime/*.s
var probes embed.FS

// systems are those whose runtime can map a file.
var systems = []string{"darwin", "freebsd", "linux", "netbsd", "openbsd"}

// processors are those of 64 bits.
var processors = []string{"amd64", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x"}

// toolchain is what the go command says about itself.
type toolchain struct {
	GOROOT, GOVERSION, GOOS, GOARCH, GOMODCACHE, GOMOD, GOWORK, GOFLAGS string

	GOAMD64, GOPPC64, GORISCV64 string // which of these processors; "": it is for others

	flags   gocmd.Flags   // of the build: those of GOFLAGS, and those that are typed
	overlay gocmd.Overlay // that these ask for
}

// runtimeFiles are the texts of files in package runtime: its own with a field more
// in every goroutine, and those of the probes. They are the same for all builds of
// a toolchain, which therefore compiles the standard library once.
func runtimeFiles(t *toolchain) (map[string]string, error) {
	if !slices.Contains(systems, t.GOOS) {
		return nil, fmt.Errorf("weave: %w on %s: its runtime cannot map a file", ErrUnfit, t.GOOS)
	}
	if !slices.Contains(processors, t.GOARCH) {
		return nil, fmt.Errorf("weave: %w on %s: probes need 64 bits", ErrUnfit, t.GOARCH)
	}
	const home = "runtime2.go"
	src, err := t.overlay.ReadFile(filepath.Join(t.GOROOT, "src", "runtime", home))
	if err != nil {
		return nil, fmt.Errorf("weave: %w in %s: %w", ErrUnfit, t.GOVERSION, err)
	}
	text, err := addField(src)
	if err != nil {
		return nil, fmt.Errorf("weave: %w in %s, file runtime/%s: %w", ErrUnfit, t.GOVERSION, home, err)
	}
	files := map[string]string{home: text}
	if src, err := t.overlay.ReadFile(filepath.Join(t.GOROOT, "src", "runtime", stackHome)); err == nil {
		if text := scaleStacks(src); text != "" {
			files[stackHome] = text
		}
	}
	list, err := probes.ReadDir("_runtime")
	if err != nil {
		return nil, err // it is compiled in
	}
	for _, f := range list {
		text, err := probes.ReadFile("_runtime/" + f.Name())
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(filepath.Join(t.GOROOT, "src", "runtime", f.Name())); err == nil {
			return nil, fmt.Errorf("weave: %w in %s: its runtime has a file %s", ErrUnfit, t.GOVERSION, f.Name())
		}
		if none := lacks(t, f.Name(), text); none != "" {
			return nil, fmt.Errorf("weave: %w in %s: its runtime is not built from %s", ErrUnfit, t.GOVERSION, none)
		}
		files[f.Name()] = string(text)
	}
	return files, nil
}

// lacks returns a package that a file of the probes imports and the toolchain does not
// have: what runtime is built from has moved, and been divided, with most releases.
func lacks(t *toolchain, name string, text []byte) string {
	if filepath.Ext(name) != ".go" {
		return ""
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
	if err != nil {
		return "" // the compiler will say so
	}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil || path == "unsafe" {
			continue
		}
		if _, err := os.Stat(filepath.Join(t.GOROOT, "src", filepath.FromSlash(path))); err != nil {
			return path
		}
	}
	return ""
}

// addField gives each goroutine a place for its state: the last field of struct g,
// so that the others stay where assembly and debuggers know them to be.
func addField(src []byte) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "runtime2.go", src, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var found []*ast.StructType
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == "g" {
				if s, ok := t.Type.(*ast.StructType); ok && s.Fields.NumFields() > 0 {
					found = append(found, s)
				}
			}
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d structures g, want one", len(found))
	}
	has := make(map[string]bool)
	for _, f := range found[0].Fields.List {
		for _, n := range f.Names {
			has[n.Name] = true
		}
	}
	for _, need := range []string{"m", "goid", "_panic"} {
		if !has[need] {
			return "", fmt.Errorf("structure g has no field %s", need)
		}
	}
	fields := found[0].Fields.List
	at := fset.Position(fields[len(fields)-1].End()).Offset
	return string(src[:at]) + "; tare *tareState" + string(src[at:]), nil
}

// stackHome is where the runtime has what debug.SetMaxStack calls.
const stackHome = "rdebug.go"

// scaleStacks has debug.SetMaxStack say what it said without probes, and mean more, as
// frames of woven functions are larger: see tare_stack.go. It returns "" where the runtime
// does that in another way, and limits that a program sets are then taken literally.
func scaleStacks(src []byte) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, stackHome, src, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Name.Name != "setMaxStack" || d.Body == nil || d.Type.Results.NumFields() != 1 {
			continue
		}
		if p := d.Type.Params; p.NumFields() == 1 && len(p.List[0].Names) == 1 {
			at := fset.Position(d.Body.Lbrace).Offset + 1
			return string(src[:at]) + " return tareSetMaxStack(" + p.List[0].Names[0].Name + ");" + string(src[at:])
		}
	}
	return ""
}
