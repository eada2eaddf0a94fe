package hist_test

import (
	"math/rand/v2"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"

	"github.com/tarebench/tare/hist"
)

// latencies are recorded by all benchmarks alike: a cycle of values that the
// branch predictor cannot learn.
func latencies() *[1 << 14]int64 {
	values := new([1 << 14]int64)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range values {
		values[i] = latency(r)
	}
	return values
}

// BenchmarkRecord shows what a value costs: in a histogram of one goroutine, in
// one of HdrHistogram's Go port, in a Recorder whose intervals others may take,
// and three values of an operation in three Recorders and in one Recorders.
func BenchmarkRecord(b *testing.B) {
	values := latencies()
	b.Run("Histogram", func(b *testing.B) {
		h := hist.New(hist.Config{})
		for i := range b.N {
			h.Record(values[i%len(values)])
		}
	})
	b.Run("hdrhistogram-go", func(b *testing.B) {
		h := hdr.New(1, 3600e9, 3)
		for i := range b.N {
			h.RecordValue(values[i%len(values)])
		}
	})
	b.Run("Recorder", func(b *testing.B) {
		r := hist.NewRecorder(hist.Config{})
		for i := range b.N {
			r.Record(values[i%len(values)])
		}
	})
	b.Run("three=Recorder", func(b *testing.B) {
		var r [3]*hist.Recorder
		for i := range r {
			r[i] = hist.NewRecorder(hist.Config{})
		}
		for i := range b.N {
			v := values[i%len(values)]
			r[0].Record(v)
			r[1].Record(v / 2)
			r[2].Record(v / 64)
		}
	})
	b.Run("three=Recorders", func(b *testing.B) {
		r := hist.NewRecorders(3, hist.Config{})
		for i := range b.N {
			v := values[i%len(values)]
			r.Record(v, v/2, v/64)
		}
	})
}

// BenchmarkSwap shows what taking an interval of 10,000 values costs the taker.
func BenchmarkSwap(b *testing.B) {
	values := latencies()
	r, into := hist.NewRecorder(hist.Config{}), new(hist.Histogram)
	for range b.N {
		b.StopTimer()
		for _, v := range values[:10_000] {
			r.Record(v)
		}
		b.StartTimer()
		r.Swap(into)
	}
}

// BenchmarkPayload encodes and decodes 16,384 latencies, beside HdrHistogram's
// Go port.
func BenchmarkPayload(b *testing.B) {
	h, g := hist.New(hist.Config{}), hdr.New(1, 3600e9, 3)
	for _, v := range latencies() {
		h.Record(v)
		g.RecordValue(v)
	}
	ours := encode(b, h)
	theirs, err := g.Encode(hdr.V2CompressedEncodingCookieBase)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"encode/of=hist", func() error { _, err := h.Encode(); return err }},
		{"encode/of=hdrhistogram-go", func() error { _, err := g.Encode(hdr.V2CompressedEncodingCookieBase); return err }},
		{"decode/of=hist", func() error { _, err := hist.Decode(ours); return err }},
		{"decode/of=hdrhistogram-go", func() error { _, err := hdr.Decode(theirs); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPercentiles(b *testing.B) {
	h := new(hist.Histogram)
	for _, v := range latencies() {
		h.Record(v)
	}
	for range b.N {
		h.Percentiles()
	}
}
