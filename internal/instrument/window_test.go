package instrument

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// windowed calls f with the window closed, open, forgotten and closed again, the way
// through outer, which is in progress all the time.
const windowed = `package main

import (
	"os"
	"runtime"
)

//go:noinline
func f(n int) { if n > 0 { f(n - 1) } }

//go:noinline
func g() { f(0) }

//go:noinline
func outer() {
	f(0)
	runtime.TareWindow(true)
	for range 1000 { g() }
	middle()
	runtime.TareWindow(false)
	g()
	os.Stdout.WriteString("done")
}

//go:noinline
func middle() {
	g()
	runtime.TareForget()
	for range 3 { f(2) }
	g()
	runtime.TareWindow(false)
	f(5)
	runtime.TareWindow(true)
}

func main() { outer() }
`

// TestWindow: what begins while the window is closed is not counted, what was forgotten
// neither, nor calls that were in progress then where they end.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		path int
	}{{Config{}, 10}, {Config{Every: 2}, 0}, {Config{CountOnly: true}, 0}} {
		c.cfg.Match = []string{"main.*"}
		c.cfg.Dir = project(t, "main.go", windowed)
		w := plan(t, c.cfg)
		tr, out := run(t, w, build(t, w), ArenaConfig{Windowed: true, Path: c.path})
		if out != "done" {
			t.Fatal(out)
		}
		if tr.Mode != record.TraceCount {
			if got := tree(tr); got != "middle:0{f:3{f^1:6} g{f}}" {
				t.Errorf("%s: %s", tr.Mode, got)
			}
		}
		for name, calls := range map[string]int64{"f": 10, "g": 1, "middle": 0, "outer": 0, "main": 0} {
			f := fn(t, tr, "main."+name)
			if f.Calls != calls || f.Timed > calls || f.Panics != 0 || f.Goroutines > 1 || calls == 0 && f.Total != 0 {
				t.Errorf("%s: %d calls of %+v", tr.Mode, calls, f)
			}
		}
		if tr.Calls != 11 || c.path > 0 && (len(tr.Path) != 10 || tr.PathMore != 1 || tr.Funcs[tr.Path[0].Func].Name != "main.f") {
			t.Errorf("%d calls, path of %+v", tr.Calls, tr.Path)
		}
	}
}

// TestForgottenPanic: of a call that was in progress when all was forgotten, not even its end
// by a panic is known.
func TestForgottenPanic(t *testing.T) {
	text := `package main

import (
	"os"
	"runtime"
)

//go:noinline
func leaf() {}

//go:noinline
func doomed() {
	runtime.TareForget()
	leaf()
	panic("caught")
}

//go:noinline
func leaves() {
	runtime.TareForget()
	leaf()
	runtime.Goexit()
}

func main() {
	func() {
		defer func() { recover() }()
		doomed()
	}()
	left := make(chan bool)
	go func() {
		defer close(left)
		leaves()
	}()
	<-left
	os.Stdout.WriteString("done")
}
`
	for _, cfg := range []Config{{}, {Every: 1000}} {
		cfg.Match, cfg.Dir = []string{"main.*"}, project(t, "main.go", text)
		w := plan(t, cfg)
		tr, out := run(t, w, build(t, w), ArenaConfig{})
		if out != "done" {
			t.Fatal(out)
		}
		if f := fn(t, tr, "main.leaf"); f.Calls != 1 {
			t.Errorf("every %d: %+v", cfg.Every, f)
		}
		for _, name := range []string{"main.doomed", "main.leaves"} {
			if f := fn(t, tr, name); f.Calls != 0 || f.Panics != 0 || f.Goexits != 0 {
				t.Errorf("every %d: %+v", cfg.Every, f)
			}
		}
	}
}

// TestLoose: a function that hardly takes longer than a probe is dominated by it, and
// one that takes a microsecond is timed exactly also where it follows on a million
// calls that were not.
func TestLoose(t *testing.T) {
	text := `package main

import "os"

var sink = uint64(len(os.Args))

//go:noinline
func f(n int) {
	for range n {
		sink = sink*6364136223846793005 + 1442695040888963407
	}
}

func main() {
	for range 300000 { f(0) }
	for range 300000 { f(1000) }
}
`
	dir := project(t, "main.go", text)
	w := plan(t, Config{Dir: dir, Match: []string{"main.f"}})
	program := build(t, w)
	tr, _ := run(t, w, program, ArenaConfig{})
	f := fn(t, tr, "main.f")
	// half of the calls are nothing, half a microsecond at 3 GHz
	if f.Calls != 600_000 || f.Dominated || f.Corrected < 0.9*f.Total || f.Mean < 300 {
		t.Errorf("%+v", f)
	}
}
