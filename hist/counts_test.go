package hist_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/hist"
)

// anyConfig returns a configuration, often with a limited range.
func anyConfig(r *rand.Rand) hist.Config {
	c := hist.Config{Digits: 1 + r.IntN(4), Lowest: 1 + r.Int64N(1+r.Int64N(2000))}
	if r.IntN(2) == 0 {
		c.Highest = 2*c.Lowest + anySize(r)/2
	}
	return c
}

// anyHistogram returns up to 400 values of any magnitude, some of them negative, some frequent.
func anyHistogram(r *rand.Rand, c hist.Config) *hist.Histogram {
	h := hist.New(c)
	for range r.IntN(400) {
		switch r.IntN(20) {
		case 0:
			h.Record(-anySize(r))
		case 1:
			h.RecordN(anySize(r), r.Int64N(1<<40))
		default:
			h.Record(anySize(r))
		}
	}
	return h
}

// alike tells in which way two histograms differ, "" if in none.
func alike(t testing.TB, got, want *hist.Histogram) string {
	switch {
	case !got.Equal(want):
		return "counts"
	case got.Min() != want.Min() || got.Max() != want.Max():
		return "minimum or maximum"
	case got.Saturated() != want.Saturated():
		return "saturated"
	case got.Negative() != want.Negative():
		return "negative"
	case !bytes.Equal(encode(t, got), encode(t, want)):
		return "encoding"
	}
	return ""
}

// TestAddCountsMerges: adding what was written is the same as merging, whatever the two configurations are.
func TestAddCountsMerges(t *testing.T) {
	r := random(t)
	for range 300 {
		c := anyConfig(r)
		from, into := anyHistogram(r, c), anyHistogram(r, c)
		if r.IntN(2) == 0 {
			into = anyHistogram(r, anyConfig(r))
		}
		want := into.Copy()
		if err := want.Merge(from); err != nil {
			t.Fatal(err)
		}
		before := []byte("before")
		data, ok := bytes.CutPrefix(from.AppendCounts(before), before)
		if !ok {
			t.Fatal("what the buffer had is gone")
		}
		if err := into.AddCounts(data); err != nil {
			t.Fatalf("%+v into %+v: %v", from.Config(), into.Config(), err)
		}
		if d := alike(t, into, want); d != "" {
			t.Fatalf("%+v into %+v: the %s differ", from.Config(), into.Config(), d)
		}
	}
}

func TestAddCountsOfNothing(t *testing.T) {
	var h, into hist.Histogram
	if err := into.AddCounts(h.AppendCounts(nil)); err != nil || into.Count() != 0 {
		t.Errorf("%d values, %v", into.Count(), err)
	}
}

// written returns a form by its numbers.
func written(numbers ...int64) []byte {
	var data []byte
	for i, n := range numbers {
		if i == 5 || i == 6 {
			data = binary.AppendVarint(data, n)
		} else {
			data = binary.AppendUvarint(data, uint64(n))
		}
	}
	return data
}

// TestAddCountsErrors: what AppendCounts never writes is refused, and changes nothing.
func TestAddCountsErrors(t *testing.T) {
	const (
		number = "a number is not in its range"
		sum    = "the counts of the buckets do not make the stated sum"
	)
	for _, c := range []struct {
		name string
		data []byte
		want string // "": none
	}{
		{"whole", written(1, 3, 1, 54, 2, 5, 7, 0, 0, 5, 1, 1, 1), ""},
		{"nothing", nil, "cut off"},
		{"other version", written(2, 3, 1, 54, 0), "version 2 of the form cannot be read, only 1"},
		{"no digits", written(1, 0, 1, 54, 0), number},
		{"many digits", written(1, 6, 1, 54, 0), number},
		{"no lowest", written(1, 3, 0, 54, 0), number},
		{"lowest above int64", append([]byte{1, 3}, append(binary.AppendUvarint(nil, 1<<63), 54, 0)...), number},
		{"lowest too large", written(1, 3, 1<<60, 2, 0), "hist: lowest value 1152921504606846976 is too large for 3 digits"},
		{"one magnitude", written(1, 3, 1, 1, 0), number},
		{"more magnitudes than int64 has", written(1, 3, 1, 55, 0), number},
		{"ends in the header", written(1, 3, 1, 54), "cut off"},
		{"ends after the sum", written(1, 3, 1, 54, 2), "cut off"},
		{"number of 11 bytes", append(written(1, 3, 1, 54), bytes.Repeat([]byte{0xff}, 11)...), number},
		{"minimum above maximum", written(1, 3, 1, 54, 2, 8, 7, 0, 0, 5, 2), "the smallest value, 8, is above the largest, 7"},
		{"no buckets", written(1, 3, 1, 54, 2, 5, 7, 0, 0), sum},
		{"a count too few", written(1, 3, 1, 54, 2, 5, 7, 0, 0, 5, 1), sum},
		{"a count too many", written(1, 3, 1, 54, 2, 5, 7, 0, 0, 5, 3), sum},
		{"an empty bucket", written(1, 3, 1, 54, 2, 5, 7, 0, 0, 5, 2, 0, 0), sum},
		{"half a pair", written(1, 3, 1, 54, 2, 5, 7, 0, 0, 5, 2, 1), "cut off"},
		{"more data", written(1, 3, 1, 54, 0, 1, 1), sum},
		{"bucket beyond the range", written(1, 3, 1, 2, 1, 5, 5, 0, 0, 2048, 1), "more buckets than its digits and range have"},
		{"gap that wraps around", append(written(1, 3, 1, 54, 2, 5, 7, 0, 0, 5, 1), append(binary.AppendUvarint(nil, math.MaxUint64), 1)...), "more buckets than its digits and range have"},
		{"sum beyond int64", written(1, 3, 1, 54, math.MaxInt64, 5, 5, 0, 0, 5, math.MaxInt64), "the sum of the counts exceeds 2^63-1"},
	} {
		h := of(3, 4000)
		err := h.AddCounts(c.data)
		switch {
		case c.want == "" && (err != nil || !h.Equal(of(3, 4000, 5, 7))):
			t.Errorf("%s: %v, %+v", c.name, err, h.Percentiles())
		case c.want != "" && (err == nil || err.Error() != "hist: add counts: "+c.want):
			t.Errorf("%s: got %v\nwant %s", c.name, err, c.want)
		case c.want != "" && alike(t, h, of(3, 4000)) != "":
			t.Errorf("%s: the failed AddCounts left %+v", c.name, h.Percentiles())
		}
	}
}

