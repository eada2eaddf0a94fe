package server

import (
	"io"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// formats are those that Prometheus can scrape here: its text for who names none, OpenMetrics, and protobuf, which alone has
// native histograms.
var formats = []expfmt.Format{
	expfmt.NewFormat(expfmt.TypeTextPlain), expfmt.NewFormat(expfmt.TypeOpenMetrics), "application/openmetrics-text; version=0.0.1; charset=utf-8",
	expfmt.NewFormat(expfmt.TypeProtoDelim),
}

// writeFamilies writes metrics in one of them. Families without metrics are left out.
func writeFamilies(w io.Writer, format expfmt.Format, families []*dto.MetricFamily) error {
	e := expfmt.NewEncoder(w, format)
	for _, f := range families {
		if len(f.Metric) == 0 {
			continue
		}
		if err := e.Encode(f); err != nil {
			return err
		}
	}
	return e.(expfmt.Closer).Close()
}

// family returns a family of metrics without any. The name of a counter ends with _total, that of a figure with its unit.
func family(kind dto.MetricType, name, help string) *dto.MetricFamily {
	f := &dto.MetricFamily{Name: new(name), Help: new(help), Type: new(kind)}
	if strings.HasSuffix(strings.TrimSuffix(name, "_total"), "_seconds") {
		f.Unit = new("seconds")
	}
	return f
}

// gauge returns a family of one gauge.
func gauge(name, help string, value float64) *dto.MetricFamily {
	f := family(dto.MetricType_GAUGE, name, help)
	addValue(f, value, nil)
	return f
}

// addValue adds a metric to a family of gauges or counters.
func addValue(f *dto.MetricFamily, value float64, labels []*dto.LabelPair) {
	m := &dto.Metric{Label: labels}
	if f.GetType() == dto.MetricType_COUNTER {
		m.Counter = &dto.Counter{Value: &value}
	} else {
		m.Gauge = &dto.Gauge{Value: &value}
	}
	f.Metric = append(f.Metric, m)
}

// labels returns labels of alternate names and values. Those without a value are left out.
func labels(pairs ...string) []*dto.LabelPair {
	var out []*dto.LabelPair
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			out = append(out, label(pairs[i], pairs[i+1]))
		}
	}
	return out
}

func label(name, value string) *dto.LabelPair {
	return &dto.LabelPair{Name: new(name), Value: new(strings.ToValidUTF8(value, "\uFFFD"))}
}
