package hist_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
)

// TestMergeAndSubtract merges random parts and subtracts them again.
func TestMergeAndSubtract(t *testing.T) {
	r := random(t)
	for range 50 {
		c := hist.Config{Digits: 1 + r.IntN(4), Lowest: 1 + r.Int64N(100)}
		a, b, whole := hist.New(c), hist.New(c), hist.New(c)
		for range r.IntN(300) {
			v := anySize(r)
			whole.Record(v)
			if r.IntN(2) == 0 {
				a.Record(v)
			} else {
				b.Record(v)
			}
		}
		sum := a.Copy()
		if err := sum.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !sum.Equal(whole) || sum.Min() != whole.Min() || sum.Max() != whole.Max() {
			t.Fatalf("%+v: merged %d values from %d to %d, want %d from %d to %d", c,
				sum.Count(), sum.Min(), sum.Max(), whole.Count(), whole.Min(), whole.Max())
		}
		if err := sum.Subtract(b); err != nil {
			t.Fatal(err)
		}
		if !sum.Equal(a) {
			t.Fatalf("%+v: %d values are left, want %d", c, sum.Count(), a.Count())
		}
		if a.Count() > 0 && (!sameBucket(a, sum.Min(), a.Min()) || !sameBucket(a, sum.Max(), a.Max())) {
			t.Fatalf("%+v: from %d to %d are left, want %d to %d", c, sum.Min(), sum.Max(), a.Min(), a.Max())
		}
		if err := sum.Subtract(sum.Copy()); err != nil || sum.Percentiles() != (hist.Percentiles{}) {
			t.Fatalf("all from all leaves %+v: %v", sum.Percentiles(), err)
		}
	}
}

// sameBucket reports whether two values are counted together.
func sameBucket(h *hist.Histogram, v, w int64) bool {
	return fill(hist.New(h.Config()), v).Equal(fill(hist.New(h.Config()), w))
}

func TestSubtractErrorsChangeNothing(t *testing.T) {
	h := of(5, 6, 7, 100_000)
	for _, c := range []struct {
		from *hist.Histogram
		want string
	}{
		{of(5, 5), "hist: subtract: 2 values from 5 to 5, of which there are only 1"},
		{of(5, 6, 100_000, 100_001), "hist: subtract: 2 values from 99968 to 100031, of which there are only 1"},
		{of(1 << 50), "hist: subtract: 1 values from 1125899906842624 to 1126999418470399, of which there are only 0"},
		{fill(hist.New(hist.Config{Digits: 2}), 5), "hist: subtract: the buckets differ: 2 digits of values from 1 up, from 3 digits from 1 up"},
		{fill(hist.New(hist.Config{Lowest: 1000}), 5000), "hist: subtract: the buckets differ: 3 digits of values from 1000 up, from 3 digits from 1 up"},
	} {
		if err := h.Subtract(c.from); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		if !h.Equal(of(5, 6, 7, 100_000)) || h.Min() != 5 || h.Max() != 100_000 {
			t.Fatalf("the failed Subtract left %d values from %d to %d", h.Count(), h.Min(), h.Max())
		}
	}
	if err := h.Subtract(new(hist.Histogram)); err != nil {
		t.Errorf("subtracting nothing: %v", err)
	}
	if err := new(hist.Histogram).Subtract(of(1)); err == nil {
		t.Error("subtracted from nothing")
	}
}

// TestSubtractKeepsCounters: what was out of range goes with its values.
func TestSubtractKeepsCounters(t *testing.T) {
	c := hist.Config{Highest: 5000}
	a, b := fill(hist.New(c), 7, -5, 1<<40), fill(hist.New(c), -6, 1<<41, 9)
	sum := a.Copy()
	if err := sum.Merge(b); err != nil {
		t.Fatal(err)
	}
	if sum.Saturated() != 2 || sum.Negative() != 2 || sum.Min() != -6 || sum.Max() != 1<<41 {
		t.Errorf("merged: %+v", sum.Percentiles())
	}
	if err := sum.Subtract(b); err != nil {
		t.Fatal(err)
	}
	if sum.Saturated() != 1 || sum.Negative() != 1 || !sum.Equal(a) {
		t.Errorf("subtracted: %+v", sum.Percentiles())
	}
}

