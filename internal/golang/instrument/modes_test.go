package instrument

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestCountOnly: counts are the same without clocks.
func TestCountOnly(t *testing.T) {
	testutil.NeedLong(t, "TestExact counts in the same way")
	p := instrumentScenes(t, Config{CountOnly: true})
	tr, _ := p.run(t, ArenaConfig{}, "many", strconv.Itoa(manyCalls))
	if f := fn(t, tr, "main.leaf"); f.Calls != int64(manyCalls)+3 || f.Timed != 0 || f.Total != 0 || tr.Mode != record.TraceCount {
		t.Errorf("%s: %+v", tr.Mode, f)
	}
	if tr, _ := p.run(t, ArenaConfig{}, "shapes"); tr.Calls != 39 || len(tr.Tree) != 0 {
		t.Errorf("%d calls: %+v", tr.Calls, tr.Funcs)
	}
	all, _ := p.run(t, ArenaConfig{}, "forever", "3000")
	if tr, _ := p.run(t, ArenaConfig{Size: MinSize}, "forever", "3000"); tr.Calls != all.Calls || tr.Lost == 0 || all.Lost != 0 {
		t.Errorf("%d calls of %d, %d without room", tr.Calls, all.Calls, tr.Lost)
	}
	if _, err := p.w.NewArena(ArenaConfig{PathCalls: 1}); err == nil {
		t.Error("a path where calls are only counted")
	}
}

// TestEvery: all calls are counted, about one of K is timed, and totals stand for all.
func TestEvery(t *testing.T) {
	testutil.NeedLong(t, "TestExact counts in the same way")
	p := instrumentScenes(t, Config{Every: 10, Match: []string{"./..."}, Skip: []string{"main.work", "main.spin"}})
	t.Run("recursive", func(t *testing.T) { p.recursive(t) })
	tr, _ := p.run(t, ArenaConfig{}, "many", strconv.Itoa(manyCalls))
	f := fn(t, tr, "main.leaf")
	if f.Calls != int64(manyCalls)+3 || tr.Mode != record.TraceEvery || tr.Every != 10 {
		t.Fatalf("%s: %+v", tr.Mode, f)
	}
	if share := float64(f.Timed) / float64(f.Calls); share < 0.0975 || share > 0.1025 { // ± 1.3 % at the most, by the law of large numbers
		t.Errorf("%d timed", f.Timed)
	}
	if want := f.Mean * float64(f.Calls); f.Total < 0.999*want || f.Total > 1.001*want {
		t.Errorf("total %g, and %g by its mean", f.Total, want)
	}
}

// recursive: one of K calls is timed, and not all that are made in one that is; first calls always
// are. (That times stand for all calls is for TestVariance: here a pause of the machine's may be in
// one call that stands for ten.)
func (p *instrumented) recursive(t *testing.T) {
	tr, out := p.run(t, ArenaConfig{}, "recursive")
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
			last, _ = p.run(t, ArenaConfig{}, "recursive")
		}
		if f := fn(t, last, "main.cold"); f.Total < 100e6 || f.Total > 600e6 {
			return fmt.Errorf("%+v", f)
		}
		return nil
	})
	for name, calls := range map[string]float64{"down": 200_000, "even": 100_000, "odd": 100_000} {
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
