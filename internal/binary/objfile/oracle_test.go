package objfile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// typeArgs are the type arguments in a name, which the runtime hides.
var typeArgs = regexp.MustCompile(`\[.*\]`)

func hidden(name string) string { return typeArgs.ReplaceAllString(name, "[...]") }

// place is what the runtime says of an address.
type place struct {
	pc       uint64
	physical bool // the function has code of its own here
	name     string
	line     int
	file     string
}

func (p place) String() string { return fmt.Sprintf("%s %s:%d", p.name, filepath.Base(p.file), p.line) }

// TestOracle: the lines and the chains of inlined functions are those that a
// program's own runtime finds, stripped or not and wherever it is loaded.
func TestOracle(t *testing.T) {
	testutil.NeedLong(t, "runs objdump")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the program has assembly for amd64 and arm64, and reads /proc/self/maps")
	}
	for _, flags := range [][]string{
		nil, {"-ldflags=-s -w"}, {"-gcflags=-N -l"}, {"-buildmode=pie"}, {"-buildmode=pie", "-ldflags=-s -w"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			if len(flags) == 1 && flags[0] != "-gcflags=-N -l" {
				testutil.NeedLong(t, "stripped and position-independent at once is another case")
			}
			path := compile(t, nested, nil, flags...)
			f, fs := open(t, path)
			places, stacks, bias := readOracle(t, f, output(t, path))
			for _, p := range places {
				checkPlace(t, f, fs, p, p.pc-bias)
			}
			inlined := 0
			for _, s := range stacks {
				inlined += checkStack(t, f, fs, s, bias)
			}
			t.Logf("%d instructions, %d stacks, %d of their functions inlined, loaded at %#x", len(places), len(stacks), inlined, bias)
			if len(places) < 1000 || len(stacks) < 9 || inlined < 9 && !strings.Contains(t.Name(), "-N") {
				t.Errorf("%d instructions, %d stacks, %d functions inlined: too few to tell", len(places), len(stacks), inlined)
			}
		})
	}
}

// readOracle reads what the program prints.
func readOracle(t *testing.T, f *File, out string) (places []place, stacks [][]place, bias uint64) {
	t.Helper()
	parse := func(s string, base int) uint64 {
		n, err := strconv.ParseUint(s, base, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	what, mapped := "", false
	for line := range strings.Lines(out) {
		w := strings.Fields(line)
		switch w[0] {
		case "place":
			places = append(places, place{parse(w[1], 10), false, w[2], int(parse(w[3], 10)), w[4]})
		case "frame":
			if what != w[1] || len(stacks[len(stacks)-1]) > 0 && stacks[len(stacks)-1][len(stacks[len(stacks)-1])-1].name == "runtime.goexit" {
				what, stacks = w[1], append(stacks, nil)
			}
			p := place{parse(w[2], 10), w[3] == "true", w[4], int(parse(w[5], 10)), w[6]}
			stacks[len(stacks)-1] = append(stacks[len(stacks)-1], p)
		case "map": // 00400000-004a0000 r-xp 00000000 08:01 12345 /path
			if strings.Contains(w[2], "x") && len(w) > 6 && w[6] == f.Path() {
				start, _, _ := strings.Cut(w[1], "-")
				bias, mapped = f.Bias(parse(start, 16), parse(w[3], 16)), true
			}
		}
	}
	if !mapped {
		t.Fatalf("the program did not tell where it is loaded: %s", out)
	}
	return places, stacks, bias
}

// checkPlace compares the innermost function at an address, and the line.
func checkPlace(t *testing.T, f *File, fs *Functions, want place, addr uint64) {
	t.Helper()
	fn, ok := fs.Find(addr)
	if ok != (want.file != "?") { // what fills the room between functions is in none
		t.Errorf("%#x: %s, want %v", addr, fn.Name, want)
	}
	if !ok {
		return
	}
	s := source(t, f, fn)
	at, _ := s.At(addr)
	name := fn.Name
	if chain := s.Chain(addr); len(chain) > 0 {
		name = chain[len(chain)-1].Name
	}
	if got := (place{0, false, hidden(name), at.Line, at.File}); got.String() != want.String() || at.File != want.file {
		t.Errorf("%#x: %v, want %v", addr, got, want)
	}
}

// checkStack compares the functions of a stack, and tells how many were inlined.
func checkStack(t *testing.T, f *File, fs *Functions, stack []place, bias uint64) (inlined int) {
	t.Helper()
	for len(stack) > 0 {
		addr := stack[0].pc - bias
		fn, ok := fs.Find(addr)
		if !ok {
			t.Errorf("%#x: no function, want %v", addr, stack[0])
			return inlined
		}
		s := source(t, f, fn)
		at, _ := s.At(addr)
		chain := s.Chain(addr)
		for i := len(chain) - 1; i >= -1; i-- {
			name := fn.Name
			if i >= 0 {
				name = chain[i].Name
				inlined++
			}
			if i < 0 && fn.Wrapper {
				break // the runtime hides it
			}
			if len(stack) == 0 {
				t.Errorf("%#x: %s is too many", addr, name)
				return inlined
			}
			got := place{0, i < 0, hidden(name), at.Line, at.File}
			if want := stack[0]; got.String() != want.String() || got.physical != want.physical {
				t.Errorf("%#x, %d of the chain: %v %v, want %v %v", addr, i, got, got.physical, want, want.physical)
			}
			if i >= 0 {
				at = Line{addr, chain[i].CallFile, chain[i].CallLine}
			}
			stack = stack[1:]
		}
	}
	return inlined
}

func source(t *testing.T, f *File, fn Function) Source {
	t.Helper()
	s, err := f.Source(fn)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