func TestMergeOfOtherConfig(t *testing.T) {
	fine := of(1, 1000, 1_000_000, 1<<40, 1<<41)
	coarse := hist.New(hist.Config{Digits: 1, Highest: 1 << 38})
	if err := coarse.Merge(fine); err != nil {
		t.Fatal(err)
	}
	want := fill(hist.New(hist.Config{Digits: 1, Highest: 1 << 38}), 1, 1000, 1_000_000, 1<<40, 1<<41)
	if !coarse.Equal(want) || coarse.Saturated() != 2 || coarse.Max() != 1<<41 {
		t.Errorf("fine into coarse: %+v, want %+v", coarse.Percentiles(), want.Percentiles())
	}
	back := new(hist.Histogram) // saturated values have a bucket here
	if err := back.Merge(coarse); err != nil {
		t.Fatal(err)
	}
	if back.Count() != 5 || back.Saturated() != 2 || math.Abs(back.Mean()/coarse.Mean()-1) > 1e-3 {
		t.Errorf("coarse into fine: %+v, want %+v", back.Percentiles(), coarse.Percentiles())
	}
}

// TestMergeIntoSmallerRange: a value is saturated once, however often the
// histograms that it went through were too small for it.
func TestMergeIntoSmallerRange(t *testing.T) {
	large, small := hist.New(hist.Config{Highest: 1 << 30}), hist.New(hist.Config{Highest: 1 << 20})
	fill(large, 1, 1<<25, 1<<40)
	if err := small.Merge(large); err != nil {
		t.Fatal(err)
	}
	if small.Saturated() != 2 || small.Count() != 3 || small.ValueAtPercentile(100) != 1<<21-1 {
		t.Errorf("%+v", small.Percentiles())
	}
}

func TestMergeOverflow(t *testing.T) {
	h, full := of(3), new(hist.Histogram)
	full.RecordN(8, math.MaxInt64)
	if err := h.Merge(full); err == nil || err.Error() != "hist: merge: the sum of the counts exceeds 2^63-1" {
		t.Error(err)
	}
	if !h.Equal(of(3)) || h.Max() != 3 {
		t.Errorf("the failed Merge left %d values up to %d", h.Count(), h.Max())
	}
	r := hist.NewRecorder(hist.Config{})
	r.Record(1)
	panics(t, "hist: merge: the sum of the counts exceeds 2^63-1", func() { r.Swap(full) })
	if n := r.Interval().Count() + r.Interval().Count(); n != 1 {
		t.Errorf("%d values came out of the recorder after the failed Swap, want 1", n)
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b *hist.Histogram
		want bool
	}{
		{"both empty", new(hist.Histogram), hist.New(hist.Config{}), true},
		{"empty, other digits", new(hist.Histogram), hist.New(hist.Config{Digits: 2}), false},
		{"same", of(1, 2, 1<<40), of(1<<40, 2, 1), true},
		{"same bucket", of(1_000_000), of(1_000_001), true},
		{"other count", of(1, 2), of(1, 2, 2), false},
		{"other value", of(1, 2), of(1, 3), false},
		{"other page", of(1, 2), of(1, 1<<40), false},
		{"other range", of(5), fill(hist.New(hist.Config{Highest: 100}), 5), true},
		{"other lowest", of(5000), fill(hist.New(hist.Config{Lowest: 10}), 5000), false},
	} {
		if c.a.Equal(c.b) != c.want || c.b.Equal(c.a) != c.want {
			t.Errorf("%s: not %v", c.name, c.want)
		}
	}
}

func TestErrorsName(t *testing.T) {
	_, err := of(1).Correct(-5)
	if err == nil || !strings.Contains(err.Error(), "-5") {
		t.Errorf("%v does not name the interval", err)
	}
}
