package fork

import (
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// asking keeps the windows that it is given.
type asking struct{ got []profiler.Window }

func (a *asking) End(ws []profiler.Window) (profiler.Result, error) {
	a.got = ws
	return profiler.Result{}, nil
}

// TestWindowsOwn: windows that a profiler gets say whether they are of package bench.
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

// TestSetMachine: what is busy beside the fork is others'; a system that shows zeros knows nothing.
func TestSetMachine(t *testing.T) {
	ms := time.Millisecond
	f := record.Fork{User: int64(60 * ms), Sys: int64(20 * ms)}
	SetMachine(&f, env.CPUTimes{}, env.CPUTimes{User: 100 * ms, System: 30 * ms, Idle: 40 * ms, IOWait: 10 * ms, Steal: 20 * ms})
	if f.Others == nil || *f.Others != int64(50*ms) || f.Idle != int64(50*ms) || f.Steal != int64(20*ms) {
		t.Errorf("%+v", f)
	}
	f = record.Fork{User: 1}
	if SetMachine(&f, env.CPUTimes{}, env.CPUTimes{}); f.Others != nil || f.Idle != 0 {
		t.Errorf("%+v", f)
	}
}
