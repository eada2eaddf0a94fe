package instrument

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestInlinable: what the compiler would have inlined, by what it says about that very function,
// not about another one on its line.
func TestInlinable(t *testing.T) {
	w := plan(t, Config{Dir: project(t, "main.go", `package main

func main() { many(3); leaf(); small(); large() }

//go:noinline
func large() {}

func small() {}

func many(n int) { for range n { defer func() { large() }() } }; func leaf() { large() }
`), Match: []string{"main.*"}})
	for range 2 { // the second time from go's cache
		can, err := w.Inlinable(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if names(can) != "main.leaf main.small" {
			t.Errorf("inlinable: %s", names(can))
		}
	}
}

// TestInlinableFlags: with the flags that the build has for the compiler, wherever they
// are, and whatever it calls the files.
func TestInlinableFlags(t *testing.T) {
	testutil.NeedLong(t, "builds a program for each flag")
	dir := project(t, "main.go", "package main\n\nimport \"example.org/p/lib\"\n\nfunc main() { small(); lib.Generic(1); generated(); second() }\nfunc small() { lib.Small() }\n",
		"lib/lib.go", "package lib\n\nfunc Small() {}\n\nfunc Generic[T any](T) {}\n",
		"yacc.go", "package main\n\n//line main.y:6\nfunc generated() {}; func never() { defer second() }\n//line /from/main.y:5:8\nfunc second() {}\n")
	for i, c := range []struct{ goflags, flags, want string }{
		{"", "-trimpath -gcflags=-l", "lib.Small"}, // the other is compiled where it is called
		{"'-gcflags=example.org/p/...=-N -l'", "-gcflags=.=-B", "lib.Generic[...] main.generated main.main main.second main.small"},
		{"-trimpath", "", "lib.Generic[...] lib.Small main.generated main.main main.second main.small"},
		// The others at full length only.
		{"", "", "lib.Generic[...] lib.Small main.generated main.main main.second main.small"},
		{"-gcflags=-l", "-gcflags=./lib=-l", ""},
		{"-gcflags=-l", "-gcflags=", "lib.Generic[...] lib.Small main.generated main.main main.second main.small"},
	} {
		if i == 3 && !testutil.Long() {
			break
		}
		cfg := Config{Dir: dir, Flags: strings.Fields(c.flags), Env: append(os.Environ(), "GOFLAGS="+c.goflags), Match: []string{"./..."}}
		can, err := plan(t, cfg).Inlinable(t.Context())
		if err != nil || names(can) != c.want {
			t.Errorf("GOFLAGS=%s, %s: %s, %v, want %s", c.goflags, c.flags, names(can), err, c.want)
		}
	}
}

// TestCompilerFlags: of several flags for a package the last one counts, as with go.
func TestCompilerFlags(t *testing.T) {
	dir := project(t, "main.go", "package main\n", "lib/lib.go", "package lib\n")
	for _, c := range []struct {
		flags toolchain.Flags
		want  map[string]string // by package: p, p_test, lib
	}{
		{nil, nil},
		{toolchain.Flags{"-gcflags=-l"}, map[string]string{"p": "-l", "p_test": "-l"}},
		{toolchain.Flags{"-gcflags=all=-l"}, map[string]string{"p": "-l", "p_test": "-l", "p/lib": "-l"}},
		{toolchain.Flags{"-gcflags", "all=-l", "--gcflags=./lib=-N -l"}, map[string]string{"p": "-l", "p_test": "-l", "p/lib": "-N -l"}},
		{toolchain.Flags{"-gcflags=./lib=-N", "-gcflags=all="}, map[string]string{"p": "", "p_test": "", "p/lib": ""}},
		{toolchain.Flags{"-gcflags=none/...=-l"}, nil},
	} {
		w := &Build{cfg: Config{Dir: dir}, pkgs: []string{"example.org/p", "example.org/p_test", "example.org/p/lib"}, tools: &toolchain.Toolchain{Flags: c.flags}}
		got, err := w.gcflags(t.Context())
		want := make(map[string]string)
		for name, flags := range c.want {
			want["example.org/"+name] = flags
		}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%v: %v, %v, want %v", c.flags, got, err, want)
		}
	}
}

// TestAllocates: which of what would be inlined allocates, so that the caller's stack may have it.
func TestAllocates(t *testing.T) {
	w := plan(t, Config{Dir: project(t, "main.go", `package main

func main() { println(fresh(), moved(), length(make([]int, 3))) }

func fresh() *[9]int { return &[9]int{} }

func moved() *int {
	x := 3
	return &x
}

func length(x []int) int { return len(x) }
`), Match: []string{"main.*"}})
	can, err := w.Inlinable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range can {
		if want := f.short == "fresh" || f.short == "moved"; f.Allocates != want {
			t.Errorf("%s allocates: %v", f.Name, f.Allocates)
		}
	}
	if len(can) != 4 {
		t.Errorf("inlinable: %s", names(can))
	}
}
