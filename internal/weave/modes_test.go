package weave

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// TestCountOnly: counts are the same without clocks.
func TestCountOnly(t *testing.T) {
	p := weaveScenes(t, Config{CountOnly: true})
	tr, _ := p.run(t, ArenaConfig{}, "many", "4000000")
	if f := fn(t, tr, "main.leaf"); f.Calls != 4_000_003 || f.Timed != 0 || f.Total != 0 || tr.Mode != record.TraceCount {
		t.Errorf("%s: %+v", tr.Mode, f)
	}
	if tr, _ := p.run(t, ArenaConfig{}, "shapes"); tr.Calls != 39 || len(tr.Tree) != 0 {
		t.Errorf("%d calls: %+v", tr.Calls, tr.Funcs)
	}
	if _, err := p.w.NewArena(ArenaConfig{Path: 1}); err == nil {
		t.Error("a path where calls are only counted")
	}
}

// TestEvery: all calls are counted, about one of K is timed, and totals stand for all.
func TestEvery(t *testing.T) {
	p := weaveScenes(t, Config{Every: 10})
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

// TestRace: with the race detector, which stays silent.
func TestRace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with the race detector")
	}
	p := weaveScenes(t, Config{Flags: []string{"-race"}})
	tr, out := p.run(t, ArenaConfig{}, "many", "40000")
	if f := fn(t, tr, "main.leaf"); f.Calls != 40003 || out != "" {
		t.Errorf("%d calls: %s", f.Calls, out)
	}
	tr, out = p.run(t, ArenaConfig{}, "shapes")
	if tr.Calls != 39 || out != "" {
		t.Errorf("%d calls: %s", tr.Calls, out)
	}
}
