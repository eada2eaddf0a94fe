package result

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// calibrated returns the codes of the warnings about a case with a calibration, whose forks have iterations that take wall
// ms alone and measure timed ms.
func calibrated(k *record.Calibration, wall, timed float64) []string {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindBench})
	b.Add(&record.Case{ID: 1, Mode: record.ModeN, N: 100, Calibration: k})
	for f := range 8 {
		for i := range 3 {
			b.Add(&record.Sample{Fork: f + 1, Iter: i + 1, Phase: record.PhaseMeasure, Wall: int64(wall * 1e6), CPU: int64(wall * 1e6), Delay: 1, Ns: int64(timed * 1e6), Ops: 100, V: record.Values{{Unit: "ns/op", Value: timed * 1e4}}})
		}
		b.Add(&record.Fork{ID: f + 1, Case: 1, Round: f + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: int64(wall * 3e6)})
	}
	var codes []string
	for _, w := range b.Result().Results[0].Warnings {
		codes = append(codes, w.Code)
	}
	return codes
}

// TestCalibrationOff: the machine is blamed for iterations that are far too short, and the benchmark only if it spends more
// outside of its timer than its calibration found usual.
func TestCalibrationOff(t *testing.T) {
	k := &record.Calibration{Target: 50e6, Fixed: 300e3, Limit: 1.2e6}
	for _, test := range []struct {
		name        string
		k           *record.Calibration
		wall, timed float64 // ms
		want        string  // of the three codes below; "" for none
	}{
		{"as planned", k, 50.6, 50, ""},
		{"a third of the target", k, 16.6, 16, CodeCalibration},
		{"hardly anything", k, 0.7, 0.03, CodeCalibration},
		{"stopped timer", k, 50, 4, CodeTimerStopped},
		{"hardly anything, old record", nil, 0.7, 0.03, CodeIterationShort},
	} {
		codes := calibrated(test.k, test.wall, test.timed)
		if test.want != "" && !slices.Contains(codes, test.want) || slices.Contains(codes, CodeCalibration) != (test.want == CodeCalibration) ||
			test.want == CodeCalibration && (slices.Contains(codes, CodeTimerStopped) || slices.Contains(codes, CodeIterationShort)) {
			t.Errorf("%s: %v, want %q", test.name, codes, test.want)
		}
	}
}

// TestReplan: forks with an N that was replaced do not count.
func TestReplan(t *testing.T) {
	b := NewBuilder()
	fork := func(id, round int, ns float64) {
		b.Add(&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: record.Values{{Unit: "ns/op", Value: ns}}})
		b.Add(&record.Fork{ID: id, Case: 1, Round: round, Purpose: record.PurposeTiming, State: record.StateOK})
	}
	b.Add(&record.Case{ID: 1, Mode: record.ModeN, N: 3})
	fork(1, 1, 900)
	b.Add(&record.Replan{Case: 1, Round: 1, From: 3, To: 1000, Forks: 1})
	b.Add(&record.Replan{Case: 7})
	b.Add(&record.Case{ID: 1, Mode: record.ModeN, N: 1000})
	fork(2, 1, 10)
	fork(3, 2, 10)
	if r := b.Result().Results[0]; r.Forks != 2 || r.N != 1000 || r.Median != 10 {
		t.Errorf("%d forks of %d operations, median %v", r.Forks, r.N, r.Median)
	}
}
