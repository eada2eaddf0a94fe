package server

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/tarebench/tare/hist"
)

// someFamilies are of each kind. The histogram has 3 values of 1 ms, one of 2 s and one of 20 s.
func someFamilies() []*dto.MetricFamily {
	h := hist.New(hist.Config{})
	h.RecordN(1e6, 3)
	h.Record(2e9)
	h.Record(20e9)
	failed := family(dto.MetricType_COUNTER, "x_errors_total", "Errors \\ by\nclass.")
	addValue(failed, 3, labels("class", `a"b\c`+"\nd", "none", ""))
	addValue(failed, 0.5, labels("class", "e\xff"))
	rate := gauge("x_rate", "Rate.", 5000)
	addValue(rate, math.Inf(-1), labels("of", "nothing"))
	seconds := family(dto.MetricType_HISTOGRAM, "x_seconds", "Latency.")
	addHistogram(seconds, h, labels("kind", "response"))
	return []*dto.MetricFamily{failed, rate, family(dto.MetricType_GAUGE, "x_nothing", "Has no metric."), seconds}
}

// TestFormats: Prometheus's decoders read the same figures from the text and from protobuf.
func TestFormats(t *testing.T) {
	for _, as := range []expfmt.FormatType{expfmt.TypeTextPlain, expfmt.TypeProtoDelim} {
		var b bytes.Buffer
		if err := writeFamilies(&b, expfmt.NewFormat(as), someFamilies()); err != nil {
			t.Fatal(err)
		}
		got := decoded(t, &b, expfmt.NewFormat(as))
		if len(got) != 3 {
			t.Errorf("%v: %d families, want 3: %v", as, len(got), got)
		}
		x := got["x_errors_total"].GetMetric()
		if len(x) != 2 || x[0].GetCounter().GetValue() != 3 || x[1].GetCounter().GetValue() != 0.5 || len(x[0].GetLabel()) != 1 ||
			x[0].GetLabel()[0].GetValue() != `a"b\c`+"\nd" || x[1].GetLabel()[0].GetValue() != "e\uFFFD" {
			t.Errorf("%v: x_errors_total: %v", as, x)
		}
		if x := got["x_rate"].GetMetric(); len(x) != 2 || x[0].GetGauge().GetValue() != 5000 || !math.IsInf(x[1].GetGauge().GetValue(), -1) {
			t.Errorf("%v: x_rate: %v", as, x)
		}
		h := got["x_seconds"].GetMetric()[0].GetHistogram()
		if h.GetSampleCount() != 5 || math.Abs(h.GetSampleSum()-22.003) > 0.022 {
			t.Errorf("%v: %d values with the sum %g, want 5 with 22.003", as, h.GetSampleCount(), h.GetSampleSum())
		}
		want := map[float64]uint64{0.0005: 0, 0.0025: 3, 1: 3, 2.5: 4, 10: 4}
		for _, b := range h.GetBucket() {
			if n, ok := want[b.GetUpperBound()]; ok && n != b.GetCumulativeCount() {
				t.Errorf("%v: %d values up to %g, want %d", as, b.GetCumulativeCount(), b.GetUpperBound(), n)
			}
		}
		if as == expfmt.TypeProtoDelim {
			checkNative(t, h, map[float64]int64{0.001: 3, 2: 1, 20: 1})
		}
	}
}

// TestOpenMetrics: units, and the line that ends it.
func TestOpenMetrics(t *testing.T) {
	var b strings.Builder
	if err := writeFamilies(&b, expfmt.NewFormat(expfmt.TypeOpenMetrics), someFamilies()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"# TYPE x_errors counter\nx_errors_total{", "# UNIT x_seconds seconds\n", "le=\"1.0\"} 3\n", "\n# EOF\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// decoded returns families by name.
func decoded(t *testing.T, r io.Reader, as expfmt.Format) map[string]*dto.MetricFamily {
	t.Helper()
	out := map[string]*dto.MetricFamily{}
	for d := expfmt.NewDecoder(r, as.WithEscapingScheme(model.NoEscaping)); ; {
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

// TestNative: zeros have a count of their own, buckets with a gap between are in different spans, and a histogram without
// values has an empty span.
func TestNative(t *testing.T) {
	h := hist.New(hist.Config{})
	h.Record(0)
	for _, ns := range []int64{1e9, 1e9, 1030e6, 4e9} {
		h.Record(ns)
	}
	f := family(dto.MetricType_HISTOGRAM, "h_seconds", "")
	addHistogram(f, h, nil)
	addHistogram(f, hist.New(hist.Config{}), nil)
	x := f.Metric[0].Histogram
	if x.GetZeroCount() != 1 || len(x.PositiveSpan) != 2 || *x.PositiveSpan[0].Length != 2 || *x.PositiveSpan[1].Offset != 62 {
		t.Errorf("%v", x)
	}
	checkNative(t, x, map[float64]int64{1: 2, 1.03: 1, 4: 1})
	if x := f.Metric[1].Histogram; len(x.PositiveSpan) != 1 || x.PositiveSpan[0].GetLength() != 0 || len(x.PositiveDelta) != 0 {
		t.Errorf("without values: %v", x)
	}
}

// TestNegotiate: the format that a scraper prefers of those that there are.
func TestNegotiate(t *testing.T) {
	const proto = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
	for accept, want := range map[string]expfmt.FormatType{
		"":    expfmt.TypeTextPlain,
		"*/*": expfmt.TypeTextPlain,
		"text/html,application/xhtml+xml,*/*;q=0.8":                                        expfmt.TypeTextPlain,
		"application/openmetrics-text":                                                     expfmt.TypeOpenMetrics,
		"application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3":  expfmt.TypeOpenMetrics,
		"application/openmetrics-text; version=9.0.0, text/plain;q=0.1":                    expfmt.TypeTextPlain,
		proto + ";q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.4": expfmt.TypeProtoDelim,
		"text/plain;q=0.9, " + proto + ";q=0.6":                                            expfmt.TypeTextPlain,
	} {
		if got := expfmt.NegotiateAccept(map[string][]string{"Accept": {accept}}, formats...); got.FormatType() != want {
			t.Errorf("%s: %s, want %d", accept, got, want)
		}
	}
}
