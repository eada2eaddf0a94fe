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
	reach      map[string]map[string]bool // by name of testing.B and benchmark
}

// Benchmarks returns the names of the benchmark functions ("BenchmarkX") in order of declaration, the package before
// its external test package.
func (s Sources) Benchmarks() []string { return s.benchmarks }

// Parallel reports whether the benchmark function name ("BenchmarkX") may call RunParallel. Package testing must then
// choose N: with a fixed N, RunParallel takes its iterations one by one from a shared counter.
func (s Sources) Parallel(name string) bool { return s.reach[methodParallel][name] }

// Loops reports how the benchmark function name ("BenchmarkX") may loop: over b.N, by b.Loop, by RunParallel.
// All are false if its loop is in another package.
func (s Sources) Loops(name string) (n, loop, parallel bool) {
	return s.reach[fieldN][name], s.reach[methodLoop][name], s.reach[methodParallel][name]
}

// Resets reports whether the benchmark function name ("BenchmarkX") may call ResetTimer.
func (s Sources) Resets(name string) bool { return s.reach[methodReset][name] }

// Scan parses a package to find its benchmarks and how they may loop. It follows names: from a function to each
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
	s := Sources{reach: map[string]map[string]bool{}}
	reach := map[string]map[node]bool{}
	for name := range g.direct {
		s.reach[name], reach[name] = map[string]bool{}, g.reaching(name)
	}
	for _, src := range g.files {
		for _, d := range src.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && src.tests && isBenchmark(f) {
				s.benchmarks = append(s.benchmarks, f.Name.Name)
				for name, nodes := range reach {
					if nodes[node{src.unit, false, f.Name.Name}] {
						s.reach[name][f.Name.Name] = true
					}
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
