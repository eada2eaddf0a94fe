package latency

import (
	"testing"

	"github.com/tarebench/tare/internal/result/latencies"
)

func TestLatency(t *testing.T) {
	for ns, want := range map[float64]string{28: "0.000028 ms", 1234567: "1.235 ms", 12345678: "12.35 ms", 99999e6: "99999 ms", 0: "0 ms"} {
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