// TestCutOffCounts: no beginning of what was written is taken for the whole.
func TestCutOffCounts(t *testing.T) {
	r := random(t)
	h := fill(anyHistogram(r, hist.Config{}), 1)
	data := h.AppendCounts(nil)
	for n := range data {
		into := of(9)
		if err := into.AddCounts(data[:n]); err == nil || alike(t, into, of(9)) != "" {
			t.Fatalf("%d of %d bytes: %v, %+v", n, len(data), err, into.Percentiles())
		}
	}
}

func TestCountsAllocateNothing(t *testing.T) {
	from, into := new(hist.Histogram), new(hist.Histogram)
	fill(from, latencies()[:]...)
	data := from.AppendCounts(nil)
	into.AddCounts(data)
	if n := testing.AllocsPerRun(100, func() { into.AddCounts(data) }); n != 0 {
		t.Errorf("AddCounts allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { data = from.AppendCounts(data[:0]) }); n != 0 {
		t.Errorf("AppendCounts allocates %v times", n)
	}
}

// FuzzAddCounts: any input either changes nothing, or adds what can be written and added again with the same result.
func FuzzAddCounts(f *testing.F) {
	f.Add(of(1, 5, 1<<40).AppendCounts(nil))
	f.Add(fill(hist.New(hist.Config{Digits: 2, Lowest: 1000, Highest: 1 << 30}), -5, 7000, 1<<40).AppendCounts(nil))
	f.Add(new(hist.Histogram).AppendCounts(nil))
	f.Add(written(1, 5, 1, 46, math.MaxInt64, 5, 5, 0, 0, 5, math.MaxInt64))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range []hist.Config{{}, {Digits: 1, Lowest: 100, Highest: 1 << 20}} {
			h := fill(hist.New(c), 3, 1<<30)
			before := h.Copy()
			if err := h.AddCounts(data); err != nil {
				if d := alike(t, h, before); d != "" {
					t.Fatalf("after %v the %s differ", err, d)
				}
				continue
			}
			again := hist.New(c)
			if err := again.AddCounts(h.AppendCounts(nil)); err != nil {
				t.Fatal(err)
			}
			if d := alike(t, again, h); d != "" {
				t.Fatalf("written again the %s differ", d)
			}
		}
	})
}

// BenchmarkAddEncoded adds a histogram of 100,000 latencies that another process has encoded, in both forms.
func BenchmarkAddEncoded(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	from, into := new(hist.Histogram), new(hist.Histogram)
	for range 100_000 {
		from.Record(int64(100e3 * math.Exp(r.NormFloat64())))
	}
	counts, payload := from.AppendCounts(nil), encode(b, from)
	b.Run("form=counts", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(len(counts)), "wire-B")
		for range b.N {
			if err := into.AddCounts(counts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("form=V2", func(b *testing.B) {
		b.ReportAllocs()
		b.ReportMetric(float64(len(payload)), "wire-B")
		for range b.N {
			h, err := hist.Decode(payload)
			if err != nil {
				b.Fatal(err)
			}
			if err := into.Merge(h); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("append", func(b *testing.B) {
		var buf []byte
		for range b.N {
			buf = from.AppendCounts(buf[:0])
		}
	})
}
