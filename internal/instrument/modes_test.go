package instrument

import (
	"fmt"
	"testing"

	"github.com/tarebench/tare/internal/testutil"
	"github.com/tarebench/tare/record"
)

// TestCountOnly: counts are the same without clocks.
func TestCountOnly(t *testing.T) {
	p := instrumentScenes(t, Config{CountOnly: true})
	tr, _ := p.run(t, ArenaConfig{}, "many", "4000000")
	if f := fn(t, tr, "main.leaf"); f.Calls != 4_000_003 || f.Timed != 0 || f.Total != 0 || tr.Mode != record.TraceCount {
		t.Errorf("%s: %+v", tr.Mode, f)
	}
	if tr, _ := p.run(t, ArenaConfig{}, "shapes"); tr.Calls != 39 || len(tr.Tree) != 0 {
		t.Errorf("%d calls: %+v", tr.Calls, tr.Funcs)
	}
	all, _ := p.run(t, ArenaConfig{}, "forever", "3000")
	if tr, _ := p.run(t, ArenaConfig{Size: MinSize}, "forever", "3000"); tr.Calls != all.Calls || tr.Lost == 0 || all.Lost != 0 {
		t.Errorf("%d calls of %d, %d without room", tr.Calls, all.Calls, tr.Lost)
	}
	if _, err := p.w.NewArena(ArenaConfig{Path: 1}); err == nil {
		t.Error("a path where calls are only counted")
	}
}

// TestEvery: all calls are counted, about one of K is timed, and totals stand for all.
func TestEvery(t *testing.T) {
	p := instrumentScenes(t, Config{Every: 10})
	tr, _ := p.run(t, ArenaConfig{}, "many", "4000000")
	f := fn(t, tr, "main.leaf")
	if f.Calls != 4_000_003 || tr.Mode != record.TraceEvery || tr.Every != 10 {
		t.Fatalf("%s: %+v", tr.Mode, f)
	}
	if f.Timed < 390_000 || f.Timed > 410_000 { // 400,000 ± 4 ‰ at the most, by the law of large numbers
		t.Errorf("%d timed", f.Timed)
	}
	if want := f.Mean * float64(f.Calls); f.Total < 0.999*want || f.Total > 1.001*want {
		t.Errorf("total %g, and %g by its mean", f.Total, want)
	}
}

// TestEveryRecursive: one of K calls is timed, and not all that are made in one that
// is; first calls always are. (That times stand for all calls is for TestVariance: here a
// pause of the machine's may be in one call that stands for ten.)
func TestEveryRecursive(t *testing.T) {
	dir := project(t, "main.go", `package main

import (
	"fmt"
	"time"
)

var sink uint64

func work() {
	for range 300 {
		sink = sink*6364136223846793005 + 1442695040888963407
	}
}

//go:noinline
func deep(n int) {
	work()
	if n > 1 {
		deep(n - 1)
	}
}

//go:noinline
func even(n int) { work(); if n > 1 { odd(n - 1) } }

//go:noinline
func odd(n int) { work(); if n > 1 { even(n - 1) } }

//go:noinline
func once(f func(int)) time.Duration {
	begin := time.Now()
	for range 20000 {
		f(10)
	}
	return time.Since(begin)
}

//go:noinline
func cold(i int) {
	if i == 0 {
		time.Sleep(100 * time.Millisecond)
	}
}

func main() {
	for i := range 1000 {
		cold(i)
	}
	fmt.Println(once(deep).Nanoseconds(), once(even).Nanoseconds())
}
`)
	w := plan(t, Config{Dir: dir, Match: []string{"main.*"}, Skip: []string{"main.work"}, Every: 10})
	bin := build(t, w)
	tr, out := run(t, w, bin, ArenaConfig{})
	var took [2]float64
	if _, err := fmt.Sscan(out, &took[0], &took[1]); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	for _, name := range []string{"main", "once"} {
		if f := fn(t, tr, "main."+name); f.Timed != f.Calls && name == "main" || f.Timed < 1 || f.Total < took[0] {
			t.Errorf("%+v", f)
		}
	}
	// The first call stands for itself, and not for ten: 100 ms, and not a second.
	last := tr
	testutil.Retry(t, func(n int) error {
		if n > 0 { // it overslept
			last, _ = run(t, w, bin, ArenaConfig{})
		}
		if f := fn(t, last, "main.cold"); f.Total < 100e6 || f.Total > 600e6 {
			return fmt.Errorf("%+v", f)
		}
		return nil
	})
	for name, calls := range map[string]float64{"deep": 200_000, "even": 100_000, "odd": 100_000} {
		f := fn(t, tr, "main."+name)
		// about 1 % by the law of large numbers
		if float64(f.Calls) != calls || float64(f.Timed) < 0.09*calls || float64(f.Timed) > 0.11*calls {
			t.Errorf("%s: %d of %d calls timed", name, f.Timed, f.Calls)
		}
		if !(f.Error > 0 && f.SelfError > 0 && f.Total > 0) {
			t.Errorf("%s took %g ± %g, of that itself %g ± %g", name, f.Total, f.Error, f.Self, f.SelfError)
		}
	}
}

// TestRace: with the race detector, which stays silent.
func TestRace(t *testing.T) {
	testutil.NeedLong(t, "builds the standard library with the race detector")
	p := instrumentScenes(t, Config{Flags: []string{"-race"}})
	tr, out := p.run(t, ArenaConfig{}, "many", "40000")
	if f := fn(t, tr, "main.leaf"); f.Calls != 40003 || out != "" {
		t.Errorf("%d calls: %s", f.Calls, out)
	}
	tr, out = p.run(t, ArenaConfig{}, "shapes")
	if tr.Calls != 39 || out != "" {
		t.Errorf("%d calls: %s", tr.Calls, out)
	}
}
