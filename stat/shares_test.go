package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCompareSharesPublished: the intervals of Newcombe's table II, method 10.
func TestCompareSharesPublished(t *testing.T) {
	for _, c := range []struct {
		x1, n1, x2, n2 float64
		lo, hi         float64
	}{
		{48, 80, 56, 70, 0.0524, 0.3339},
		{3, 10, 9, 10, 0.1705, 0.8090},
		{2, 7, 6, 7, 0.0582, 0.8062},
		{0, 29, 5, 56, -0.0381, 0.1926},
		{0, 20, 0, 10, -0.1611, 0.2775},
		{0, 10, 10, 10, 0.6075, 1},
	} {
		d := CompareShares(Share{c.x1 / c.n1, c.n1}, Share{c.x2 / c.n2, c.n2}, 0.95)
		if math.Abs(d.Lo-c.lo) > 6e-5 || math.Abs(d.Hi-c.hi) > 6e-5 {
			t.Errorf("%v: %.4f … %.4f", c, d.Lo, d.Hi)
		}
		if (d.P < 0.05) != (d.Lo > 0 || d.Hi < 0) {
			t.Errorf("%v: p %v beside %.4f … %.4f", c, d.P, d.Lo, d.Hi)
		}
		if back := CompareShares(Share{c.x2 / c.n2, c.n2}, Share{c.x1 / c.n1, c.n1}, 0.95); math.Abs(back.Lo+d.Hi)+math.Abs(back.P-d.P) > 1e-12 {
			t.Errorf("%v: the other way round %+v, not %+v", c, back, d)
		}
	}
}

// TestCompareSharesEdges: what is no share, and what is exact.
func TestCompareSharesEdges(t *testing.T) {
	for _, bad := range []Share{{}, {0.5, 0}, {-0.1, 10}, {1.1, 10}, {math.NaN(), 10}, {0.5, math.NaN()}} {
		if d := CompareShares(bad, Share{0.5, 10}, 0.95); !math.IsNaN(d.Value) || d.Lo != -1 || d.Hi != 1 || d.P != 1 || d.Confidence != 0 {
			t.Errorf("%+v: %+v", bad, d)
		}
	}
	exact := math.Inf(1)
	if d := CompareShares(Share{0.25, exact}, Share{0.5, exact}, 0.95); d.Value != 0.25 || d.Lo != 0.25 || d.Hi != 0.25 || d.P != 0 {
		t.Errorf("exact: %+v", d)
	}
	if d := CompareShares(Share{0.5, 100}, Share{0.5, 300}, 0.95); d.P != 1 || d.Lo >= 0 || d.Hi <= 0 {
		t.Errorf("the same: %+v", d)
	}
	if d := CompareShares(Share{0.5, 100}, Share{0.6, 300}, 1); d.Lo != -1 || d.Hi != 1 || d.Confidence != 0 {
		t.Errorf("confidence 1: %+v", d)
	}
}

// TestCompareSharesCoverage: of intervals of 95 %, about 95 % hold the true difference, also of small shares.
func TestCompareSharesCoverage(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	draw := func(p float64, n int) Share {
		hits := 0
		for range n {
			if r.Float64() < p {
				hits++
			}
		}
		return Share{float64(hits) / float64(n), float64(n)}
	}
	const runs = 4000
	for _, c := range []struct {
		p1, p2 float64
		n1, n2 int
	}{{0.3, 0.4, 100, 150}, {0.02, 0.02, 200, 200}, {0.5, 0.1, 30, 60}} {
		held := 0
		for range runs {
			d := CompareShares(draw(c.p1, c.n1), draw(c.p2, c.n2), 0.95)
			if d.Lo <= c.p2-c.p1 && c.p2-c.p1 <= d.Hi {
				held++
			}
		}
		// The standard error of such a share is 0.35 %, so that 2 % are more than 5 of them.
		if got := float64(held) / runs; got < 0.93 {
			t.Errorf("%v: %.3f of the intervals hold the difference", c, got)
		}
	}
}
