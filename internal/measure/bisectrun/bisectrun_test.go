package bisectrun

import (
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

func sample(fork int, phase, role string, v ...record.Value) *record.Sample {
	return &record.Sample{Fork: fork, Phase: phase, Role: role, V: v}
}

func TestValueOf(t *testing.T) {
	ns := func(x float64) record.Value { return record.Value{Unit: "ns/op", Value: x} }
	samples := []*record.Sample{
		sample(1, record.PhaseWarmup, "", ns(900)), sample(1, record.PhaseMeasure, "", ns(10), record.Value{Unit: "B/op", Value: 8}),
		sample(1, record.PhaseMeasure, "reader", ns(500)), sample(1, record.PhaseMeasure, "", ns(20)),
	}
	if x, why := valueOf(samples, "ns/op"); x != 15 || why != "" {
		t.Errorf("%g, %q", x, why)
	}
	if _, why := valueOf(samples, "cats"); !strings.Contains(why, "does not report cats; it reports ns/op, B/op") {
		t.Errorf("%q", why)
	}
}

// Forks of a record come by side, in order; those of calibration and those without an end do not.
func TestPast(t *testing.T) {
	p := &past{forks: map[string][]outcome{}, samples: map[int][]*record.Sample{}, sides: map[int]string{}}
	ns := func(fork int, x float64) *record.Sample {
		return sample(fork, record.PhaseMeasure, "", record.Value{Unit: "ns/op", Value: x})
	}
	for _, l := range []record.Line{
		&record.Run{Sides: []record.Side{{Name: "a"}, {Name: "b"}}},
		&record.Case{ID: 1, Side: "a"},
		&record.Bisect{Metric: "ns/op"},
		ns(1, 1), &record.Fork{ID: 1, Case: 1, Purpose: record.PurposePilot, State: record.StateOK},
		ns(2, 2), &record.Fork{ID: 2, Case: 1, Purpose: record.PurposeTiming, State: record.StateOK, Starved: true},
		&record.Case{ID: 2, Side: "b"},
		&record.Fork{ID: 3, Case: 2, Purpose: record.PurposeTiming, State: record.StateFailed, Why: "panic"},
		ns(4, 4), &record.Fork{ID: 4, Case: 1, Purpose: record.PurposeTiming, State: record.StateOK},
		&record.Bisect{State: "undecided"},
		ns(5, 5),
	} {
		p.add(l)
	}
	a, b := p.forks["a"], p.forks["b"]
	if len(a) != 2 || !a[0].disturbed || a[0].samples[0].V[0].Value != 2 || a[1].samples[0].V[0].Value != 4 || len(b) != 1 || b[0].failed != "panic" {
		t.Errorf("%+v, %+v", a, b)
	}
	if p.head.Metric != "ns/op" || p.last.State != "undecided" || p.LastFork != 5 {
		t.Errorf("%+v, %+v, last fork %d", p.head, p.last, p.LastFork)
	}
}

func TestRatios(t *testing.T) {
	if a, b, c := ratios(math.Inf(1), 1, 2); a != 0 || b != 0 || c != 0 {
		t.Error(a, b, c)
	}
	if a, b, c := ratios(2, 1, 3); a != 2 || b != 1 || c != 3 {
		t.Error(a, b, c)
	}
}

func TestOrder(t *testing.T) {
	o, firsts := newOrder(1), 0
	for range 1000 {
		p := o.pair()
		if p[0]+p[1] != 1 {
			t.Fatal(p)
		}
		firsts += p[0]
	}
	if firsts < 400 || firsts > 600 {
		t.Errorf("side 1 is first %d times of 1000", firsts)
	}
}
