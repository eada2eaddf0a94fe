package result

import (
	"math"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestSpreadOverTime: forks that agree within their block and not between blocks have a wide interval.
func TestSpreadOverTime(t *testing.T) {
	of := func(spread time.Duration, rounds int) Benchmark {
		b := NewBuilder()
		b.Add(&record.Run{Version: 1, Config: record.Config{Forks: 12, Confidence: 0.95, Spread: spread}})
		b.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Bin: 1, Mode: record.ModeN, N: 100})
		for round := 1; round <= rounds; round++ {
			ns := 100 + 20*float64((round/2)%2) + 0.1*float64(round)
			b.Add(&record.Sample{Fork: round, Iter: 1, Phase: record.PhaseMeasure, Ns: int64(100 * ns), Ops: 100, Wall: 1e7,
				V: record.Values{{Unit: "ns/op", Value: ns}, {Unit: "B/op", Value: 0}}})
			b.Add(&record.Fork{ID: round, Case: 1, Bin: 1, Round: round, Order: round, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 1e8})
		}
		return b.Result().Results[0]
	}
	spread := of(10*time.Minute, 12)
	if spread.Confidence != 0.95 || !(spread.Lo < 105 && spread.Hi > 116) {
		t.Errorf("spread: %v … %v, %v", spread.Lo, spread.Hi, spread.Confidence)
	}
	if m := spread.Metrics[0]; m.Lo != 0 || m.Hi != 0 {
		t.Errorf("a figure that does not vary: %+v", m)
	}
	if cut := of(10*time.Minute, 5); cut.Confidence != 0 || !math.IsInf(float64(cut.Hi), 1) {
		t.Errorf("five rounds: %v … %v", cut.Lo, cut.Hi)
	}
	if usual := of(0, 12); usual.Confidence == 0.95 {
		t.Error("a run that was not spread has the interval over blocks")
	}
}
