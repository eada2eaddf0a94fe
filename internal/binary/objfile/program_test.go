package objfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compile builds a program of the files, names and texts in turn, with the go
// command and returns the path of the binary. env are settings like GOARCH=arm64.
func compile(t testing.TB, files map[string]string, env []string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/prog\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return link(t, dir, "prog", env, flags...)
}

// link builds the program in a folder and returns the path of the binary.
func link(t testing.TB, dir, name string, env []string, flags ...string) string {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"build", "-o", name}, flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, name)
}

// open opens a file and its functions.
func open(t testing.TB, path string) (*File, *Functions) {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	fs, err := f.Functions()
	if err != nil {
		t.Fatal(err)
	}
	return f, fs
}

// one finds the only function of a name that is not made up by the compiler.
func one(t testing.TB, fs *Functions, name string) Function {
	t.Helper()
	var found []Function
	for _, f := range fs.Named(name) {
		if !f.Wrapper {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d functions %s, want 1: %v", len(found), name, found)
	}
	return found[0]
}

// needs skips a test if a program is missing.
func needs(t testing.TB, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("no %s here", program)
	}
}

// output is what a command prints.
func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return string(out)
}

// nested has functions that are inlined into each other, generic ones, closures and
// one in assembly.
var nested = map[string]string{
	"main.go": `package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

type number interface{ ~int | ~float64 }

type point[T number] struct{ x, y T }

func (p *point[T]) sum(f func(T)) T { p.x = twice(p.x); f(p.x); return p.x + p.y }

func twice[T number](x T) T { stack("twice"); return 2 * x }

func outer(n int) int { return middle(n) + 1 }

func middle(n int) int {
	return inner(n) * inner(n+1)
}

func inner(n int) int { stack("inner"); return n }

//go:noinline
func physical(n int) int {
	total := 0
	for i := range n {
		total += outer(i) + leaf(i)
	}
	return total
}

func leaf(n int) int { return n&7 + 3 }

//go:noinline
func generic[T number](x, y T) T {
	p := point[T]{x, y}
	return p.sum(func(v T) { func() { stack("closure"); sink = v }() })
}

//go:noinline
func answer() int

type shape interface{ area() int }
type square struct{ side int }
type named struct{ square }

func (s square) area() int { stack("method"); return s.side * s.side }

var (
	sink   any
	shapes = []shape{&named{square{3}}}
)

//go:noinline
func stack(what string) {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		fmt.Println("frame", what, f.PC, f.Func != nil, f.Function, f.Line, f.File)
		if !more {
			break
		}
	}
}

// places prints what the runtime says of each instruction.
func places(pc uintptr) {
	for entry := pc; runtime.FuncForPC(pc+1).Entry() == entry; pc++ {
		frame, _ := runtime.CallersFrames([]uintptr{pc + 1}).Next()
		fmt.Println("place", pc, frame.Function, frame.Line, frame.File)
	}
}

func main() {
	sink = physical(2)
	sink = generic(1, 2) + answer()
	sink = generic(1.5, 2)
	sink = shapes[0].area()
	for _, f := range entries() {
		places(f)
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		fmt.Print("map ", line)
	}
}
`,
	"entries.go": `package main

import "reflect"

func entries() (list []uintptr) {
	for _, f := range []any{physical, generic[int], generic[float64], main, places, stack, reflect.DeepEqual, reflect.ValueOf} {
		list = append(list, reflect.ValueOf(f).Pointer())
	}
	return list
}
`,
	"answer_amd64.s": "#include \"textflag.h\"\n\nTEXT ·answer(SB), NOSPLIT, $0-8\n\tMOVQ $42, ret+0(FP)\n\tRET\n",
	"answer_arm64.s": "#include \"textflag.h\"\n\nTEXT ·answer(SB), NOSPLIT, $0-8\n\tMOVD $42, R0\n\tMOVD R0, ret+0(FP)\n\tRET\n",
}
