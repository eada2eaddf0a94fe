package chart

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// tail is a distribution of n values with a heavy tail.
func tail(n int64, scale, weight float64) []Step {
	var out []Step
	for v := 1.0; ; v *= 1.05 {
		beyond := int64(float64(n) * math.Pow(v, -weight))
		if len(out) == 0 || n-beyond > out[len(out)-1].Count {
			out = append(out, Step{Value: v * scale, Count: n - beyond})
		}
		if beyond == 0 {
			return out
		}
	}
}

func percentileCases() map[string]Percentiles {
	log := Axis{Name: "latency", Unit: "s", Log: true}
	return map[string]Percentiles{
		"log": {
			Title: "Latency", Subtitle: "run.hlog", Y: log, Few: 10, Notes: []string{"dotted: fewer than 10 values beyond"},
			Curves: []Curve{
				{Label: "READ.response", Steps: tail(1e6, 200e-6, 0.9), Hue: 0},
				{Label: "READ.service", Steps: tail(1e6, 150e-6, 2.5), Hue: 1},
				{Label: "UPDATE.service", Steps: tail(5000, 160e-6, 2), Hue: 2},
			},
		},
		"linear":  {Title: "Latency", Y: Axis{Name: "latency", Unit: "s"}, Few: 10, Curves: []Curve{{Label: "a", Steps: tail(1e5, 1e-4, 2)}}},
		"nines":   {Title: "Ten billion", Y: log, Curves: []Curve{{Label: "a", Steps: tail(1e10, 1e-6, 3)}}},
		"few":     {Title: "Three values", Y: log, Few: 10, Curves: []Curve{{Label: "a", Steps: []Step{{1e-3, 1}, {2e-3, 2}, {9e-3, 3}}}}},
		"nothing": {Title: "No values", Y: log, Few: 10, Curves: []Curve{{Label: "none"}, {Label: "zero", Steps: []Step{{0, 4}}}, {Label: "no count", Steps: []Step{{1, 0}}}, {Label: "no value", Steps: []Step{{-1, 1}, {math.NaN(), 2}, {inf, 3}}}}},
	}
}

func TestNoCurves(t *testing.T) {
	if err := (Percentiles{Title: "x"}).Write(io.Discard); !errors.Is(err, errNoCurves) {
		t.Errorf("error %v", err)
	}
}

func TestNines(t *testing.T) {
	for most, want := range map[int64]string{
		1:    "0 %, 50 %, 90 %",
		1000: "0 %, 50 %, 90 %, 99 %, 99.9 %",
		2e6:  "0 %, 90 %, 99 %, 99.9 %, 99.99 %, 99.999 %, 99.9999 %",
	} {
		r := nines(most, 0, 600)
		var got []string
		for _, x := range r.ticks {
			got = append(got, x.label)
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%d: %s, want %s", most, text, want)
		}
		if r.at(0) != 0 || math.Abs(r.at(math.Log10(float64(most)))-600) > 1e-9 && most > 1 {
			t.Errorf("%d: from %v to %v", most, r.at(0), r.at(math.Log10(float64(most))))
		}
	}
}

// TestValueAt: what the description says is what the steps say.
func TestValueAt(t *testing.T) {
	x := Curve{Steps: []Step{{1, 500}, {2, 990}, {3, 999}, {4, 1000}}}
	for share, want := range map[float64]float64{0.5: 1, 0.501: 2, 0.99: 2, 0.999: 3, 1: 4} {
		if got := x.valueAt(share); got != want {
			t.Errorf("%v: %v, want %v", share, got, want)
		}
	}
}
