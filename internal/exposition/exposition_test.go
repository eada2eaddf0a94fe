package exposition

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
)

// latencies returns 3 values of 1 ms, one of 2 s and one of 20 s.
func latencies() *hist.Histogram {
	h := hist.New(hist.Config{})
	h.RecordN(1e6, 3)
	h.Record(2e9)
	h.Record(20e9)
	return h
}

func families() []Family {
	return []Family{
		{Name: "x_run", Help: "What runs.", Kind: Info, Metrics: []Metric{{Value: 1, Labels: Labels("kind", "load", "none", "")}}},
		{Name: "x_errors", Help: "Errors \\ by\nclass.", Kind: Counter, Metrics: []Metric{
			{Value: 3, Labels: Labels("class", `a"b\c`+"\n"+"d")},
			{Value: 0.5, Labels: Labels("class", "e\xff")},
		}},
		{Name: "x_rate", Help: "Rate.", Metrics: []Metric{{Value: 5000}, {Value: math.Inf(-1), Labels: Labels("of", "nothing")}}},
		{Name: "x_nothing", Help: "Has no metric."},
		{Name: "x_seconds", Help: "Latency.", Unit: "seconds", Kind: Histogram, Metrics: []Metric{{Histogram: latencies(), Labels: Labels("kind", "response")}}},
	}
}

// TestText: names, escapes and cumulative buckets of both texts.
func TestText(t *testing.T) {
	const common = `x_errors_total{class="a\"b\\c\nd"} 3
x_errors_total{class="e` + "\uFFFD" + `"} 0.5
# HELP x_rate Rate.
# TYPE x_rate gauge
x_rate 5000
x_rate{of="nothing"} -Inf
# HELP x_seconds Latency.
# TYPE x_seconds histogram
x_seconds_bucket{kind="response",le="1e-05"} 0
`
	text := string(Text.Append(nil, families()))
	for _, want := range []string{
		"# HELP x_run_info What runs.\n# TYPE x_run_info gauge\nx_run_info{kind=\"load\"} 1\n# HELP x_errors_total Errors \\\\ by\\nclass.\n# TYPE x_errors_total counter\n" + common,
		"le=\"0.0005\"} 0\nx_seconds_bucket{kind=\"response\",le=\"0.001\"} 0\nx_seconds_bucket{kind=\"response\",le=\"0.0025\"} 3\n",
		"le=\"1\"} 3\nx_seconds_bucket{kind=\"response\",le=\"2.5\"} 4\n",
		"le=\"10\"} 4\nx_seconds_bucket{kind=\"response\",le=\"+Inf\"} 5\nx_seconds_sum{kind=\"response\"} 22.0",
		"\nx_seconds_count{kind=\"response\"} 5\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no\n%sin\n%s", want, text)
		}
	}
	if strings.Contains(text, "EOF") || strings.Contains(text, "UNIT") || strings.Contains(text, "x_nothing") {
		t.Errorf("what text does not have, in\n%s", text)
	}
	open := string(OpenMetrics.Append(nil, families()))
	for _, want := range []string{
		"# HELP x_run What runs.\n# TYPE x_run info\nx_run_info{kind=\"load\"} 1.0\n# HELP x_errors Errors \\\\ by\\nclass.\n# TYPE x_errors counter\nx_errors_total{",
		"x_rate 5000.0\n", "# TYPE x_seconds histogram\n# UNIT x_seconds seconds\n", "le=\"1.0\"} 3\n", "le=\"1e-05\"} 0\n",
	} {
		if !strings.Contains(open, want) {
			t.Errorf("no\n%sin\n%s", want, open)
		}
	}
	if !strings.HasSuffix(open, "x_seconds_count{kind=\"response\"} 5\n# EOF\n") {
		t.Errorf("the end of\n%s", open)
	}
}

