package conditions

import (
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

func TestLike(t *testing.T) {
	calm := Conditions{Loss: 0.002, L3: 17}
	for what, tt := range map[string]struct {
		other  Conditions
		unlike string
	}{
		"the same":        {calm, ""},
		"a little busier": {Conditions{Loss: 0.03, L3: 20}, ""},
		"busy":            {Conditions{Loss: 0.31, L3: 20}, "its forks lost 31 % of their time to others, against 0.2 %"},
		"busy memory":     {Conditions{L3: 130}, "loads from the last-level cache took 130 ns, against 17 ns"},
		"no loops":        {Conditions{Loss: 0.01}, ""},
		"marked":          {Conditions{Loss: 0.09}, "its forks lost 9.0 % of their time to others, against 0.2 %"},
		"both":            {Conditions{Loss: 0.5, L3: 130}, "its forks lost 50 % of their time to others, against 0.2 %, and loads"},
	} {
		got := tt.other.Unlike(calm)
		if !strings.HasPrefix(got, tt.unlike) || tt.other.Like(calm) != (tt.unlike == "") || (got == "") != (tt.unlike == "") || calm.Like(tt.other) != tt.other.Like(calm) {
			t.Errorf("%s: %q, like %v, want %q", what, got, tt.other.Like(calm), tt.unlike)
		}
	}
}

// TestLikeLoss: calm runs are alike within 5 points, busy ones within a third of the larger loss.
func TestLikeLoss(t *testing.T) {
	for _, tt := range []struct {
		a, b float64
		like bool
	}{{0, 0.04, true}, {0, 0.06, false}, {0.04, 0.08, true}, {0.11, 0.17, false}, {0.3, 0.41, true}, {0.25, 0.41, false}} {
		a, b := Conditions{Loss: tt.a}, Conditions{Loss: tt.b}
		if a.Like(b) != tt.like || b.Like(a) != tt.like {
			t.Errorf("%v and %v: %v", tt.a, tt.b, a.Like(b))
		}
	}
}

func TestConditions(t *testing.T) {
	var p Passes
	busy := Conditions{Loss: 0.4, L3: 130}
	if c := p.Conditions(nil); c != (Conditions{unknown: true}) || !c.Like(busy) || !busy.Like(c) || busy.Unlike(c) != "" {
		t.Errorf("%+v of nothing", c)
	}
	for i := range 5 {
		p.Add(&record.Reference{Loops: []record.ReferenceLoop{{Name: "l3", Min: 10 + float64(i), Median: 99}, {Name: "chain", Min: 1 + float64(i)}, {Name: "copy", Min: 7}}})
	}
	if c, want := p.Conditions([]float64{0.3, math.NaN(), 0.1, 0.2}), (Conditions{Loss: 0.2, L3: 12, Chain: 2}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
}
