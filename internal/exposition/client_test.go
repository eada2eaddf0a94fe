package exposition

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// TestByPrometheus: Prometheus's own decoders read the same figures from the text and from protobuf.
func TestByPrometheus(t *testing.T) {
	for name, c := range map[string]struct {
		as   Format
		read expfmt.Format
	}{
		"text":     {Text, expfmt.FmtText},
		"protobuf": {Protobuf, expfmt.FmtProtoDelim},
	} {
		t.Run(name, func(t *testing.T) {
			got := decoded(t, c.as.Append(nil, families()), c.read)
			if len(got) != 4 {
				t.Errorf("%d families, want 4: %v", len(got), got)
			}
			if x := got["x_run_info"].GetMetric(); len(x) != 1 || x[0].GetGauge().GetValue() != 1 || x[0].GetLabel()[0].GetValue() != "load" {
				t.Errorf("x_run_info: %v", x)
			}
			x := got["x_errors_total"].GetMetric()
			if len(x) != 2 || x[0].GetCounter().GetValue() != 3 || x[1].GetCounter().GetValue() != 0.5 ||
				x[0].GetLabel()[0].GetValue() != `a"b\c`+"\nd" || x[1].GetLabel()[0].GetValue() != "e\uFFFD" {
				t.Errorf("x_errors_total: %v", x)
			}
			if x := got["x_rate"].GetMetric(); len(x) != 2 || x[0].GetGauge().GetValue() != 5000 || !math.IsInf(x[1].GetGauge().GetValue(), -1) {
				t.Errorf("x_rate: %v", x)
			}
			h := got["x_seconds"].GetMetric()[0].GetHistogram()
			if h.GetSampleCount() != 5 || math.Abs(h.GetSampleSum()-22.003) > 0.022 {
				t.Errorf("x_seconds: %d values with the sum %g, want 5 with 22.003", h.GetSampleCount(), h.GetSampleSum())
			}
			for _, b := range h.GetBucket() {
				if want := map[float64]uint64{0.0005: 0, 0.0025: 3, 1: 3, 2.5: 4, 10: 4}; b.GetCumulativeCount() > 5 ||
					hasOther(want, b.GetUpperBound(), b.GetCumulativeCount()) {
					t.Errorf("%d values up to %g", b.GetCumulativeCount(), b.GetUpperBound())
				}
			}
			if c.as == Protobuf {
				checkNative(t, h, map[float64]int64{0.001: 3, 2: 1, 20: 1})
			}
		})
	}
}

func hasOther(want map[float64]uint64, bound float64, got uint64) bool {
	n, ok := want[bound]
	return ok && n != got
}

// decoded returns families by name.
func decoded(t *testing.T, text []byte, as expfmt.Format) map[string]*dto.MetricFamily {
	t.Helper()
	out := map[string]*dto.MetricFamily{}
	for d := expfmt.NewDecoder(bytes.NewReader(text), as); ; {
		var f dto.MetricFamily
		switch err := d.Decode(&f); {
		case errors.Is(err, io.EOF):
			return out
		case err != nil:
			t.Fatal(err)
		}
		out[f.GetName()] = &f
	}
}

// checkNative reads a native histogram as Prometheus does: spans of buckets, whose counts are differences, and whose upper
// bounds are powers of 2^(2^-schema). values are in seconds.
func checkNative(t *testing.T, h *dto.Histogram, values map[float64]int64) {
	t.Helper()
	base := math.Exp2(math.Exp2(-float64(h.GetSchema())))
	index, n, at := 0, int64(0), 0
	for _, s := range h.GetPositiveSpan() {
		index += int(s.GetOffset())
		for range s.GetLength() {
			n += h.GetPositiveDelta()[at]
			at++
			high := math.Pow(base, float64(index))
			var want int64
			for v, times := range values {
				if v *= 1.0002; high/base < v && v <= high { // the middle of a bucket of hist is a little above its values
					want += times
				}
			}
			if n != want {
				t.Errorf("%d values above %g up to %g, want %d", n, high/base, high, want)
			}
			index++
		}
	}
	if at != len(h.GetPositiveDelta()) || h.GetSchema() == 0 || at == 0 {
		t.Errorf("schema %d, %d of %d counts are in spans", h.GetSchema(), at, len(h.GetPositiveDelta()))
	}
}
