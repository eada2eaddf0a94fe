package samecode

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// program has functions named as benchmarks.
const program = `package main

import (
	"os"
	"strings"

	"example.org/prog/work"
)

«|func before(n int) int { return len(os.Args) * n }
var added = [3]int{1, 2, 3}»
type point struct{ x, y int }
type grown struct{ x int«|; y [5]int» }
type link struct{ next *link; p point }

var (
	total int
	other int
	keep  any
	by    func(int) int
	text  string
)

func BenchmarkSame(n int) {
	for i := range n {
		total += work.Sum(i)
		keep = &link{p: point{i, n}}
		text = "a constant that both have"
		if strings.HasPrefix(text, os.Args[0]) {
			func() { defer func() { total++ }(); by = work.Twice }()
		}
		if strings.Index(text, os.Args[0]) > 1<<30 { panic("no") }
	}
}
func BenchmarkFloat(n int) { keep = float64(n) * «1.25|3.75» }
func BenchmarkFused(n int) { x := float64(n); keep = x*x + x }
func BenchmarkImmediate(n int) { total += n * «11|13» }
func BenchmarkVariable(n int) { «total|other» = n }
func BenchmarkString(n int) { for range n { text += "«abcdefgh|abcdefgi»" } }
func BenchmarkPanic(n int) { if n < 0 { panic("«one|two»") } }
func BenchmarkType(n int) { keep = new(grown) }
func BenchmarkDeep(n int) { total += work.Deep(n) }
func BenchmarkValue(n int) { by = «work.Twice|work.Thrice» }
func BenchmarkClosure(n int) { by = func(i int) int { by = func(i int) int { return i «+|-» n }; return i } }
func BenchmarkLeft(n int) { total += n; func() { «defer func() { total++ }()|total--» }() }

func main() {
	n := len(os.Args) «|+ before(added[len(os.Args)])»
	for _, f := range []func(int){
		BenchmarkSame, BenchmarkPanic, BenchmarkFused, BenchmarkFloat, BenchmarkImmediate, BenchmarkVariable, BenchmarkString, BenchmarkType,
		BenchmarkDeep, BenchmarkValue, BenchmarkClosure, BenchmarkLeft,
	} { f(n) }
}
`

const work = `package work

«|//go:noinline
func Before(n int) int { return n + 5 }»
//go:noinline
func Sum(n int) (s int) { for i := range n { s += i }; return s }
//go:noinline
func Twice(n int) int { return 2 * n }
//go:noinline
func Thrice(n int) int { return 3 * n }
//go:noinline
func Deep(n int) int { return deeper(n) + 1 }
//go:noinline
func deeper(n int) int { return n «+ 1|* 7» }
`

// differing is a place where the two variants of a text differ: «left|right».
var differing = regexp.MustCompile(`(?s)«([^|»]*)\|([^»]*)»`)

// variant returns one of the two variants of a text.
func variant(text string, right bool) string {
	if right {
		return differing.ReplaceAllString(text, "$2")
	}
	return differing.ReplaceAllString(text, "$1")
}

// linked builds a variant of the program for linux/amd64, wherever the test runs.
func linked(t *testing.T, right bool, env []string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/prog\n\ngo 1.26\n", "main.go": variant(program, right), "work/work.go": variant(work, right)} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-o", "prog"}, flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "prog")
}

func open(t *testing.T, path string) *Binary {
	t.Helper()
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// same reports whether a benchmark has one digest in two binaries.
func same(a, b *Binary, benchmark string) bool {
	x, y := a.Digest("main", benchmark), b.Digest("main", benchmark)
	return x != "" && x == y
}

// TestSame: what the linker moved is the same; a change of any kind is not, however far below the benchmark.
func TestSame(t *testing.T) {
	left := open(t, linked(t, false, nil))
	right := open(t, linked(t, true, nil, "-ldflags=-X main.text=other"))
	for _, test := range []struct {
		name string
		same bool
	}{
		{"Same", true}, {"Panic", false}, {"Float", false}, {"Immediate", false}, {"Variable", false}, {"String", false}, {"Type", false},
		{"Deep", false}, {"Value", false}, {"Closure", false}, {"Left", false},
	} {
		if !same(left, left, "Benchmark"+test.name) {
			t.Errorf("%s: differs from itself", test.name)
		}
		if x, y := same(left, right, "Benchmark"+test.name), same(right, left, "Benchmark"+test.name); x != test.same || y != test.same {
			t.Errorf("%s: %v and %v, want %v", test.name, x, y, test.same)
		}
	}
	if left.byName["main.BenchmarkSame"][0].Entry == right.byName["main.BenchmarkSame"][0].Entry {
		t.Error("the builds have the benchmark at the same address: nothing was moved")
	}
	if same(left, right, "BenchmarkNone") {
		t.Error("a benchmark that neither has is the same")
	}
	few := open(t, linked(t, false, nil))
	few.Limit = 1
	if x, y := few.Digest("main", "BenchmarkFloat"), few.Digest("main", "BenchmarkDeep"); x != left.Digest("main", "BenchmarkFloat") || y != "" {
		t.Errorf("limited to one function: %q, %q", x, y)
	}
}

// TestSameLevels: additions of integers are the same at every GOAMD64, a fused multiplication and addition is not.
func TestSameLevels(t *testing.T) {
	if !testutil.Soak() {
		t.Skip("compiles the runtime for another GOAMD64; TARE_SOAK=1 runs it")
	}
	v1, v3 := open(t, linked(t, false, nil)), open(t, linked(t, false, []string{"GOAMD64=v3"}))
	for name, want := range map[string]bool{"BenchmarkDeep": true, "BenchmarkFused": false} {
		if got := same(v1, v3, name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestOpenRefuses: files whose addresses are not known before they are loaded, and those without symbols.
func TestOpenRefuses(t *testing.T) {
	flags := []string{"-ldflags=-s"}
	if testutil.Soak() { // compiles the runtime
		flags = append(flags, "-buildmode=pie")
	}
	for _, flag := range flags {
		if b, err := Open(linked(t, false, nil, flag)); !errors.Is(err, objfile.ErrNoCode) {
			t.Errorf("%s: %v, want ErrNoCode", flag, err)
			if err == nil {
				b.Close()
			}
		}
	}
}

func TestKindOf(t *testing.T) {
	for _, test := range []struct {
		function, pkg string
		want          kind
	}{
		{"example.org/m.Work", "example.org/m", own},
		{"gopkg.in/yaml%2ev3.(*T).Get", "example.org/m", own},
		{"m/sub.Map[go.shape.struct { example.org/x.T }]", "m", own},
		{"m_test.BenchmarkX.func1", "m", own},
		{"strings.Index", "example.org/m", standard},
		{"strings.Index", "strings", own},
		{"slices.SortFunc[go.shape.[]example.org/m.T]", "example.org/m", standard},
		{"type:.eq.example.org/m.T", "example.org/m", own},
		{"runtime.mallocgc", "example.org/m", excluded},
		{"internal/runtime/maps.(*Map).Get", "example.org/m", excluded},
		{"testing.(*B).Loop", "example.org/m", excluded},
		{"memeqbody", "example.org/m", excluded},
	} {
		if got := kindOf(test.function, test.pkg); got != test.want {
			t.Errorf("%s in %s: %d, want %d", test.function, test.pkg, got, test.want)
		}
	}
}
