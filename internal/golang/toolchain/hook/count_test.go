package hook

import (
	"math"
	"testing"
)

// TestCount: a counter that ran for a part of the time is scaled up by that part.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		what     string
		from, to tareCount
		n, share float64
	}{
		{"all of the time", tareCount{100, 1000, 1000}, tareCount{350, 3000, 3000}, 250, 1},
		{"from the start", tareCount{}, tareCount{7, 10, 10}, 7, 1},
		{"half of the time", tareCount{100, 1000, 600}, tareCount{350, 3000, 1600}, 500, 0.5},
		{"a tenth, after all of it", tareCount{5000, 1000, 1000}, tareCount{5030, 2000, 1100}, 300, 0.1},
		{"nothing happened", tareCount{100, 1000, 1000}, tareCount{100, 2000, 2000}, 0, 1},
		{"never", tareCount{100, 1000, 500}, tareCount{100, 3000, 500}, 0, 0},
		{"not asked to", tareCount{100, 1000, 500}, tareCount{100, 1000, 500}, 0, 0},
		{"clocks of the kernel that differ a little", tareCount{0, 1000, 1000}, tareCount{50, 2000, 2001}, 50, 1},
	} {
		if n, share := c.to.since(c.from); math.Abs(n-c.n) > 1e-9*c.n || math.Abs(share-c.share) > 1e-12 {
			t.Errorf("%s: %v in %v of the time, want %v in %v", c.what, n, share, c.n, c.share)
		}
	}
}

// TestCountThreads: threads count together, each for its own time: what one of them
// missed is taken for as much as the others saw.
func TestCountThreads(t *testing.T) {
	var from, to tareCount
	from.add(tareCount{10, 100, 100})
	from.add(tareCount{20, 100, 100})
	to.add(tareCount{110, 1100, 1100})
	to.add(tareCount{70, 1100, 600})
	n, share := to.since(from)
	if want := 150 / 0.75; math.Abs(n-want) > 1e-9 || share != 0.75 {
		t.Errorf("%v in %v of the time", n, share)
	}
	if to.value-from.value != 150 || to.enabled != 2200 || to.running != 1700 {
		t.Errorf("%+v, %+v", from, to)
	}
}
