package ycsb

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// draw counts which records a distribution gives, one draw for each operation.
func draw(l keyChooser, seed uint64, draws int, from, last int64) []int {
	counts := make([]int, last-from+1)
	r := random{}
	for k := range uint64(draws) {
		r.start(seed, k)
		counts[l.next(&r, last)-from]++
	}
	return counts
}

// requests is a configuration with a distribution.
func requests(d Distribution, change func(c *Config)) *Config {
	c := Default()
	c.RequestDistribution = d
	if change != nil {
		change(&c)
	}
	return &c
}

func checkDistribution(t *testing.T, what string, counts []int, mass func(i int) float64) {
	t.Helper()
	chi := chiSquare{}
	for i, n := range counts {
		chi.add(n, mass(i))
	}
	chi.check(t, what)
}

func TestUniform(t *testing.T) {
	c := requests(Uniform, func(c *Config) { c.RecordCount, c.InsertStart, c.InsertCount = 1000, 300, 77 })
	counts := draw(newKeyChooser(c), 1, 200000, 0, 999)
	checkDistribution(t, "uniform", counts, func(i int) float64 {
		if i < 300 || i >= 377 {
			return 0
		}
		return 1.0 / 77
	})
}

func TestHotspot(t *testing.T) {
	c := requests(Hotspot, func(c *Config) {
		c.RecordCount, c.InsertStart, c.HotspotDataFraction, c.HotspotOpnFraction = 1010, 10, 0.25, 0.9
	})
	counts := draw(newKeyChooser(c), 2, 500000, 0, 1009)
	checkDistribution(t, "hotspot", counts, func(i int) float64 {
		switch {
		case i < 10:
			return 0
		case i < 260:
			return 0.9 / 250
		default:
			return 0.1 / 750
		}
	})
	// All or nothing hot.
	for _, share := range []float64{0, 1} {
		c.HotspotDataFraction, c.HotspotOpnFraction = share, share
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		checkDistribution(t, fmt.Sprintf("hotspot %v", share), draw(newKeyChooser(c), 3, 100000, 10, 1009), func(int) float64 { return 0.001 })
	}
}

func TestSequential(t *testing.T) {
	c := requests(Sequential, func(c *Config) { c.RecordCount, c.InsertStart, c.InsertCount = 100, 20, 7 })
	l := newKeyChooser(c)
	r := random{}
	for k := range uint64(30) {
		r.start(1, k)
		if got, want := l.next(&r, 99), 20+int64(k%7); got != want {
			t.Errorf("operation %d: record %d, want %d", k, got, want)
		}
	}
}

// TestExponential: redrawn while below 0, the distribution is that of a geometric series
// cut off behind the oldest record.
func TestExponential(t *testing.T) {
	flat := requests(Exponential, func(c *Config) { c.ExponentialPercentile = 1e-6 })
	checkDistribution(t, "nearly uniform", draw(newKeyChooser(flat), 5, 200000, 0, 999), func(int) float64 { return 0.001 })

	c := requests(Exponential, func(c *Config) { c.RecordCount, c.ExponentialPercentile, c.ExponentialFrac = 500, 90, 0.25 })
	gamma := -math.Log(0.1) / 125
	for _, last := range []int64{499, 100, 2000, 0} {
		whole := 1 - math.Exp(-gamma*float64(last+1))
		counts := draw(newKeyChooser(c), 4, 500000, 0, last)
		checkDistribution(t, fmt.Sprintf("exponential up to %d", last), counts, func(i int) float64 {
			ago := float64(last) - float64(i)
			return math.Exp(-gamma*ago) * (1 - math.Exp(-gamma)) / whole
		})
		if last != 499 {
			continue
		}
		newest := 0
		for _, n := range counts[375:] {
			newest += n
		}
		// What the properties promise, but for what is cut off.
		if share := float64(newest) / 500000 * whole; math.Abs(share-0.9) > 0.003 {
			t.Errorf("the newest quarter gets %.4f of the operations, want 0.9", share)
		}
	}
}

// grayMass is the probability of a rank by Gray's formula, from its inverse.
func grayMass(g *gray, rank int64) float64 {
	end := func(j int64) float64 { // where rank j−1 ends
		if j >= g.n {
			return 1
		}
		u := (math.Pow(float64(j)/float64(g.n), 1-theta) - 1 + g.eta) / g.eta
		return min(1, max(u, second/g.zeta))
	}
	switch rank {
	case 0:
		return 1 / g.zeta
	case 1:
		return (second - 1) / g.zeta
	case 2:
		return end(3) - second/g.zeta
	default:
		return end(rank+1) - end(rank)
	}
}

