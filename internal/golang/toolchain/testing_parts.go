package toolchain

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// hookNames are the files that are added to package testing. Those of package hook also compile alone; the others
// compile only as part of testing.
var hookNames = []string{"hook/count.go", "hook/line.go", "hook/next.go", "hook/pipe.go", "_testing/part.go", "_testing/run.go"}

// filePrefix begins the names of added files.
const filePrefix = "testing/tare_"

// Part is the part of a profiler that runs in the measured process: a file that is added to package testing. It
// declares a variable tareNAME of type tarePart, which says when its functions are called; see _testing/part.go. Its
// other names begin with tare, too. It imports only what package testing imports: otherwise packages of the standard
// library could not be built.
type Part struct {
	Name   string // an identifier that begins with a capital letter
	Source string
	More   []string // the sources of more files, in which all names begin with tare
}

// hookFiles returns the texts that are added to package testing. may contains the quoted import paths that parts may
// use.
func hookFiles(parts []Part, may map[string]bool) (map[string]string, error) {
	files := make(map[string]string)
	for _, name := range hookNames {
		files[filePrefix+path.Base(name)] = packageClause.ReplaceAllLiteralString(text(name), "package testing")
	}
	var names []string
	for i, p := range parts {
		if err := p.check(parts[:i], may); err != nil {
			return nil, err
		}
		names = append(names, "tare"+p.Name)
		file := filePrefix + "part_" + strings.ToLower(p.Name)
		files[file+"_.go"] = p.Source
		for i, source := range p.More {
			files[fmt.Sprintf("%s_%d_.go", file, i+2)] = source
		}
	}
	files[filePrefix+"parts.go"] = "package testing\n\nvar tareParts = []tarePart{" + strings.Join(names, ", ") + "}\n"
	return files, nil
}

var packageClause = regexp.MustCompile(`(?m)^package hook$`)

func (p Part) check(others []Part, may map[string]bool) error {
	if !token.IsIdentifier(p.Name) || !token.IsExported(p.Name) {
		return fmt.Errorf("profiler part %q: the name is not an identifier that begins with a capital letter", p.Name)
	}
	for _, o := range others {
		if strings.EqualFold(o.Name, p.Name) {
			return fmt.Errorf("profiler part %s: given twice", p.Name)
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), p.Name, p.Source, parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("profiler part %s: %w", p.Name, err)
	}
	if f.Name.Name != "testing" || !declares(f, "tare"+p.Name) {
		return fmt.Errorf("profiler part %s: needs package testing and a variable tare%s", p.Name, p.Name)
	}
	if err := p.checkImports(f, may); err != nil {
		return err
	}
	for _, source := range p.More {
		f, err := parser.ParseFile(token.NewFileSet(), p.Name, source, parser.ImportsOnly)
		if err != nil {
			return fmt.Errorf("profiler part %s: %w", p.Name, err)
		}
		if err := p.checkImports(f, may); err != nil {
			return err
		}
	}
	return nil
}

func (p Part) checkImports(f *ast.File, may map[string]bool) error {
	for _, s := range f.Imports {
		if !may[s.Path.Value] {
			return fmt.Errorf("profiler part %s: must not import %s, because package testing does not", p.Name, s.Path.Value)
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

// importable returns the quoted import paths that files of package testing may use: those of its files in dir,
// syscall, on which os is built, and runtime/metrics. The latter imports nothing else and has no tests in its own
// package, so it cannot close an import cycle.
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
