package build

import (
	"slices"
	"sort"
	"strings"
	"testing"
)

// scanText scans sources without asking go: files that end in x_test.go are
// those of the external test package.
func scanText(t *testing.T, text string) Sources {
	t.Helper()
	p := Package{ImportPath: "example.com/p", Name: "p", Dir: write(t, t.TempDir(), text)}
	for name := range split(text) {
		switch {
		case strings.HasSuffix(name, "x_test.go"):
			p.XTestFiles = append(p.XTestFiles, name)
		case strings.HasSuffix(name, "_test.go"):
			p.TestFiles = append(p.TestFiles, name)
		default:
			p.GoFiles = append(p.GoFiles, name)
		}
	}
	sort.Strings(p.TestFiles)
	s, err := Scan(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scans: in each text the benchmarks whose names start with BenchmarkPar are
// parallel and the others are not.
var scans = map[string]string{
	"direct": `
-- a_test.go --
package p
func BenchmarkPar(b *testing.B) { b.RunParallel(func(pb *testing.PB) {}) }
func BenchmarkSerial(b *testing.B) { for b.Loop() {} }
func TestX(t *testing.T) {}
`,
	"function literals and method values": `
-- a_test.go --
package p
func BenchmarkParSub(b *testing.B) { b.Run("x", func(b *testing.B) { b.RunParallel(nil) }) }
func BenchmarkParValue(b *testing.B) { f := b.RunParallel; f(nil) }
func BenchmarkParExpr(b *testing.B) { (*testing.B).RunParallel(b, nil) }
func BenchmarkParLater(b *testing.B) { f := func() { g := func() { b.RunParallel(nil) }; g() }; f() }
`,
	"helpers, several files, cycles": `
-- a_test.go --
package p
func BenchmarkParOne(b *testing.B) { one(b) }
func BenchmarkParCycle(b *testing.B) { ping(b) }
func BenchmarkCycle(b *testing.B) { tick(b) }
func ping(b *testing.B) { pong(b) }
func tick(b *testing.B) { tock(b) }
func tock(b *testing.B) { tick(b) }
-- b_test.go --
package p
func one(b *testing.B) { two(b, nil) }
func pong(b *testing.B) { ping(b); Three(b) }
func two(b testing.TB, f func()) { Three(b.(*testing.B)) }
-- c.go --
package p
func Three(b *testing.B) { b.RunParallel(nil) }
`,
	"functions passed on": `
-- a_test.go --
package p
func BenchmarkPar(b *testing.B) { b.Run("x", helper) }
func BenchmarkParGeneric(b *testing.B) { b.Run("x", generic[int]) }
func BenchmarkSerial(b *testing.B) { b.Run("x", other) }
func helper(b *testing.B) { b.RunParallel(nil) }
func generic[T any](b *testing.B) { helper(b) }
func other(b *testing.B) {}
`,
	"methods": `
-- a_test.go --
package p
type suite struct{ b *testing.B }
func (s suite) parallel() { s.b.RunParallel(nil) }
func (s suite) serial() {}
func (s *suite) viaParallel() { s.parallel() }
func BenchmarkPar(b *testing.B) { suite{b}.parallel() }
func BenchmarkParVia(b *testing.B) { s := &suite{b}; s.viaParallel() }
func BenchmarkParValue(b *testing.B) { f := suite{b}.parallel; f() }
func BenchmarkParExpr(b *testing.B) { suite.parallel(suite{b}) }
func BenchmarkSerial(b *testing.B) { suite{b}.serial() }
-- b_test.go --
package p
func BenchmarkParExprElsewhere(b *testing.B) { suite.parallel(suite{b}) }
`,
	"b.Run is not the package's own Run": `
-- a_test.go --
package p
type runner struct{ *testing.B; tb testing.TB }
func (r *runner) Run() { r.RunParallel(nil) }
func BenchmarkSerial(b *testing.B) { b.Run("x", func(bb *testing.B) { bb.Run("y", nil) }) }
func BenchmarkSerialTB(b *testing.B) { var tb testing.TB = b; tb.Run(); r := &runner{}; r.B.Run(); r.tb.Run() }
func BenchmarkPar(b *testing.B) { (&runner{B: b}).Run() }
func BenchmarkParVar(b *testing.B) { r := &runner{B: b}; r.Run() }
func BenchmarkImport(b *testing.B) { exec.Run(); sort.Run() }
`,
	"tables": `
-- a_test.go --
package p
var cases = []struct { name string; f func(*testing.B) }{{"a", serial}, {name: "b", f: par}}
var serials = map[string]func(*testing.B){"a": serial}
var filled = map[string]func(*testing.B){}
var one, two = serial, par
var both, each = results(par)
var list []func(*testing.B)
func init() { filled["x"] = par; list = append(list, par) }
func results(f any) (a, b any) { return }
func par(b *testing.B) { b.RunParallel(nil) }
func serial(b *testing.B) {}
func BenchmarkParTable(b *testing.B) { for _, c := range cases { b.Run(c.name, c.f) } }
func BenchmarkParFilled(b *testing.B) { for n, f := range filled { b.Run(n, f) } }
func BenchmarkParList(b *testing.B) { list[0](b) }
func BenchmarkParTwo(b *testing.B) { two(b) }
func BenchmarkParBoth(b *testing.B) { both(b) }
func BenchmarkParLocal(b *testing.B) { for _, f := range []any{serial, par} { f(b) } }
func BenchmarkTable(b *testing.B) { for n, f := range serials { b.Run(n, f) } }
func BenchmarkOne(b *testing.B) { one(b) }
`,
	"local names hide": `
-- a_test.go --
package p
func par(b *testing.B) { b.RunParallel(nil) }
func BenchmarkParam(b *testing.B) { func(par int) { _ = par }(1) }
func BenchmarkVar(b *testing.B) { par := 1; _ = par }
func BenchmarkField(b *testing.B) { _ = options{par: 1}; o := options{}; o.par = 2 }
func BenchmarkParAfter(b *testing.B) { { par := 1; _ = par }; par(b) }
`,
	"external tests": `
-- p.go --
package p
func Par(b *testing.B) { b.RunParallel(nil) }
func Serial() {}
-- p_test.go --
package p
func helper(b *testing.B) { b.RunParallel(nil) }
func BenchmarkParInside(b *testing.B) { helper(b) }
-- x_test.go --
package p_test
import ("testing"; "example.com/p"; q "example.com/q")
func helper(b *testing.B) {}
func BenchmarkOther(b *testing.B) { helper(b); q.Par(b) }
func BenchmarkOwn(b *testing.B) { p.Serial() }
func BenchmarkParOwn(b *testing.B) { p.Par(b) }
`,
	"external tests with a dot": `
-- p.go --
package p
func Par(b *testing.B) { b.RunParallel(nil) }
-- x_test.go --
package p_test
import . "example.com/p"
func BenchmarkPar(b *testing.B) { Par(b) }
func BenchmarkNot(b *testing.B) { Nothing(b) }
`,
	"broken files": `
-- a_test.go --
package p
func BenchmarkPar(b *testing.B) { helper(b) }
func BenchmarkCut(b *testing.B) { if {
-- b_test.go --
package p
func helper(b *testing.B) { b.RunParallel(nil) }
func }}}
-- c_test.go --
-- d_test.go --
!!
`,
	"not benchmarks": `
-- a.go --
package p
func BenchmarkInSource(b *testing.B) { b.RunParallel(nil) }
-- a_test.go --
package p
func Benchmarklower(b *testing.B) { b.RunParallel(nil) }
func Benchmark(b *testing.B) {}
func (s suite) BenchmarkMethod(b *testing.B) { b.RunParallel(nil) }
func BenchmarkTwo(b *testing.B, n int) { b.RunParallel(nil) }
func BenchmarkPar(b *testing.B) { BenchmarkTwo(b, 1) }
`,
}

func TestScan(t *testing.T) {
	for name, text := range scans {
		s := scanText(t, text)
		if len(s.Benchmarks()) == 0 {
			t.Errorf("%s: no benchmarks", name)
		}
		for _, b := range s.Benchmarks() {
			if want := strings.HasPrefix(b, "BenchmarkPar") && b != "BenchmarkParam"; s.Parallel(b) != want {
				t.Errorf("%s: %s parallel: %v", name, b, !want)
			}
		}
	}
}

func TestScanNames(t *testing.T) {
	s := scanText(t, scans["not benchmarks"])
	if want := []string{"Benchmark", "BenchmarkPar"}; !slices.Equal(s.Benchmarks(), want) {
		t.Errorf("benchmarks %q, want %q", s.Benchmarks(), want)
	}
	s = scanText(t, scans["external tests"])
	if want := []string{"BenchmarkParInside", "BenchmarkOther", "BenchmarkOwn", "BenchmarkParOwn"}; !slices.Equal(s.Benchmarks(), want) {
		t.Errorf("benchmarks %q, want %q", s.Benchmarks(), want)
	}
}

func TestScanUnreadable(t *testing.T) {
	p := Package{ImportPath: "example.com/p", Dir: write(t, t.TempDir(), scans["direct"]), TestFiles: []string{"nosuch_test.go", "a_test.go"}}
	s, err := Scan(p)
	if err == nil || !strings.Contains(err.Error(), "nosuch_test.go") {
		t.Errorf("error %v", err)
	}
	if !s.Parallel("BenchmarkPar") || len(s.Benchmarks()) != 2 {
		t.Errorf("%+v", s)
	}
}

// TestScanStd: what grep finds with a look at who calls what.
func TestScanStd(t *testing.T) {
	opt := offline(t, t.TempDir())
	for _, c := range []struct {
		pkg            string
		parallel, none []string
	}{
		{"sort", nil, []string{"BenchmarkSortInt1K", "BenchmarkSearchWrappers"}},
		{"strings", nil, []string{"BenchmarkIndexRune", "BenchmarkMap"}},
		{"sync", []string{"BenchmarkMutex", "BenchmarkMapLoadMostlyHits", "BenchmarkWaitGroupActuallyWait"},
			[]string{"BenchmarkCond32", "BenchmarkOnceFunc", "BenchmarkPoolSTW"}},
		{"encoding/json", []string{"BenchmarkCodeEncoder", "BenchmarkTypeFieldsCache"}, []string{"BenchmarkNumberIsValid"}},
	} {
		s, err := Scan(one(t, opt, c.pkg))
		if err != nil {
			t.Errorf("%s: %v", c.pkg, err)
		}
		for _, b := range c.parallel {
			if !slices.Contains(s.Benchmarks(), b) || !s.Parallel(b) {
				t.Errorf("%s: %s is not parallel", c.pkg, b)
			}
		}
		for _, b := range c.none {
			if !slices.Contains(s.Benchmarks(), b) || s.Parallel(b) {
				t.Errorf("%s: %s is parallel", c.pkg, b)
			}
		}
		if c.parallel == nil {
			for _, b := range s.Benchmarks() {
				if s.Parallel(b) {
					t.Errorf("%s: %s is parallel", c.pkg, b)
				}
			}
		}
	}
}
