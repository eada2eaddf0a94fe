package result

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// calibrated returns the codes of the warnings about a case with a calibration, whose forks have iterations that take
// wall ms alone and measure timed ms.
func calibrated(k *record.Calibration, wall, timed float64) []string {
	var codes []string
	for _, w := range calibratedResult(k, wall, timed, nil).Warnings {
		codes = append(codes, w.Code)
	}
	return codes
}

// calibratedResult returns the result of such a case, whose N was replaced before its forks unless r is nil.
func calibratedResult(k *record.Calibration, wall, timed float64, r *record.Replan) Benchmark {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindBench})
	b.Add(&record.Case{ID: 1, Mode: record.ModeN, N: 100, Calibration: k})
	if r != nil {
		b.Add(r)
	}
	for f := range 8 {
		for i := range 3 {
			b.Add(&record.Sample{Fork: f + 1, Iter: i + 1, Phase: record.PhaseMeasure, Wall: int64(wall * 1e6), CPU: int64(wall * 1e6), Delay: 1, Ns: int64(timed * 1e6), Ops: 100, V: record.Values{{Unit: "ns/op", Value: timed * 1e4}}})
		}
		b.Add(&record.Fork{ID: f + 1, Case: 1, Round: f + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: int64(wall * 3e6)})
	}
	return b.Result().Results[0]
}

// TestCalibrationOff: the machine is blamed for iterations that are far too short, and the benchmark only if it
// spends more outside of its timer than its calibration found usual.
func TestCalibrationOff(t *testing.T) {
	k := &record.Calibration{Target: 50e6, Fixed: 300e3, Limit: 1.2e6}
	busy := &record.Calibration{Target: 50e6, Fixed: 300e3, Limit: 1.2e6, Lost: 0.3}
	for _, test := range []struct {
		name        string
		k           *record.Calibration
		wall, timed float64 // ms
		want        string  // of the three codes below; "" for none
	}{
		{"as planned", k, 50.6, 50, ""},
		{"a third of the target", k, 16.6, 16, diagnosis.CalibrationOff},
		{"hardly anything", k, 0.7, 0.03, diagnosis.CalibrationOff},
		{"stopped timer", k, 50, 4, diagnosis.TimerStopped},
		{"stopped timer, short", k, 10, 2, diagnosis.TimerStopped},
		{"stopped timer, N chosen beside others", busy, 50, 4, diagnosis.TimerStopped},
		{"it seems to stop its timer, and N was chosen beside others", busy, 10, 2, diagnosis.CalibrationOff},
		{"hardly anything, old record", nil, 0.7, 0.03, diagnosis.IterationShort},
	} {
		codes := calibrated(test.k, test.wall, test.timed)
		if test.want != "" && !slices.Contains(codes, test.want) || slices.Contains(codes, diagnosis.CalibrationOff) != (test.want == diagnosis.CalibrationOff) ||
			test.want == diagnosis.CalibrationOff && (slices.Contains(codes, diagnosis.TimerStopped) || slices.Contains(codes, diagnosis.IterationShort)) {
			t.Errorf("%s: %v, want %q", test.name, codes, test.want)
		}
	}
}

