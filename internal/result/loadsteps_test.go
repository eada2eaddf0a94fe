package result

import (
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestStepCutShort: the step in which a search was ended, as by Ctrl-C, is cut off: it met nothing. One that was whole before
// the run ended counts.
func TestStepCutShort(t *testing.T) {
	for _, c := range []struct {
		last    time.Duration
		state   string
		partial bool
	}{
		{2 * time.Second, record.EndCompleted, false},
		{2 * time.Second, record.EndPartial, false},
		{500 * time.Millisecond, record.EndPartial, true},
	} {
		r := newLoadRecord(t, record.LoadConfig{DB: "mock", Workload: "a", Arrivals: "search from 100/s", Workers: 1, Duration: 2 * time.Second, Kinds: []string{"READ"}}, "search")
		r.add(attach(AttachSLO, "p99<1s\n"), attach(AttachSteps, SteppedSearch))
		r.steady(record.LoadRun, 100, 100*time.Microsecond, 1, 2*time.Second)
		r.steady(record.LoadRun, 200, 100*time.Microsecond, 1, c.last)
		b := NewBuilder()
		for _, l := range append(r.lines, &record.End{State: c.state, Why: "interrupted by a signal"}) {
			b.Add(l)
		}
		res := b.Result()
		if len(res.Steps) != 2 || res.Steps[1].Partial != c.partial || res.Steps[1].Met == c.partial || res.Steps[0].Partial {
			t.Errorf("%v: %d steps, partial %v, met %v", c, len(res.Steps), res.Steps[1].Partial, res.Steps[1].Met)
		}
		if c.partial && res.Knee.Rate > 150 {
			t.Errorf("%v: the knee is at %v", c, res.Knee.Rate)
		}
	}
}
