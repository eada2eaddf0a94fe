package result

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// TestPlainOfTrace: traces of forks learn what these lost, and what their operations take in forks without probes.
func TestPlainOfTrace(t *testing.T) {
	const trace = `{"mode":"exact","clock":"cycles","tick_ns":1,"probe":{"outside_ns":1,"inside_ns":1},"ended":true,"window":"marks","windows":1,"ops":2000,"calls":6,"goroutines":1,
		"funcs":[{"name":"p.F","file":"f.go","line":1,"calls":6,"timed":6,"total_ns":9e5,"self_ns":9e5,"corrected_ns":8e5,"corrected_self_ns":8e5,"mean_ns":150000}],"path_more":6}`
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindBench})
	b.Add(&record.Case{ID: 1, Name: "X", Mode: record.ModeN, N: 2000})
	for f := 1; f <= 6; f++ {
		b.Add(&record.Sample{Fork: f, Iter: 2, Phase: record.PhaseMeasure, Ops: 2000, V: record.Values{{Unit: "ns/op", Value: 100}}})
		b.Add(&record.Fork{ID: f, Case: 1, Round: f, Purpose: record.PurposeTiming, State: record.StateOK})
	}
	b.Add(&record.Attach{Fork: 7, Name: record.AttachTrace, Media: "application/json", Data: []byte(trace)})
	b.Add(&record.Fork{ID: 7, Case: 1, Round: 1, Purpose: "trace", State: record.StateOK, Lost: new(0.3)})
	calls := b.Result().Calls
	if len(calls) != 1 || len(calls[0].Forks) != 1 {
		t.Fatalf("%+v", calls)
	}
	if x := calls[0].Forks[0]; x.Plain != 200e3 || x.Waited != 0.3 || x.Beyond() != 4 {
		t.Errorf("plain %g, waited %g, beyond %g; want 200000, 0.3, 4", x.Plain, x.Waited, x.Beyond())
	}
}