// TestMuchFaster: the number of operations is chosen on one side and common to both, so that short iterations of the
// other are no fault of it, and its verdict is trusted.
func TestMuchFaster(t *testing.T) {
	for _, test := range []struct {
		name      string
		ms        [2]float64 // of an iteration, on each side
		n         [2]int64
		untrusted bool
		why       string
	}{
		{"five times faster", [2]float64{50, 10}, [2]int64{100, 100}, false, ""},
		{"twenty times faster", [2]float64{50, 2.5}, [2]int64{100, 100}, false, ""},
		{"too short for the timer", [2]float64{50, 0.05}, [2]int64{100, 100}, true, diagnosis.IterationShort},
		{"both are short", [2]float64{15, 10}, [2]int64{100, 100}, true, diagnosis.CalibrationOff},
		{"another N", [2]float64{50, 10}, [2]int64{100, 101}, true, diagnosis.CalibrationOff},
	} {
		b := NewBuilder()
		b.Add(&record.Run{Kind: record.KindBench, Sides: []record.Side{{Name: "old"}, {Name: "new"}}})
		id := 0
		for i, side := range []string{"old", "new"} {
			b.Add(&record.Case{ID: i + 1, Name: "X", Side: side, Mode: record.ModeN, N: test.n[i], Calibration: &record.Calibration{Target: 50e6, Fixed: 300e3, Limit: 1.2e6}})
			for f := range 12 {
				id++
				ns := test.ms[i] * 1e6 * (1 + 0.001*float64(f))
				for k := range 3 {
					b.Add(&record.Sample{Fork: id, Iter: k + 1, Phase: record.PhaseMeasure, Wall: int64(ns), CPU: int64(ns), Delay: 1, Ns: int64(ns), Ops: 100, V: record.Values{{Unit: "ns/op", Value: ns / 100}}})
				}
				b.Add(&record.Fork{ID: id, Case: i + 1, Round: f + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: int64(3 * ns)})
			}
		}
		c := b.Result().Comparisons[0]
		if got := slices.Contains(c.Reasons, diagnosis.IterationShort) || slices.Contains(c.Reasons, diagnosis.CalibrationOff); got != test.untrusted || test.untrusted && !slices.Contains(c.Reasons, test.why) {
			t.Errorf("%s: doubted for %q", test.name, c.Reasons)
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

// TestCalibrationOffSays: what others took from the calibration is said first, and no disturbance that was not
// measured.
func TestCalibrationOffSays(t *testing.T) {
	for lost, want := range map[float64]string{
		0.43: "others had the processors for 43 % of the time in which N was chosen: an iteration took",
		0.01: "neither the benchmark nor a loss of processors when it was chosen explains it",
	} {
		warnings := calibratedResult(&record.Calibration{Target: 50e6, Fixed: 300e3, Limit: 1.2e6, Lost: lost}, 16.6, 16, nil).Warnings
		i := slices.IndexFunc(warnings, func(w Warning) bool { return w.Code == diagnosis.CalibrationOff })
		if i < 0 || !strings.Contains(warnings[i].Text, want) {
			t.Errorf("lost %v: %+v, want %q", lost, warnings, want)
		}
	}
}

// TestCalibrationOffOfRoles: N is common to all roles of a benchmark, and a warning about it appears once.
func TestCalibrationOffOfRoles(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindBench})
	b.Add(&record.Case{ID: 1, Mode: record.ModeN, N: 100, Roles: []string{"reader", "writer"}, Calibration: &record.Calibration{Target: 50e6, Limit: 1.2e6}})
	b.Add(&record.Replan{Case: 1, Round: 1, From: 3, To: 100, Forks: 1})
	for f := range 8 {
		for _, role := range []string{"reader", "writer"} {
			b.Add(&record.Sample{Fork: f + 1, Iter: 2, Role: role, Phase: record.PhaseMeasure, Wall: 10e6, CPU: 10e6, Delay: 1, Ns: 10e6, Ops: 100, V: record.Values{{Unit: "ns/op", Value: 1e5}}})
		}
		b.Add(&record.Fork{ID: f + 1, Case: 1, Round: f + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 20e6})
	}
	var off, other int
	for _, r := range b.Result().Results {
		off += len(texts(r.Warnings, diagnosis.CalibrationOff))
		other += len(texts(r.Warnings, diagnosis.NReplaced))
	}
	if off != 1 || other != 1 {
		t.Errorf("%d warnings that N is off, %d that it was replaced; want 1 and 1", off, other)
	}
}

// TestStoppedTimerSays: what others took when N was chosen comes first also where a stopped timer explains the rest.
func TestStoppedTimerSays(t *testing.T) {
	for lost, want := range map[float64]string{
		0.3:  "others had the processors for 30 % of the time in which N was chosen: the timer ran for 8.0 % of",
		0.01: "the timer ran for 8.0 % of",
	} {
		got := texts(calibratedResult(&record.Calibration{Target: 50e6, Fixed: 300e3, Limit: 1.2e6, Lost: lost}, 50, 4, nil).Warnings, diagnosis.TimerStopped)
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("lost %v: %q, want %q", lost, got, want)
		}
	}
}

// TestOtherN: a report says that N was replaced during the run, with the figures.
func TestOtherN(t *testing.T) {
	r := &record.Replan{Case: 1, Round: 2, From: 3, To: 1000, Forks: 2, Why: "an iteration took 150µs, the target is 50ms"}
	warnings := calibratedResult(&record.Calibration{Target: 50e6, Limit: 1.2e6}, 50, 50, r).Warnings
	const want = "N was 3 and is 1000 from round 2 on: an iteration took 150µs, the target is 50ms; 2 forks before not counted"
	if i := slices.IndexFunc(warnings, func(w Warning) bool { return w.Code == diagnosis.NReplaced }); i < 0 || warnings[i].Text != want {
		t.Errorf("%+v, want %q", warnings, want)
	}
}
