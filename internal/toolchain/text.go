package toolchain

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// texts are the files that are added to package testing. Those of package hook
// compile there as well as here.
//
//go:embed hook/count.go hook/line.go hook/next.go hook/pipe.go hook/_testing/run.go hook/_testing/part.go
var texts embed.FS

var textNames = []string{"hook/count.go", "hook/line.go", "hook/next.go", "hook/pipe.go", "hook/_testing/part.go", "hook/_testing/run.go"}

// filePrefix begins the names of added files.
const filePrefix = "tare_"

// Part is the half of a profiler that works in the measured process: a file
// that becomes one of package testing. It declares a variable tareNAME of type
// tarePart, which says what is to be called when; hook/_testing/part.go tells
// more. Names of its own begin with tare, too. It imports nothing but what
// package testing imports: else packages of the standard library cannot be built.
type Part struct {
	Name   string // an identifier that begins with a capital
	Source string
}

// hookFiles are all files that are added to package testing, which is in dir.
func hookFiles(dir string, parts []Part) ([]file, error) {
	may, err := importable(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnfit, err)
	}
	var files []file
	for _, name := range textNames {
		text, err := texts.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: filePrefix + path.Base(name), text: forTesting(string(text))})
	}
	list := new(strings.Builder)
	list.WriteString("package testing\n\nvar tareParts = []tarePart{")
	for i, p := range parts {
		if err := p.check(parts[:i], may); err != nil {
			return nil, err
		}
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString("tare" + p.Name)
		files = append(files, file{name: filePrefix + "part_" + strings.ToLower(p.Name) + "_.go", text: p.Source})
	}
	list.WriteString("}\n")
	return append(files, file{name: filePrefix + "parts.go", text: list.String()}), nil
}

var packageClause = regexp.MustCompile(`(?m)^package hook$`)

// forTesting makes a file of package hook one of package testing.
func forTesting(text string) string {
	return packageClause.ReplaceAllLiteralString(text, "package testing")
}

func (p Part) check(others []Part, may map[string]bool) error {
	if !token.IsIdentifier(p.Name) || !token.IsExported(p.Name) {
		return fmt.Errorf("profiler part %q: its name is no identifier that begins with a capital", p.Name)
	}
	for _, o := range others {
		if strings.EqualFold(o.Name, p.Name) {
			return fmt.Errorf("profiler part %s: named twice", p.Name)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), p.Name, p.Source, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("profiler part %s: %w", p.Name, err)
	}
	if f.Name.Name != "testing" || !declares(f, "tare"+p.Name) {
		return fmt.Errorf("profiler part %s: wants package testing and a variable tare%s", p.Name, p.Name)
	}
	for _, s := range f.Imports {
		if !may[s.Path.Value] {
			return fmt.Errorf("profiler part %s: may not import %s, package testing does not", p.Name, s.Path.Value)
		}
	}
	return nil
}

// declares reports whether a file declares a variable.
func declares(f *ast.File, name string) bool {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				if id.Name == name {
					return true
				}
			}
		}
	}
	return false
}

// importable are the import paths, in quotes, that files in the directory of
// package testing may have: those that its files have, what os stands on, and
// runtime/metrics, which stands on nothing that they do not, and has no tests
// inside itself: it cannot close a cycle.
func importable(dir string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	may := map[string]bool{`"syscall"`: true, `"unsafe"`: true, `"runtime/metrics"`: true}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_windows.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, s := range f.Imports {
			may[s.Path.Value] = true
		}
	}
	return may, nil
}
