package fork

import (
	"testing"

	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/record"
)

// asking keeps the windows that it is given.
type asking struct{ got []profiler.Window }

func (a *asking) End(ws []profiler.Window) (profiler.Result, error) {
	a.got = ws
	return profiler.Result{}, nil
}

// TestWindowsOwn: profilers are told whose windows they get.
func TestWindowsOwn(t *testing.T) {
	for _, trimName := range []bool{false, true} {
		a := new(asking)
		w := sessions{names: []string{"asking"}, sessions: []profiler.Session{a}}
		o := &Outcome{Samples: []*record.Sample{{Iter: 1, Phase: record.PhaseWarmup}, {Iter: 2, Phase: record.PhaseMeasure, Ops: 7}, {Iter: 3, Phase: record.PhaseMeasure}}}
		w.end(&record.Fork{State: record.StateOK}, o, trimName)
		if len(a.got) != 2 || a.got[0].Iter != 2 || a.got[0].Ops != 7 || a.got[0].OfBench != trimName || a.got[1].OfBench != trimName {
			t.Errorf("%+v, want those of iterations 2 and 3, own: %v", a.got, trimName)
		}
	}
}
