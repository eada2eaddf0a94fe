package instrument

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeepRecursion: what ends without probes ends with them, although they make frames
// larger, and limits that a program sets mean as many calls.
func TestDeepRecursion(t *testing.T) {
	dir := project(t, "main.go", `package main

import (
	"os"
	"runtime/debug"
)

//go:noinline
func deep(n int) int {
	if n == 0 {
		return 0
	}
	var a [4]int
	a[n%4] = n
	return deep(n-1) + a[n%4] - n + 1
}

func main() {
	println(debug.SetMaxStack(1 << 20), debug.SetMaxStack(1 << 20))
	switch os.Args[1] {
	case "fits":
		println(deep(7_000))
	case "none":
		debug.SetMaxStack(-1)
		println(deep(100_000))
	case "beyond":
		println(deep(1_000_000))
	}
}
`)
	plain := filepath.Join(t.TempDir(), "plain")
	cmd := exec.Command("go", "build", "-o", plain)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	w := plan(t, Config{Dir: dir, Match: []string{"deep"}})
	program := build(t, w)
	for _, args := range [][]string{{"fits"}, {"none"}} {
		want, err := exec.Command(plain, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: without probes: %v\n%.300s", args, err, want)
		}
		if _, got := run(t, w, program, ArenaConfig{}, args...); got != string(want) {
			t.Errorf("%q: got %.300s\nwant %s", args, got, want)
		}
	}
	if _, out := run(t, w, program, ArenaConfig{}, "beyond"); !strings.Contains(out, "stack overflow") {
		t.Errorf("the program's own limit is none: %.300s", out)
	}
}