// TestProtobufBytes: a counter, a gauge and a histogram without values, byte for byte. The bytes were written by hand from
// metrics.proto.
func TestProtobufBytes(t *testing.T) {
	for _, c := range []struct {
		f    Family
		want string
	}{
		{Family{Name: "a", Help: "b", Kind: Counter, Metrics: []Metric{{Value: 1, Labels: []Label{{"l", "v"}}}}},
			//     name _total                help    type  metric: label           counter 1.0
			"23" + "0a07615f746f74616c" + "120162" + "1800" + "2213" + "0a060a016c120176" + "1a0909000000000000f03f"},
		{Family{Name: "a", Help: "b", Unit: "seconds", Metrics: []Metric{{Value: -2}}},
			//     name      help      type    metric: gauge -2.0                   unit
			"1e" + "0a0161" + "120162" + "1801" + "220b" + "120909" + "00000000000000c0" + "2a077365636f6e6473"},
	} {
		if got := hex.EncodeToString(Protobuf.Append(nil, []Family{c.f})); got != c.want {
			t.Errorf("%+v:\n%s, want\n%s", c.f, got, c.want)
		}
	}
	empty := hist.New(hist.Config{})
	got := hex.EncodeToString(Protobuf.Append(nil, []Family{{Name: "h", Help: "b", Kind: Histogram, Metrics: []Metric{{Histogram: empty}}}}))
	//     count 0  sum 0.0               first bucket: 0 values up to 1e-05
	begin := "0800" + "110000000000000000" + "1a0b" + "0800" + "11f168e388b5f8e43e"
	//     schema 5  threshold 2^-128        zero count 0  an empty span
	end := "280a" + "31000000000000f037" + "3800" + "6200"
	if !strings.Contains(got, begin) || !strings.HasSuffix(got, end) {
		t.Errorf("%s has not %s, or does not end with %s", got, begin, end)
	}
}

// TestNative: buckets are those in which the values are, and their spans have the gaps between.
func TestNative(t *testing.T) {
	h := hist.New(hist.Config{})
	h.Record(0)
	for _, ns := range []int64{1e9, 1e9, 1030e6, 4e9} {
		h.Record(ns)
	}
	zeros, counts := native(h)
	if zeros != 1 {
		t.Errorf("%d zeros", zeros)
	}
	for i, n := range counts {
		low, high := math.Exp2(float64(i-1)/32), math.Exp2(float64(i)/32)
		var inside int64
		for _, x := range []float64{1, 1, 1.03, 4} {
			if x *= 1.0002; low < x && x <= high { // the middle of a bucket of hist is a little above its values
				inside++
			}
		}
		if inside != n {
			t.Errorf("bucket %d, above %g up to %g, has %d values, want %d", i, low, high, n, inside)
		}
	}
	got := spans([]int{-3, -2, 0, 1, 2, 9})
	if want := []span{{-3, 2}, {0, 3}, {9, 1}}; !equalSpans(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	//       spans: at 1 of 2, and after a gap of 62 one            deltas 2, -1, 0
	want, _ := hex.DecodeString("62040802" + "1002" + "6204087c" + "1001" + "6a03040100")
	if text := Protobuf.Append(nil, []Family{{Name: "h", Kind: Histogram, Metrics: []Metric{{Histogram: h}}}}); !bytes.HasSuffix(text, want) {
		t.Errorf("%x does not end with %x", text, want)
	}
}

func equalSpans(a, b []span) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// TestNegotiate: the format that a scraper prefers of those that there are.
func TestNegotiate(t *testing.T) {
	const proto = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
	for accept, want := range map[string]Format{
		"":    Text,
		"*/*": Text,
		"text/html,application/xhtml+xml,*/*;q=0.8":                                             Text,
		"application/openmetrics-text":                                                          OpenMetrics,
		"application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3":       OpenMetrics,
		"application/openmetrics-text; version=2.0.0, text/plain;q=0.1":                         Text,
		proto + ";q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.4":      Protobuf,
		"text/plain;q=0.9, " + proto + ";q=0.6":                                                 Text,
		"application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily":               Text,
		"application/openmetrics-text;q=zero, text/plain;q=0.1":                                 Text,
		strings.ToUpper("application/openmetrics-text") + ";version=1.0.0;escaping=underscores": OpenMetrics,
	} {
		if got := Negotiate(accept); got != want {
			t.Errorf("%s: %d, want %d", accept, got, want)
		}
	}
	for f, want := range map[Format]string{Text: "text/plain", OpenMetrics: "application/openmetrics-text", Protobuf: "application/vnd.google.protobuf"} {
		if got, _, _ := strings.Cut(f.ContentType(), ";"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
