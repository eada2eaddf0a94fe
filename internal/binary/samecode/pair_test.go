package samecode

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

func TestPairs(t *testing.T) { testPairs(t, "amd64") }

func TestPairsARM64(t *testing.T) {
	testutil.NeedLong(t, "builds another standard library")
	testPairs(t, "arm64")
}

// testPairs: a function that the linker moved is the same, a change is found, and so is a function with another name.
func testPairs(t *testing.T, arch string) {
	old, new := linkedPairs(t, arch, false), linkedPairs(t, arch, true)
	got := map[string]Pair{} // by the new name, or the old one
	for _, p := range Pairs(old, new) {
		x := p.New
		if x == nil {
			x = p.Old
		}
		if name, ok := strings.CutPrefix(x.Name, "main."); ok {
			got[name] = p
		} else if p.Relation != Same && strings.HasPrefix(x.Name, "strconv.") {
			t.Errorf("%s: %s", x.Name, p.Relation)
		}
	}
	for _, x := range []struct {
		name, before string
		want         Relation
	}{
		{"added", "", OnlyNew},
		{"same", "same", Same},
		{"changed", "changed", Changed},
		{"newName", "oldName", Same},
		{"caller", "caller", OtherCalls},
		{"other", "other", OtherCalls},
		{"frame", "frame", Changed},
		{"closures", "closures", Changed},
		{"closures.func1", "", OnlyNew},
		{"closures.func2", "closures.func1", Same},
		{"each", "each", Same},
	} {
		p := got[x.name]
		before := ""
		if p.Old != nil {
			before = strings.TrimPrefix(p.Old.Name, "main.")
		}
		if p.Relation != x.want || before != x.before {
			t.Errorf("%s: %s, before %q, want %s, before %q", x.name, p.Relation, before, x.want, x.before)
		}
	}
	if f := got["frame"]; f.Old.Frame <= 0 || f.New.Frame < f.Old.Frame+8*396 || f.New.Size == 0 {
		t.Errorf("frames of %d and %d bytes, code of %d", f.Old.Frame, f.New.Frame, f.New.Size)
	}
	if p := got["newName"]; !p.Renamed() {
		t.Error("newName was not renamed")
	}
}

// TestPairsLayouts: all functions of a program are the same, in whatever order the linker puts them.
func TestPairsLayouts(t *testing.T) {
	a, b := linkedPairs(t, "amd64", true), linkedPairs(t, "amd64", true, "-ldflags=-randlayout=7")
	moved := 0
	for _, p := range Pairs(a, b) {
		if p.Relation != Same || p.Renamed() {
			t.Errorf("%v is %s, and not the same as %v", p.New, p.Relation, p.Old)
			continue
		}
		if p.Old.source.Entry != p.New.source.Entry {
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
		if r.Has(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if r := s.Reached(func(name string) bool { return name == "main.caller" }, func(name string) bool { return name != "main.caller" }); r.Has("main.newName") {
		t.Error("a function that is not to be followed was")
	}
}
