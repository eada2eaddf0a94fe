package hist_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/tarebench/tare/hist"
)

// TestRank checks which of n values a percentile is, by recording one large
// value more than that many small ones would need.
func TestRank(t *testing.T) {
	for _, c := range []struct {
		p    float64
		n    int64
		want int64
	}{
		{0, 1, 1}, {50, 1, 1}, {100, 1, 1}, {99.99, 1, 1},
		{50, 2, 1}, {50.000001, 2, 2}, {50, 3, 2}, {50, 4, 2},
		{99, 100, 99}, {99.1, 100, 100}, {91, 10, 10}, {90, 10, 9},
		// 99.9/100 × 1000 is more than 999 in float64, and 29/100 × 100 more than 29.
		{99.9, 1000, 999}, {99.99, 10_000, 9999}, {29, 100, 29}, {57, 100, 57}, {1.1, 1000, 11},
		{99.9999999, 1e9, 1e9 - 1},
		{math.SmallestNonzeroFloat64, math.MaxInt64, 1},
		{math.Nextafter(100, 0), 1000, 1000},
		// Above 2^53 not every whole number is a float64.
		{50, 1<<53 + 1, 1<<52 + 1}, {50, 1<<60 + 2, 1<<59 + 1}, {25, math.MaxInt64 - 3, (math.MaxInt64 - 3) / 4},
		{100, math.MaxInt64, math.MaxInt64}, {99.99, 1e18, 999_900_000_000_000_000},
		// Beyond the ends.
		{-1, 5, 1}, {math.Inf(-1), 5, 1}, {101, 5, 5}, {math.Inf(1), 5, 5}, {math.NaN(), 5, 1},
	} {
		if got := c.n - (hist.Percentiles{Count: c.n}).Beyond(c.p); got != c.want {
			t.Errorf("p%v of %d values is number %d, want %d", c.p, c.n, got, c.want)
		}
		// The want-th value is the last of the small ones, and the first of the
		// large ones when there is one small value less.
		for _, small := range []int64{c.want, c.want - 1} {
			var h hist.Histogram
			h.RecordN(10, small)
			h.RecordN(20, c.n-small)
			want := int64(10)
			if small < c.want {
				want = 20
			}
			if got := h.ValueAtPercentile(c.p); got != want {
				t.Errorf("p%v of %d times 10 and %d times 20 is %d, want %d", c.p, small, c.n-small, got, want)
			}
			if got, want := h.CountBeyond(c.p), c.n-c.want; got != want {
				t.Errorf("%d of %d values beyond p%v, want %d", got, c.n, c.p, want)
			}
		}
	}
}

// TestRankAsJava compares the rank with HdrHistogram's arithmetic, for counts
// for which float64 gets it right: AbstractHistogram.getValueAtPercentile. With
// 2^40 values, p36.388 is not where it should be.
func TestRankAsJava(t *testing.T) {
	r := random(t)
	for range 20_000 {
		p := float64(r.Int64N(100_000)+1) / 1000
		n := r.Int64N(1<<30>>r.IntN(30)) + 1
		java := max(int64(math.Ceil(math.Nextafter(p, 0)*float64(n)/100)), 1)
		if got := n - (hist.Percentiles{Count: n}).Beyond(p); got != java {
			t.Fatalf("p%v of %d values is number %d, and %d in Java", p, n, got, java)
		}
	}
}

func TestValueAtPercentileIsABucketsBound(t *testing.T) {
	h := of(1_000_003, 1_000_003, 2_000_003)
	for _, c := range []struct {
		p    float64
		want int64
	}{{0, 999_936}, {50, 1_000_447}, {66.6, 1_000_447}, {66.7, 2_000_895}, {100, 2_000_895}} {
		if got := h.ValueAtPercentile(c.p); got != c.want {
			t.Errorf("p%v is %d, want %d", c.p, got, c.want)
		}
	}
}

// TestPercentilesOfSorted compares with the values themselves.
func TestPercentilesOfSorted(t *testing.T) {
	var h hist.Histogram
	for v := int64(1); v <= 100_000; v++ {
		h.Record(v * 1000)
	}
	p := h.Percentiles()
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"min", p.Min, 1000}, {"p50", p.P50, 50_000_000}, {"p90", p.P90, 90_000_000}, {"p99", p.P99, 99_000_000},
		{"p99.9", p.P999, 99_900_000}, {"p99.99", p.P9999, 99_990_000}, {"max", p.Max, 100_000_000},
	} {
		if c.got < c.want || float64(c.got) > float64(c.want)*1.001 {
			t.Errorf("%s is %d, want at least %d and less than a thousandth more", c.name, c.got, c.want)
		}
	}
	if math.Abs(p.Mean/50_000_500-1) > 1e-3 || p.Count != 100_000 || p.Beyond(99.99) != 10 {
		t.Errorf("%d values with mean %v, %d beyond p99.99", p.Count, p.Mean, p.Beyond(99.99))
	}
}

// TestPercentilesWithinMinMax: a bucket's bound may lie outside of what was
// recorded, a percentile in a report may not.
func TestPercentilesWithinMinMax(t *testing.T) {
	p := of(1_000_003).Percentiles()
	want := hist.Percentiles{Count: 1, Min: 1_000_003, Mean: 1_000_192, Max: 1_000_003,
		P50: 1_000_003, P90: 1_000_003, P99: 1_000_003, P999: 1_000_003, P9999: 1_000_003}
	if p != want {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
}

func TestPercentilesJSON(t *testing.T) {
	h := hist.New(hist.Config{Highest: 10})
	for _, v := range []int64{1, 2, 3, 1 << 40, -4} {
		h.Record(v)
	}
	got, err := json.Marshal(h.Percentiles())
	want := `{"count":5,"min":-4,"mean":410.6,"p50":2,"p90":2047,"p99":2047,"p99.9":2047,"p99.99":2047,"max":1099511627776,"saturated":1,"negative":1}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}
