package result

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// TestStalls: those of the run count from its beginning, those of its warm-up not at all.
func TestStalls(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindLoad, Config: record.Config{Load: &record.LoadConfig{}}})
	for i, phase := range []string{record.LoadWarmup, record.LoadRun} {
		start := int64(i+1) * 10e9
		b.Add(&record.Load{Phase: phase, Iter: 1, Start: start, Length: 1e9, TargetRate: 10, Scheduled: 10, Started: 10, Completed: 10})
		for _, at := range []int64{-50e6, 400e6} {
			b.Add(&record.Stall{By: "mock", Start: start + at, Length: 100e6 + int64(i)*50e6})
			if at < 0 { // one in the first interval, one at the end
				b.Add(&record.Load{Phase: phase, Final: true, Start: start, Length: 1e9, TargetRate: 10, Scheduled: 10, Started: 10, Completed: 10})
			}
		}
	}
	l := b.Result().Load
	if l == nil || l.Stalls == nil {
		t.Fatal("no stalls")
	}
	s := l.Stalls
	if s.By != "mock" || s.Count != 2 || s.Total != 300e6 || s.Longest != 150e6 || len(s.Each) != 2 || s.Each[0] != (Stall{-50e6, 150e6}) || s.Each[1].At != 400e6 {
		t.Errorf("%+v", s)
	}
}
