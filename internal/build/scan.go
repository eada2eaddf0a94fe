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

// Sources lists the benchmarks declared in a package.
type Sources struct {
	benchmarks []string
	parallel   map[string]bool
}

// Benchmarks returns the names of the benchmark functions ("BenchmarkX") in order of declaration, the package before
// its external test package.
func (s Sources) Benchmarks() []string { return s.benchmarks }

// Parallel reports whether the benchmark function name ("BenchmarkX") may call RunParallel. Package testing must then
// choose N: with a fixed N, RunParallel takes its iterations one by one from a shared counter.
func (s Sources) Parallel(name string) bool { return s.parallel[name] }

// Scan parses a package to find the benchmarks that may call RunParallel. It follows names: from a function to each
// function, method and package-level variable of the package that its body mentions, and from a variable to the
// expressions assigned to it. It does not check types, so methods with the same name count as one. It does not read
// other packages, except the package under test for its external tests. So it may be wrong: a benchmark falsely
// reported as parallel is measured a little less exactly, and one whose helper is in another package is missed.
//
// Of a file that does not parse, Scan uses the parsed part. The error names files that cannot be read; the Sources
// are valid without them.
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
			// The resolution of identifiers is deprecated because it does not know other files. Here it finds
			// local names.
			file, _ := parser.ParseFile(fset, name, src, parser.AllErrors)
			if file != nil {
				g.files = append(g.files, source{file, set.unit, set.tests})
			}
		}
	}
	g.addDeclarations()
	g.addMentions()
	return g.sources(), errors.Join(errs...)
}

// sources returns the benchmarks in the graph.
func (g *graph) sources() Sources {
	s := Sources{parallel: make(map[string]bool)}
	reach := g.reachingParallel()
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

// isBenchmark applies go test's rule: BenchmarkX(b *testing.B), where X does not start with a lower-case letter.
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
