package latency

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/textpage"
)

func TestLatency(t *testing.T) {
	for ns, want := range map[float64]string{28: "0.000028 ms", 1234567: "1.235 ms", 12345678: "12.35 ms", 99999e6: "99 999 ms", 0: "0 ms"} {
		if c := (&Table{Unit: latencies.Millisecond}).latency(ns); c.text() != want {
			t.Errorf("%v ns is %s %s, want %s", ns, c.number, c.unit, want)
		}
	}
	for ns, want := range map[float64]string{28: "28 ns", 28.26: "28.3 ns", 999: "999 ns", 1234567: "1.23 ms", 0: "0 ns", 61e9: "61.0 s"} {
		if c := (&Table{}).latency(ns); c.text() != want {
			t.Errorf("%v ns is %s %s, want %s", ns, c.number, c.unit, want)
		}
	}
}

// TestUnanswered: lower bounds are marked in every format.
func TestUnanswered(t *testing.T) {
	var answered, waited hist.Histogram
	answered.RecordN(1e6, 80)
	waited.RecordN(8e9, 20)
	waits := new(unanswered.Waits)
	waits.Add(&waited, 1)
	d := &latencies.Distribution{Source: latencies.Source{File: "x.hlog", Tag: "READ.response", Unit: 1}, Histogram: &answered, Waits: waits}
	table := &Table{Rows: []*latencies.Distribution{d}, Percentiles: []float64{50, 90}, Files: 1}
	for name, c := range map[string]struct {
		write func(w io.Writer) error
		want  []string
	}{
		"csv":  {table.WriteCSV, []string{",max,unit,at_least\n", ",ns,mean p90 max\n"}},
		"json": {table.WriteJSON, []string{`"unanswered": 20`, "\"at_least\": [\n        \"mean\",\n        \"p90\"", `"at_least": true`}},
		"text": {func(w io.Writer) error { return table.WriteText(w, textpage.Options{UTF8: true}) }, []string{"1.00 ms  > 8.00 s", "READ.response: 20 operations had waited up to 8.00 s"}},
		"md":   {table.WriteMarkdown, []string{"| 1.00 ms | > 8.00 s |"}},
	} {
		var b bytes.Buffer
		if err := c.write(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, &b)
			}
		}
	}
}
