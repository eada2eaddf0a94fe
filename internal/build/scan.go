package build

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sources is what the sources of a package tell about its benchmarks.
type Sources struct {
	benchmarks []string
	parallel   map[string]bool
}

// Benchmarks are the names of the benchmark functions, "BenchmarkX", those of
// the package before those of its external test package, as they are declared.
func (s Sources) Benchmarks() []string { return s.benchmarks }

// Parallel reports whether RunParallel is in reach of the benchmark function
// called name ("BenchmarkX"), and N must therefore be left to testing: with a fixed N
// RunParallel takes its iterations one by one from a shared counter.
func (s Sources) Parallel(name string) bool { return s.parallel[name] }

// Scan reads the sources of a package to find the benchmarks that RunParallel
// can be reached from. It goes by names: from a function to every function,
// method and package-level variable of the package whose name its body
// mentions, and from a variable to what it is initialised with or assigned.
// Types are not checked, so methods of one name are one, and other packages are not looked
// into, but for the package under test from its external tests. Both may be
// wrong: a benchmark said to be parallel without need is measured a little
// less exactly; one whose helper lives in another package is missed.
//
// Files that do not parse are used as far as they do. The error names files
// that could not be read; the Sources are good without them.
func Scan(p Package) (Sources, error) {
	g := newGraph(p)
	var errs []error
	fset := token.NewFileSet()
	for _, set := range []struct {
		names []string
		unit  unit
		tests bool
	}{{p.GoFiles, unitPackage, false}, {p.TestFiles, unitPackage, true}, {p.XTestFiles, unitExternal, true}} {
		for _, name := range set.names {
			src, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				errs = append(errs, fmt.Errorf("scan %s: %w", p.ImportPath, err))
				continue
			}
			// The resolution of identifiers to objects in one file is
			// deprecated for what it cannot know: other files. Here it is
			// wanted for what it does know: which names are local.
			file, _ := parser.ParseFile(fset, name, src, parser.AllErrors)
			if file != nil {
				g.files = append(g.files, source{file, set.unit, set.tests})
			}
		}
	}
	g.declare()
	g.connect()
	return g.sources(), errors.Join(errs...)
}

// sources asks the graph about each benchmark.
func (g *graph) sources() Sources {
	s := Sources{parallel: make(map[string]bool)}
	reach := g.reachParallel()
	for _, src := range g.files {
		for _, d := range src.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && src.tests && isBenchmark(f) {
				s.benchmarks = append(s.benchmarks, f.Name.Name)
				if reach[node{src.unit, false, f.Name.Name}] {
					s.parallel[f.Name.Name] = true
				}
			}
		}
	}
	return s
}

// isBenchmark is go test's rule: BenchmarkX(b *testing.B), where X does not
// start with a lower-case letter.
func isBenchmark(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Benchmark")
	if !ok || f.Recv != nil || f.Type.TypeParams != nil {
		return false
	}
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && unicode.IsLower(r) {
		return false
	}
	params := f.Type.Params.List
	return len(params) == 1 && len(params[0].Names) <= 1
}
