package instrument

import (
	"fmt"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// windowed plays two scenes. In "window" it calls f with the window closed, open, forgotten and closed again, the way
// through outer, which is in progress all the time. In "forgotten", calls end by a panic and by
// Goexit after all was forgotten.
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

//go:noinline
func leaf() {}

func forgotten() {
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

func main() {
	switch os.Args[1] {
	case "window":
		outer()
	case "forgotten":
		forgotten()
	}
}
`

// TestWindow plays the scenes of one program in each mode.
func TestWindow(t *testing.T) {
	testutil.NeedLong(t, "builds a program for each window")
	for _, c := range []struct {
		cfg  Config
		path int
	}{{Config{}, 10}, {Config{Every: 2}, 0}, {Config{CountOnly: true}, 0}} {
		c.cfg.Match = []string{"main.*"}
		c.cfg.Dir = project(t, "main.go", windowed)
		p := &instrumented{w: plan(t, c.cfg)}
		p.program = build(t, p.w)
		t.Run(fmt.Sprintf("every=%d,count=%v", c.cfg.Every, c.cfg.CountOnly), func(t *testing.T) {
			p.window(t, c.path)
			p.forgotten(t)
		})
	}
}

// window: what begins while the window is closed is not counted, what was forgotten
// neither, nor calls that were in progress then where they end.
func (p *instrumented) window(t *testing.T, path int) {
	tr, out := p.run(t, ArenaConfig{Windowed: true, PathCalls: path}, "window")
	if out != "done" {
		t.Fatal(out)
	}
	if tr.Mode != record.TraceCount {
		if got := tree(tr); got != "middle:0{f:3{f^1:6} g{f}}" {
			t.Errorf("tree %s", got)
		}
	}
	for name, calls := range map[string]int64{"f": 10, "g": 1, "middle": 0, "outer": 0, "main": 0} {
		f := fn(t, tr, "main."+name)
		if f.Calls != calls || f.Timed > calls || f.Panics != 0 || f.Goroutines > 1 || calls == 0 && f.Total != 0 {
			t.Errorf("%d calls of %+v", calls, f)
		}
	}
	if tr.Calls != 11 || path > 0 && (len(tr.Path) != 10 || tr.PathMore != 1 || tr.Funcs[tr.Path[0].Func].Name != "main.f") {
		t.Errorf("%d calls, path of %+v", tr.Calls, tr.Path)
	}
}

// forgotten: of a call that was in progress when all was forgotten, not even its end by a panic
// is known.
func (p *instrumented) forgotten(t *testing.T) {
	tr, out := p.run(t, ArenaConfig{}, "forgotten")
	if out != "done" {
		t.Fatal(out)
	}
	if f := fn(t, tr, "main.leaf"); f.Calls != 1 {
		t.Errorf("%+v", f)
	}
	for _, name := range []string{"main.doomed", "main.leaves"} {
		if f := fn(t, tr, name); f.Calls != 0 || f.Panics != 0 || f.Goexits != 0 {
			t.Errorf("%+v", f)
		}
	}
}

// loose: a function that hardly takes longer than a probe is dominated by it, and one that takes
// a microsecond is timed exactly also where it follows on many calls that were not.
func (p *instrumented) loose(t *testing.T) {
	tr, _ := p.run(t, ArenaConfig{}, "spins")
	f := fn(t, tr, "main.spin")
	// half of the calls are nothing, half a microsecond at 3 GHz
	if f.Calls != 600_000 || f.Dominated || f.Corrected < 0.9*f.Total || f.Mean < 300 {
		t.Errorf("%+v", f)
	}
}
