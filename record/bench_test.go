package record

import (
	"bytes"
	"io"
	"testing"
)

// benchSample returns a sample such as a benchmark with b.ReportAllocs and
// b.SetBytes gives.
func benchSample(i int) *Sample {
	ns := int64(100_000_000 + i*7919%100_000)
	return &Sample{
		Fork: i/7 + 1, Iter: i%7 + 1, Phase: PhaseMeasure, T: 1_234_567_890_123 + int64(i)*100_000_000, Wall: ns + 4711, CPU: ns + 1234, Delay: 56_789, Ns: ns, Ops: 81_234,
		V: Values{{"ns/op", float64(ns) / 81_234}, {"MB/s", 3.14159265358979 + float64(i)/1024}, {"B/op", 48}, {"allocs/op", 2}},
	}
}

func benchFile(tb testing.TB, samples int) []byte {
	var buf bytes.Buffer
	w := NewWriter(&buf)
	w.Write(golden()[0])
	for i := range samples {
		w.Write(benchSample(i))
	}
	if err := w.Err(); err != nil {
		tb.Fatal(err)
	}
	return buf.Bytes()
}

func BenchmarkRead(b *testing.B) {
	b.Run("form=ours", func(b *testing.B) { benchmarkRead(b, benchFile(b, 20_000)) })
	b.Run("form=other", func(b *testing.B) {
		file := bytes.ReplaceAll(benchFile(b, 20_000), []byte(`,"iter":`), []byte(`, "iter":`))
		benchmarkRead(b, file)
	})
}

func benchmarkRead(b *testing.B, file []byte) {
	b.ReportAllocs()
	b.SetBytes(int64(len(file)))
	lines := 0
	for b.Loop() {
		for _, err := range NewReader(bytes.NewReader(file), "file").All() {
			if err != nil {
				b.Fatal(err)
			}
			lines++
		}
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkWrite(b *testing.B) {
	b.Run("kind=sample", func(b *testing.B) { benchmarkWrite(b, benchSample(1)) })
	b.Run("kind=fork", func(b *testing.B) { benchmarkWrite(b, golden()[6]) })
}

func benchmarkWrite(b *testing.B, l Line) {
	b.ReportAllocs()
	w := NewWriter(io.Discard)
	for b.Loop() {
		w.Write(l)
	}
	if err := w.Err(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
