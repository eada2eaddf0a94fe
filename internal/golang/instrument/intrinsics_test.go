package instrument

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// table is that of the toolchain at hand, for a processor.
func table(t *testing.T, goarch string) (*toolchain.Toolchain, intrinsics) {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), toolchain.Command{})
	if err != nil {
		t.Fatal(err)
	}
	tools.Arch = goarch
	tools.AMD64, tools.PPC64, tools.RISCV64 = "v1", "power8", "rva20u64"
	return tools, readIntrinsics(tools)
}

// TestIntrinsicsOfToolchain: what its compiler replaces, for which processors.
func TestIntrinsicsOfToolchain(t *testing.T) {
	for _, c := range []struct {
		arch, pkg, name string
		want            bool
	}{
		{"amd64", "math", "Floor", true},
		{"arm64", "math", "Floor", true},
		{"mips64le", "math", "Floor", false},
		{"amd64", "math", "sqrt", true},
		{"amd64", "math", "Sqrt", false}, // which only calls sqrt
		{"amd64", "math", "Sin", false},
		{"amd64", "math", "Round", false},
		{"arm64", "math", "Round", true},
		{"amd64", "math", "FMA", true},
		{"mips64", "math", "FMA", false},
		{"ppc64le", "math", "FMA", true},
		{"amd64", "math/bits", "TrailingZeros64", true},
		{"amd64", "math/bits", "Len", true},
		{"amd64", "math/bits", "Reverse64", false},
		{"amd64", "math/bits", "Mul", true},
		{"riscv64", "math/bits", "TrailingZeros64", false}, // without its extensions
		{"amd64", "sync/atomic", "AddInt64", true},
		{"arm64", "sync/atomic", "CompareAndSwapUintptr", true},
		{"amd64", "sync/atomic", "NoSuch", false},
	} {
		if _, in := table(t, c.arch); in[c.pkg][c.name] != c.want {
			t.Errorf("%s: %s.%s: %v, want %v", c.arch, c.pkg, c.name, !c.want, c.want)
		}
	}
	tools, _ := table(t, "riscv64")
	tools.RISCV64 = "rva22u64"
	if !readIntrinsics(tools)["math/bits"]["TrailingZeros64"] {
		t.Error("extensions of riscv64 do not count")
	}
}

// TestBuiltinIntrinsics: the list for toolchains without sources is that of all processors.
func TestBuiltinIntrinsics(t *testing.T) {
	list := builtinIntrinsics()
	for _, arch := range []string{"amd64", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x"} {
		tools, in := table(t, arch)
		if !strings.HasPrefix(tools.Version, "go1.26") {
			t.Skipf("it is that of go1.26, and this is %s", tools.Version)
		}
		for pkg := range list {
			for name := range in[pkg] {
				if !list[pkg][name] {
					t.Errorf("%s: %s.%s is not in the list", arch, pkg, name)
				}
			}
		}
	}
	tools, _ := table(t, "amd64")
	tools.Root = t.TempDir()
	if in := readIntrinsics(tools); !in["math"]["Floor"] {
		t.Errorf("without sources: %v", in)
	}
}

// TestLeavesIntrinsics: no function that was called comes out as not called.
func TestLeavesIntrinsics(t *testing.T) {
	testutil.NeedLong(t, "builds a program")
	dir := project(t, "main.go", `package main

import "math"

var sum, x = 0.0, 2.5

func main() {
	for range 10 {
		sum += math.Floor(x) + math.Ceil(x) + math.Trunc(x) + math.Round(x) + math.RoundToEven(x) + math.Abs(x)
		sum += math.Copysign(x, sum) + math.FMA(x, x, x) + math.Sqrt(x) + math.Sin(x) + math.Cbrt(x)
	}
}
`)
	names := strings.Fields("Floor Ceil Trunc Round RoundToEven Abs Copysign FMA Sqrt Sin Cbrt")
	var match []string
	for _, name := range names {
		match = append(match, "math."+name)
	}
	w, err := Plan(t.Context(), Config{Dir: dir, Match: []string{"math.Floor"}, Work: t.TempDir()})
	if err == nil {
		t.Logf("math.Floor is instrumented in %s", w.Funcs[0].File) // as on mips64
	} else if !strings.Contains(err.Error(), whyIntrinsic) {
		t.Error(err)
	}
	w = plan(t, Config{Dir: dir, Match: []string{"math.*"}})
	tr, _ := run(t, w, build(t, w), ArenaConfig{})
	for _, name := range match {
		left := slices.ContainsFunc(w.Skipped, func(l Skipped) bool { return l.Name == name && l.Why == whyIntrinsic })
		if !left && fn(t, tr, name).Calls < 10 {
			t.Errorf("%s: %d calls, want 10", name, fn(t, tr, name).Calls)
		}
		if left && name == "math.Sin" {
			t.Errorf("%s was left", name)
		}
	}
}