func TestGray(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 10, 1000, 50000} {
		g := newGray(n, zeta(n))
		counts := make([]int, n)
		r := random{}
		r.start(5, uint64(n))
		for range 300000 {
			counts[g.rank(r.unit())]++
		}
		checkDistribution(t, fmt.Sprintf("Gray's approximation over %d", n), counts, func(i int) float64 {
			if n < 3 {
				return math.Pow(float64(i+1), -theta) / zeta(n)
			}
			return grayMass(&g, int64(i))
		})
		if got := g.rank(1 - 0x1p-53); got != n-1 {
			t.Errorf("the last of %d ranks is never drawn: %d", n, got)
		}
	}
}

func TestZeta(t *testing.T) {
	sum := 0.0
	for i := int64(1); i <= 200000; i++ {
		sum += math.Pow(float64(i), -theta)
		if i < 200 || i%9973 == 0 {
			if got := zeta(i); math.Abs(got-sum) > 1e-11*sum {
				t.Errorf("zeta(%d) is %.15g, the sum %.15g", i, got, sum)
			}
		}
	}
	// Gray's formula needs the first two to the last digit: rank 1 must end where all do.
	if got := zeta(2); math.Abs(got-second) > 1e-15 {
		t.Errorf("zeta(2) is %.17g, want %.17g", got, second)
	}
	for _, tt := range []struct {
		n    int64
		want float64
	}{{1000, 7.728953}, {100_000, 12.778338}, {1_000_000, 15.391850}, {1e10, scrambledZeta}} {
		if got := zeta(tt.n); math.Abs(got-tt.want) > 5e-7 {
			t.Errorf("zeta(%d) is %.9f, want %.9f", tt.n, got, tt.want)
		}
	}
}

// TestLatest holds the distribution against counts of YCSB's own SkewedLatestGenerator
// (commit d9faaac8, 4 million draws behind record 999).
func TestLatest(t *testing.T) {
	c := requests(Latest, nil)
	const draws = 1_000_000
	counts := draw(newKeyChooser(c), 6, draws, 0, 999)
	for record, want := range map[int]float64{999: 0.129116, 998: 0.06524425, 997: 0.05094625, 996: 0.03622325, 990: 0.01345975, 900: 0.001323, 500: 0.000267, 0: 0} {
		got := float64(counts[record]) / draws
		if sigma := math.Sqrt(want / draws); math.Abs(got-want) > 5*sigma {
			t.Errorf("record %d gets %.6f of the operations, in YCSB %.6f", record, got, want)
		}
	}
	// It moves on with the last record, and depends on that alone.
	l := newKeyChooser(c)
	for _, last := range []int64{999, 5000, 1, 2, 0, 5000} {
		fresh := &latest{zipf: newGray(last, zeta(last))}
		a, b := random{}, random{}
		for k := range uint64(2000) {
			a.start(7, k)
			b.start(7, k)
			x, y := l.next(&a, last), fresh.next(&b, last)
			if x != y || x < 0 || x > last {
				t.Fatalf("last %d, operation %d: record %d, a fresh chooser has %d", last, k, x, y)
			}
		}
	}
}

