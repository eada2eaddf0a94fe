package stat

import "testing"

// A comparison of 22 forks a side is the unit of work: a table has a few
// hundred of them.

func BenchmarkCompare(b *testing.B) {
	r := seeded(1)
	x, y := draws(r, lognormalShape(0.05), 22), draws(r, lognormalShape(0.05), 22)
	for b.Loop() {
		Compare(x, y, Options{})
	}
}

func BenchmarkBootstrapRatio(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"n=21", 21}, {"n=22", 22}, {"n=80", 80}} {
		b.Run(c.name, func(b *testing.B) {
			r := seeded(1)
			x, y := draws(r, lognormalShape(0.05), c.n), draws(r, lognormalShape(0.05), c.n)
			for b.Loop() {
				BootstrapRatio(x, y, 10_000, 0.95, 1)
			}
		})
	}
}

func BenchmarkHodgesLehmann(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"n=10", 10}, {"n=22", 22}, {"n=50", 50}, {"n=80", 80}} {
		b.Run(c.name, func(b *testing.B) {
			r := seeded(1)
			x, y := draws(r, lognormalShape(0.05), c.n), draws(r, lognormalShape(0.05), c.n)
			for b.Loop() {
				HodgesLehmann(x, y, 0.95)
			}
		})
	}
}

func BenchmarkMannWhitney(b *testing.B) {
	for _, c := range []struct {
		name string
		n, k int
	}{{"n=22", 22, 1e9}, {"n=50", 50, 1e9}, {"n=22/ties", 22, 60}, {"n=25/ties", 25, 100}, {"n=80", 80, 1e9}} {
		b.Run(c.name, func(b *testing.B) {
			r := seeded(1)
			x, y := whole(r, c.n, c.k), whole(r, c.n, c.k)
			for b.Loop() {
				MannWhitney(x, y)
			}
		})
	}
}

func BenchmarkMedianInterval(b *testing.B) {
	x := draws(seeded(1), lognormalShape(0.05), 22)
	for b.Loop() {
		MedianInterval(x, 0.95)
	}
}

func BenchmarkGeoMeanInterval(b *testing.B) {
	x := draws(seeded(1), lognormalShape(0.05), 200)
	for b.Loop() {
		GeoMeanInterval(x, 10_000, 0.95, 1)
	}
}

func BenchmarkBimodal(b *testing.B) {
	x := draws(seeded(1), lognormalShape(0.05), 22)
	for b.Loop() {
		Bimodal(x)
	}
}

func BenchmarkMannKendall(b *testing.B) {
	x := draws(seeded(1), lognormalShape(0.05), 50)
	for b.Loop() {
		MannKendall(x)
	}
}
