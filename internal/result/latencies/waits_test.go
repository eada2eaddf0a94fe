package latencies

import (
	"testing"

	"github.com/tarebench/tare/hist"
)

// TestWaits: the waits count among the latencies of their own kind, in logs of tare and in those named as in YCSB. Of
// operations of an unknown kind each kind has its share.
func TestWaits(t *testing.T) {
	var w Waits
	for tag, n := range map[string]int64{
		"READ.response": 300, "READ.service": 300, "READ.unanswered": 7, "READ.unanswered-service": 5,
		"UPDATE.response": 90, "UPDATE.failed": 10, "ANY.unanswered": 40, "READ.lateness": 300,
		"Intended-SCAN": 50, "SCAN": 50, "SCAN-UNANSWERED": 3, "SCAN-UNANSWERED-SERVICE": 2, "SCAN-FAILED": 4,
	} {
		var h hist.Histogram
		h.RecordN(1000, n)
		if err := w.Add(hist.Interval{Tag: tag, Histogram: &h}); err != nil {
			t.Fatal(err)
		}
	}
	for tag, want := range map[string]float64{
		"READ.response": 7 + 30, "READ.service": 5, "UPDATE.response": 10, "Intended-SCAN": 3, "SCAN": 2,
		"READ.lateness": 0, "UPDATE.failed": 0, "READ.unanswered": 0, "SCAN-FAILED": 0, "other": 0,
	} {
		got := 0.0
		if of := w.Of(tag); of != nil {
			got = of.Count()
		}
		if got != want {
			t.Errorf("%s: %v operations without an answer, want %v", tag, got, want)
		}
	}
	if got := new(Waits).Of("READ.response"); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
