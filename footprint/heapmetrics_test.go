package footprint_test

import (
	"testing"

	"github.com/tarebench/tare/footprint"
)

// metrics are those that a benchmark reports.
type metrics struct {
	byUnit  map[string]float64
	stopped bool
}

func (m *metrics) StopTimer()                          { m.stopped = true }
func (m *metrics) ReportMetric(n float64, unit string) { m.byUnit[unit] = n }

// TestHeapReport: growth and weight of 8 MiB in blocks, of which nothing else holds a part.
func TestHeapReport(t *testing.T) {
	const size = 8 << 20
	before := footprint.SettledHeap()
	blocks := make([][]byte, 128)
	for i := range blocks {
		blocks[i] = make([]byte, size/len(blocks))
	}
	m := &metrics{byUnit: map[string]float64{}}
	before.Report(m, blocks)
	if !m.stopped {
		t.Error("the timer was not stopped")
	}
	want := float64(size + 3200) // 128 slices of 24 bytes and a header, in their size class
	if got := m.byUnit["subject-B"]; got != want {
		t.Errorf("subject-B is %.0f, want %.0f", got, want)
	}
	if got := m.byUnit["heap-growth-B"]; got < want || got > 1.02*want {
		t.Errorf("heap-growth-B is %.0f, want %.0f", got, want)
	}
	if settled := m.byUnit["heap-settled-B"]; settled != m.byUnit["heap-growth-B"]+float64(before) {
		t.Errorf("heap-settled-B is %.0f, which is not growth plus %d", settled, before)
	}

	none := &metrics{byUnit: map[string]float64{}}
	footprint.SettledHeap().Report(none)
	if _, has := none.byUnit["subject-B"]; has {
		t.Error("subject-B without a subject")
	}
}
