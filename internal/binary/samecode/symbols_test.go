package samecode

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// pairs has functions named for what differs between the variants.
const pairs = `package main

import "os"

var total int
var table [16]int

«|//go:noinline
func added(n int) { for i := range table { table[i] += n * i } }»

//go:noinline
func same(n int) int { for i := range n { total += table[i&15] }; return total }

//go:noinline
func changed(n int) int { for i := range n { total «+|-»= table[i&15] }; return total }

//go:noinline
func «oldName|newName»(n int) int { for i := range n { total ^= table[(i*n)&15] }; return total ^ n }

//go:noinline
func caller(n int) int { return «oldName|newName»(n) + 1 }

//go:noinline
func other(n int) int { return «same|changed»(n) * 3 }

//go:noinline
func frame(n int) int { var b [«4|400»]int; for i := range b { b[i] = n }; return b[n&3] }

//go:noinline
func closures(n int) {
	«|each(func(i int) { total -= i })»
	each(func(i int) { total += i * table[(i+n)&15]; table[n&15]++ })
}

//go:noinline
func each(f func(int)) { for i := range 3 { f(i) } }

func main() {
	n := len(os.Args)
	«|added(n)»
	total += same(n) + changed(n) + caller(n) + other(n) + frame(n)
	closures(n)
	os.Exit(total & 1)
}
`

// linkedPairs builds a variant of the program for linux.
func linkedPairs(t *testing.T, arch string, right bool, flags ...string) *Symbols {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/pairs\n\ngo 1.26\n", "main.go": variant(pairs, right)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-o", "prog"}, flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s, err := ReadSymbols(filepath.Join(dir, "prog"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSymbols(t *testing.T) { testSymbols(t, "amd64") }

func TestSymbolsARM64(t *testing.T) {
	testutil.NeedLong(t, "builds another standard library")
	testSymbols(t, "arm64")
}

// find returns a function of package main and the names of those to which it refers.
func find(t *testing.T, s *Symbols, name string) (Symbol, []string) {
	t.Helper()
	for i, x := range s.List() {
		if x.Name == "main."+name && !x.Wrapper {
			return x, s.Refs(i)
		}
	}
	t.Fatalf("no function %s", name)
	return Symbol{}, nil
}

// testSymbols: a function that the linker moved has the same digest, a changed one another, and calls have names.
func testSymbols(t *testing.T, arch string) {
	old, new := linkedPairs(t, arch, false), linkedPairs(t, arch, true)
	for _, x := range []struct {
		before, name string
		code, calls  bool // are the same; calls of the same code
	}{
		{"same", "same", true, true},
		{"changed", "changed", false, false},
		{"oldName", "newName", true, true},
		{"caller", "caller", true, false},
		{"other", "other", true, false},
		{"frame", "frame", false, false},
		{"closures", "closures", false, false},
		{"closures.func1", "closures.func2", true, true},
		{"each", "each", true, true},
	} {
		a, from := find(t, old, x.before)
		b, to := find(t, new, x.name)
		if a.Digest() == "" || (a.Digest() == b.Digest()) != x.code || x.code && slices.Equal(from, to) != x.calls {
			t.Errorf("%s: digests %s and %s, references %q and %q", x.name, a.Digest(), b.Digest(), from, to)
		}
		if x.name == "frame" && (a.Frame <= 0 || b.Frame < a.Frame+8*396 || b.Size == 0) {
			t.Errorf("frames of %d and %d bytes, code of %d", a.Frame, b.Frame, b.Size)
		}
	}
}

// TestSymbolsLayouts: all functions of a program have the same digest, in whatever order the linker puts them.
func TestSymbolsLayouts(t *testing.T) {
	a, b := linkedPairs(t, "amd64", true), linkedPairs(t, "amd64", true, "-ldflags=-randlayout=7")
	digests, entries := map[string][]string{}, map[string]uint64{}
	for _, x := range a.List() {
		digests[x.Name], entries[x.Name] = append(digests[x.Name], x.Digest()), x.source.Entry
	}
	moved := 0
	for _, x := range b.List() {
		if !slices.Contains(digests[x.Name], x.Digest()) {
			t.Errorf("%s has another digest", x.Name)
		}
		if entries[x.Name] != x.source.Entry {
			moved++
		}
	}
	if moved < 1000 {
		t.Errorf("%d functions were moved", moved)
	}
}

// TestReached: calls, function values and inlined functions are followed, other functions are not.
func TestReached(t *testing.T) {
	s := linkedPairs(t, "amd64", true)
	r := s.Reached(func(name string) bool { return name == "main.closures" }, nil)
	for name, want := range map[string]bool{
		"main.closures": true, "main.each": true, "main.closures.func1": true, "main.closures.func2": true, "main.same": false, "main.main": false,
	} {
		if (r.Symbols[name] || r.Inlined[name]) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if r := s.Reached(func(name string) bool { return name == "main.caller" }, func(name string) bool { return name != "main.caller" }); r.Symbols["main.newName"] {
		t.Error("a function that is not to be followed was")
	}
}
