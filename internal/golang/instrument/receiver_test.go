package instrument

import (
	"slices"
	"strings"
	"testing"
)

// TestAliasReceivers: methods have the names that stack traces have, whatever their
// receivers are called.
func TestAliasReceivers(t *testing.T) {
	dir := project(t, "main.go", `package main

import "runtime"

type S struct{}
type T[X any] struct{ x X }
type V int

func (a *A) M1()    { where() }
func (p P) M2()     { where() }
func (c C) M3()     { where() }
func (v W) M4()     { where(); func() { where() }() }
func (t *T[_]) M5() { where() }
func (a *A) Left()  {}

func where() {
	pc, _, _, _ := runtime.Caller(1)
	println(runtime.FuncForPC(pc).Name())
}

func main() {
	s := &S{}
	s.M1()
	s.M2()
	s.M3()
	W(1).M4()
	(&T[int]{}).M5()
	s.Left()
}
`, "other.go", `package main

type (
	A = S
	P = *S
	C = (B)
	B = *(A)
	W = V
)
`)
	w := plan(t, Config{Dir: dir, Match: []string{"./..."}, Skip: []string{"S.Left"}, Literals: true})
	tr, out := run(t, w, build(t, w), ArenaConfig{})
	want := strings.Fields(out)
	if len(want) != 6 {
		t.Fatalf("%s", out)
	}
	for _, name := range want {
		if fn(t, tr, name).Calls != 1 {
			t.Errorf("%s: %d calls, want 1", name, fn(t, tr, name).Calls)
		}
	}
	if slices.ContainsFunc(w.Funcs, func(f Func) bool { return strings.Contains(f.Name, "Left") }) {
		t.Error("a method that is skipped by its own name is instrumented")
	}
}

// TestAliasCircle: what does not compile is no reason to hang.
func TestAliasCircle(t *testing.T) {
	s, err := parseFile("a.go", "package p\n\ntype A = B\ntype B = *A\n\nfunc (a A) M() {}\n", &goPackage{ImportPath: "p", Name: "p"})
	if err != nil {
		t.Fatal(err)
	}
	known := make(aliases)
	known.declared(s.file)
	if s.findFunctions(false, new(numbering), known); len(s.funcs) != 1 {
		t.Errorf("%d functions", len(s.funcs))
	}
}