// TestScrambledIsNotZipf: how many operations the hottest record and the hottest
// hundredth of records get, by YCSB's distribution and by Zipf's law. Scrambled figures are
// those of YCSB's own ScrambledZipfianGenerator (commit d9faaac8, 4 million draws,
// records 0 … n, which it includes), and so is the record that is hottest.
func TestScrambledIsNotZipf(t *testing.T) {
	const draws = 500_000
	tests := []struct {
		distribution Distribution
		n            int64
		hottest      int
		top, share   float64
	}{
		{Zipfian, 1000, 144, 0.0385, 0.1258},
		{Zipfian, 100_000, 42439, 0.0379, 0.3040},
		{ZipfianExact, 1000, -1, 0.1294, 0.3825},
		{ZipfianExact, 100_000, -1, 0.0783, 0.6048},
		{ZipfianExact, 1_000_000, -1, 0.06497, 0.6643},
	}
	for _, tt := range tests {
		c := requests(tt.distribution, func(c *Config) { c.RecordCount = tt.n })
		// The range of the distribution ends behind the last record: see that one too.
		counts := draw(newKeyChooser(c), 8, draws, 0, tt.n)
		order := byHeat(newKeyChooser(c), counts)
		n := 0
		for _, record := range order[:tt.n/100] {
			n += counts[record]
		}
		hottest := order[0]
		top, share := float64(counts[hottest])/draws, float64(n)/draws
		t.Logf("%s over %d: hottest %d with %.4f, hottest hundredth %.4f", tt.distribution, tt.n, hottest, top, share)
		if math.Abs(top-tt.top) > 0.001 || math.Abs(share-tt.share) > 0.003 {
			t.Errorf("%s over %d: the hottest gets %.4f, its hundredth %.4f; want %.4f, %.4f", tt.distribution, tt.n, top, share, tt.top, tt.share)
		}
		if tt.hottest >= 0 && hottest != tt.hottest {
			t.Errorf("%s over %d: the hottest is %d, in YCSB %d", tt.distribution, tt.n, hottest, tt.hottest)
		}
	}
}

// byHeat returns the records, the most popular first: by the distribution itself where it
// knows, and by counts else, which flatters those that were lucky.
func byHeat(l keyChooser, counts []int) []int {
	order := make([]int, len(counts))
	for i := range order {
		order[i] = i
	}
	if l, ok := l.(*scattered); ok {
		for rank := range l.place.n {
			order[rank] = int(l.place.permute(rank))
		}
		return order
	}
	slices.SortFunc(order, func(a, b int) int { return counts[b] - counts[a] })
	return order
}

// TestRedraw: records that are not there yet are never requested, and those that
// are keep their odds among each other.
func TestRedraw(t *testing.T) {
	for _, d := range []Distribution{Zipfian, ZipfianExact} {
		c := requests(d, func(c *Config) {
			c.ReadProportion, c.UpdateProportion, c.InsertProportion, c.OperationCount = 0.5, 0, 0.5, 200
		})
		all := draw(newKeyChooser(c), 9, 500_000, 0, 1200)
		some := draw(newKeyChooser(c), 10, 500_000, 0, 999) // panics if there were others
		// Twice as many as are expected, and YCSB's range includes its end.
		end := map[Distribution]int{Zipfian: 1200, ZipfianExact: 1199}[d]
		if got := len(all) - 1 - slices.IndexFunc(reversed(all), func(n int) bool { return n > 0 }); got != end {
			t.Errorf("%s: requests go up to record %d, want %d", d, got, end)
		}
		there := 0
		for _, n := range all[:1000] {
			there += n
		}
		odd := 0
		for i, n := range some {
			want := float64(all[i]) / float64(there) * 500_000
			if math.Abs(float64(n)-want) > 6*math.Sqrt(2*want+10) {
				odd++
				t.Errorf("%s: record %d is requested %d times, want %.0f", d, i, n, want)
			}
			if odd > 5 {
				t.FailNow()
			}
		}
		if late := 500_000 - there; late < 5000 {
			t.Errorf("%s: records to be inserted are requested %d times of 500 000", d, late)
		}
	}
	// Where nearly all that could be drawn is not there, it still ends.
	c := requests(Zipfian, func(c *Config) {
		c.RecordCount, c.ReadProportion, c.UpdateProportion, c.InsertProportion, c.OperationCount = 2, 0, 0, 1, 1<<50
	})
	checkDistribution(t, "two records of 2^51", draw(newKeyChooser(c), 11, 2000, 0, 1), func(int) float64 { return 0.5 })
}

func reversed(of []int) []int {
	of = slices.Clone(of)
	slices.Reverse(of)
	return of
}

func TestModulus(t *testing.T) {
	r := random{}
	r.start(12, 0)
	for range 100_000 {
		n := r.next()>>r.below(64) | 1
		x := r.next() >> r.below(64)
		for _, n := range []uint64{n, 1, 2, 1 << 63, math.MaxUint64} {
			for _, x := range []uint64{x, n - 1, n, 0, math.MaxUint64} {
				if got := newModulus(n).mod(x); got != x%n {
					t.Fatalf("%d mod %d is %d, want %d", x, n, got, x%n)
				}
			}
		}
	}
}
