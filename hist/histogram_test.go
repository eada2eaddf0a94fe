package hist_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/tarebench/tare/hist"
)

func TestEmpty(t *testing.T) {
	for name, h := range map[string]*hist.Histogram{
		"zero":  new(hist.Histogram),
		"new":   hist.New(hist.Config{Digits: 2, Lowest: 1000}),
		"reset": func() *hist.Histogram { h := of(1, 2, -3); h.Reset(); return h }(),
		"copy":  new(hist.Histogram).Copy(),
	} {
		if p := h.Percentiles(); p != (hist.Percentiles{}) {
			t.Errorf("%s: %+v", name, p)
		}
		if h.StdDev() != 0 || h.ValueAtPercentile(0) != 0 || h.ValueAtPercentile(100) != 0 || h.CountBeyond(50) != 0 {
			t.Errorf("%s: an empty histogram has values", name)
		}
		for b, n := range h.Buckets() {
			t.Errorf("%s: %d values in %v", name, n, b)
		}
	}
	if got, want := new(hist.Histogram).Config(), (hist.Config{Digits: 3, Lowest: 1, Highest: math.MaxInt64}); got != want {
		t.Errorf("configuration %+v, want %+v", got, want)
	}
}

// TestAgainstHdrhistogram records the same values in HdrHistogram's Go port and
// compares the buckets.
func TestAgainstHdrhistogram(t *testing.T) {
	r := random(t)
	for range 30 {
		digits, lowest := 1+r.IntN(4), int64(1)<<r.IntN(12)+r.Int64N(3)
		highest := max(2*lowest, anySize(r))
		h := hist.New(hist.Config{Digits: digits, Lowest: lowest, Highest: highest})
		g := hdr.New(lowest, highest, digits)
		var over int64
		for range 2000 {
			v := anySize(r)
			h.Record(v)
			if g.RecordValue(v) != nil {
				over++
			}
		}
		if h.Saturated() != over || h.Count() != g.TotalCount()+over {
			t.Fatalf("%+v: %d of %d saturated, want %d", h.Config(), h.Saturated(), h.Count(), over)
		}
		var want []hdr.Bar
		for _, b := range g.Distribution() {
			if b.Count > 0 {
				want = append(want, b)
			}
		}
		var got []hdr.Bar
		for b, n := range h.Buckets() {
			got = append(got, hdr.Bar{From: b.Lowest, To: b.Highest, Count: n})
		}
		// Saturated values are in our topmost bucket, and nowhere in the other.
		if top := len(got) - 1; over > 0 {
			if got[top].Count -= over; got[top].Count == 0 {
				got = got[:top]
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v:\n got %v\nwant %v", h.Config(), got, want)
		}
		if over == 0 && h.Count() > 0 {
			close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
			if !close(h.Mean(), g.Mean()) || !close(h.StdDev(), g.StdDev()) {
				t.Fatalf("%+v: %v ± %v, want %v ± %v", h.Config(), h.Mean(), h.StdDev(), g.Mean(), g.StdDev())
			}
		}
	}
}

func TestOutOfRangeIsCounted(t *testing.T) {
	h := hist.New(hist.Config{Highest: 1 << 20})
	for _, v := range []int64{-1, math.MinInt64, 5, 1 << 20, 1<<21 - 1, 1 << 21, math.MaxInt64} {
		h.Record(v)
	}
	if h.Count() != 7 || h.Saturated() != 2 || h.Negative() != 2 {
		t.Errorf("%d values, %d saturated, %d negative, want 7, 2 and 2", h.Count(), h.Saturated(), h.Negative())
	}
	if h.Min() != math.MinInt64 || h.Max() != math.MaxInt64 {
		t.Errorf("from %d to %d: not exact", h.Min(), h.Max())
	}
	if p0, p100 := h.ValueAtPercentile(0), h.ValueAtPercentile(100); p0 != 0 || p100 != 1<<21-1 {
		t.Errorf("percentiles from %d to %d, want those of the range", p0, p100)
	}
}

func TestRecordN(t *testing.T) {
	h := new(hist.Histogram)
	h.RecordN(1000, 0)
	if h.Count() != 0 || h.Max() != 0 {
		t.Errorf("recording nothing left %d values up to %d", h.Count(), h.Max())
	}
	h.RecordN(1000, math.MaxInt64-1)
	h.RecordN(7, 1)
	panics(t, "hist: RecordN: negative count", func() { h.RecordN(1, -1) })
	panics(t, "hist: RecordN: the sum of the counts exceeds 2^63-1", func() { h.RecordN(1, 1) })
	if h.Count() != math.MaxInt64 || h.Min() != 7 || h.Max() != 1000 {
		t.Errorf("%d values from %d to %d", h.Count(), h.Min(), h.Max())
	}
	if p := h.ValueAtPercentile(0.0001); p != 1000 {
		t.Errorf("all but the first are 1000, but p0.0001 is %d", p)
	}
}

func TestRecordNOutOfRange(t *testing.T) {
	h := hist.New(hist.Config{Highest: 1000})
	h.RecordN(1<<40, 5)
	h.RecordN(-1, 7)
	if h.Saturated() != 5 || h.Negative() != 7 || h.Count() != 12 {
		t.Errorf("%d saturated, %d negative of %d", h.Saturated(), h.Negative(), h.Count())
	}
}

func TestCopyIsSeparate(t *testing.T) {
	h := of(1, 2, 3)
	c := h.Copy()
	c.Record(3)
	h.Record(1 << 30)
	if h.Count() != 4 || c.Count() != 4 || c.Max() != 3 || c.Equal(h) {
		t.Errorf("%d values up to %d beside %d up to %d", h.Count(), h.Max(), c.Count(), c.Max())
	}
}

func TestResetKeepsMemory(t *testing.T) {
	h := of(1, 1<<20, 1<<40)
	if n := testing.AllocsPerRun(10, func() {
		h.Reset()
		h.Record(1)
		h.Record(1 << 20)
		h.Record(1 << 40)
	}); n != 0 {
		t.Errorf("%v allocations after Reset", n)
	}
}

func TestBucketsStops(t *testing.T) {
	h := of(1, 2, 3, 1<<40)
	var seen []string
	for b, n := range h.Buckets() {
		seen = append(seen, fmt.Sprint(b.Lowest, n))
		if len(seen) == 2 {
			break
		}
	}
	if want := []string{"1 1", "2 1"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
}
