package plan

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// TestMeasured: forks that were cut off are not done, and their numbers are taken.
func TestMeasured(t *testing.T) {
	var m Measured
	for _, l := range []record.Line{
		&record.Run{}, &record.Bin{ID: 1, SHA256: "cut off"}, &record.Bin{ID: 1}, &record.Case{ID: 1}, &record.Case{ID: 2},
		&record.Fork{ID: 1, Case: 2, Purpose: record.PurposePilot, State: record.StateFailed}, &record.Overhead{},
		&record.Fork{ID: 2, Case: 1, Round: 1, Purpose: record.PurposeTiming, State: record.StateOK},
		&record.Fork{ID: 3, Case: 1, Round: 2, Purpose: record.PurposeTiming, State: record.StatePartial},
		&record.End{State: record.EndCompleted}, &record.Sample{Fork: 4},
	} {
		m.Add(l)
	}
	if !m.Planned || !m.Complete || m.LastFork != 4 || m.Forks() != 1 || len(m.Bins) != 1 || m.Bins[0].SHA256 != "" || len(m.Cases) != 2 {
		t.Errorf("%+v", m)
	}
	if !m.Done(1, 1, record.PurposeTiming) || m.Done(1, 2, record.PurposeTiming) || m.Done(1, 1, "mem") || m.Lost(1) || !m.Lost(2) {
		t.Errorf("%+v", m)
	}
	if m.Add(&record.Fork{ID: 5, State: record.StatePartial}); m.Complete {
		t.Error("a run that went on is complete")
	}
	if m.Add(&record.End{State: record.EndCompleted, Why: record.WhyBudgetSpent}); m.Complete {
		t.Error("a run that the budget ended is complete")
	}
}
