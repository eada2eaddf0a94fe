package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// ycsbOf returns the summary of a run of three seconds: 100 reads a second of 1.5 ms, one in ten of 20 ms in the
// second second, and two that failed.
func ycsbOf(t *testing.T, props map[string]string, tags ...string) string {
	t.Helper()
	b := result.NewBuilder()
	b.Add(&record.Run{Kind: record.KindLoad, Config: record.Config{Load: &record.LoadConfig{Props: props}}})
	var done int64
	for iter := 1; iter <= 3; iter++ {
		start := int64(iter)*1e9 + 5_000
		done += 100
		line := &record.Load{Phase: record.LoadRun, Iter: iter, Start: start, Length: 1e9, TargetRate: 100, Achieved: 100, Scheduled: done, Started: done, Completed: done}
		b.Add(line)
		for _, tag := range tags {
			h := hist.New(hist.Config{})
			switch {
			case tag == record.TagFailed && iter < 3:
				continue
			case tag == record.TagFailed:
				h.RecordN(3_000_000, 2)
			case iter == 2:
				h.RecordN(1_500_000, 90)
				h.RecordN(20_000_000, 10)
			default:
				h.RecordN(1_500_000, 100)
			}
			data, err := h.Encode()
			if err != nil {
				t.Fatal(err)
			}
			b.Add(&record.Hist{Name: "READ", Tag: tag, Iter: iter, Start: start, Length: 1e9, Unit: "ns", Data: data})
		}
	}
	b.Add(&record.Load{Phase: record.LoadRun, Final: true, Start: 1e9, Length: 3e9, TargetRate: 100, Achieved: 100, Scheduled: done, Started: done, Completed: done})
	b.Add(&record.End{State: record.EndCompleted})
	var out bytes.Buffer
	if err := YCSB(&out, b.Result()); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(out.String(), "Throughput(ops/sec), ")
	_, rest, _ = strings.Cut(rest, "\n")
	return rest
}

// TestYCSBForms: each measurementtype writes what YCSB's class of that type writes, in its order.
func TestYCSBForms(t *testing.T) {
	both := []string{record.TagService, record.TagFailed}
	for _, c := range []struct {
		name  string
		props map[string]string
		tags  []string
		want  string
	}{
		{"default", nil, both, `
[READ], Operations, 300
[READ], AverageLatency(us), 2116.215466666667
[READ], MinLatency(us), 1499
[READ], MaxLatency(us), 20004
[READ], 50thPercentileLatency(us), 1500
[READ], 95thPercentileLatency(us), 1500
[READ], 99thPercentileLatency(us), 20004
[READ], Return=OK, 300
[READ], Return=ERROR, 2
[READ-FAILED], Operations, 2
[READ-FAILED], AverageLatency(us), 2999.296
[READ-FAILED], MinLatency(us), 2998
[READ-FAILED], MaxLatency(us), 3000
[READ-FAILED], 50thPercentileLatency(us), 3000
[READ-FAILED], 95thPercentileLatency(us), 3000
[READ-FAILED], 99thPercentileLatency(us), 3000
`},
		{"percentiles and buckets", map[string]string{"hdrhistogram.percentiles": "1,99.9", "measurement.histogram.verbose": "true"}, []string{record.TagService}, `
[READ], Operations, 300
[READ], AverageLatency(us), 2116.215466666667
[READ], MinLatency(us), 1499
[READ], MaxLatency(us), 20004
[READ], 1stPercentileLatency(us), 1500
[READ], 99.9PercentileLatency(us), 20004
[READ], Return=OK, 300
[READ], 1500, 290.0
[READ], 20015, 10.0
`},
		{"histogram", map[string]string{"measurementtype": "histogram", "histogram.buckets": "3", "measurement.histogram.verbose": "true"}, []string{record.TagService}, `
[READ], Operations, 300
[READ], AverageLatency(us), 2116.215466666667
[READ], LatencyVariance(us), 1.1037595395555556E7
[READ], MinLatency(us), 1499
[READ], MaxLatency(us), 20004
[READ], 95thPercentileLatency(us), 1000
[READ], Return=OK, 300
[READ], 0, 0
[READ], 1, 290
[READ], 2, 0
[READ], >3, 10
`},
		{"time series", map[string]string{"measurementtype": "timeseries", "timeseries.percentiles": "90", "timeseries.granularity": "2000"}, []string{record.TagService}, `
[READ], Operations, 300
[READ], AverageLatency(us), 2116.215466666667
[READ], MinLatency(us), 1499
[READ], MaxLatency(us), 20004
[READ], 90thPercentileLatency(us), 1500
[READ], Return=OK, 300
[READ], 0, 2424.4992
[READ], 2000, 1499.648
`},
		{"raw beside another", map[string]string{"measurementtype": "hdrhistogram+raw", "hdrhistogram.percentiles": "50"}, []string{record.TagService}, `
[HdrREAD], Operations, 300
[HdrREAD], AverageLatency(us), 2116.215466666667
[HdrREAD], MinLatency(us), 1499
[HdrREAD], MaxLatency(us), 20004
[HdrREAD], 50thPercentileLatency(us), 1500
[HdrREAD], Return=OK, 300
[RawREAD], Total Operations, 300
[RawREAD], Below is a summary of latency in microseconds:, -1
[RawREAD], Average, 2116.215466666667
[RawREAD], Min, 1499
[RawREAD], Max, 20004
[RawREAD], p1, 1500
[RawREAD], p5, 1500
[RawREAD], p50, 1500
[RawREAD], p90, 1500
[RawREAD], p95, 1500
[RawREAD], p99, 20004
[RawREAD], p99.9, 20004
[RawREAD], p99.99, 20004
`},
		{"raw without a summary", map[string]string{"measurementtype": "raw", "measurement.raw.no_summary": "true"}, []string{record.TagService}, `
[READ], Total Operations, 300
[READ], Return=OK, 300
`},
		{"intended alone", map[string]string{"measurement.interval": "intended", "hdrhistogram.percentiles": "50"}, []string{record.TagResponse}, `
[READ], Operations, 300
[READ], AverageLatency(us), 2116.215466666667
[READ], MinLatency(us), 1499
[READ], MaxLatency(us), 20004
[READ], 50thPercentileLatency(us), 1500
[READ], Return=OK, 300
`},
		{"both", map[string]string{"measurement.interval": "both", "measurementtype": "raw", "measurement.raw.no_summary": "true"}, []string{record.TagResponse, record.TagService}, `
[Intended-READ], Total Operations, 300
[READ], Total Operations, 300
[READ], Return=OK, 300
`},
		{"nothing but failures", map[string]string{"measurementtype": "raw", "measurement.raw.no_summary": "true"}, []string{record.TagFailed}, `
[READ], Total Operations, 0
[READ], Return=ERROR, 2
[READ-FAILED], Total Operations, 2
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimSpace(ycsbOf(t, c.props, c.tags...)); got != strings.TrimSpace(c.want) {
				t.Errorf("got\n%s\nwant%s", got, c.want)
			}
		})
	}
}
