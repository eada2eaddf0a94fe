package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

func TestFigure(t *testing.T) {
	for _, f := range []struct {
		figure
		want bool
		says string
	}{
		{figure{truth: []float64{100, 200}, got: []float64{102, 204}, aim: 0.03}, true, "+2.000 %"},
		{figure{truth: []float64{100, 200}, got: []float64{97, 194}, aim: 0.02}, false, "-3.000 %"},
		{figure{truth: []float64{64, 64, 64}, got: []float64{64, 64, 64.016}}, true, "2 of 3 exact"},
		{figure{truth: []float64{64, 64, 64}, got: []float64{64, 65, 65}}, false, "1 of 3 exact"},
		{figure{truth: []float64{0.01}, got: []float64{0.002, 0.5, 0.003}, most: true}, true, "–"},
		{figure{truth: []float64{0.01}, got: []float64{0.02}, most: true}, false, "–"},
		{figure{truth: []float64{1}, aim: 1}, false, "+NaN %"},
	} {
		if f.met() != f.want || f.err() != f.says {
			t.Errorf("%+v: %v, %s", f.figure, f.met(), f.err())
		}
	}
}

func TestRead(t *testing.T) {
	var buf bytes.Buffer
	w := record.NewWriter(&buf)
	w.Write(&record.Run{})
	w.Write(&record.Case{ID: 1, Name: "X"})
	for i, state := range []string{record.StateOK, record.StateFailed, record.StateOK} {
		for iter, phase := range []string{record.PhaseWarmup, record.PhaseMeasure, record.PhaseMeasure} {
			w.Write(&record.Sample{Fork: i + 1, Iter: iter + 1, Phase: phase, V: record.Values{{Unit: "u", Value: float64(10*i + iter)}}})
		}
		w.Write(&record.Fork{ID: i + 1, Case: 1, Purpose: "mem", State: state})
	}
	m, err := read(record.NewReader(&buf, "r"))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := m.of("mem", "X", "u", 2); err != nil || v[0] != 2 || v[1] != 22 {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := m.of("mem", "X", "u", 3); err == nil || !strings.Contains(err.Error(), "2 of 3 forks") {
		t.Errorf("error %v", err)
	}
}

// TestWorkers: what a worker with more parts had was more; how exactly, the
// command tells. Where others had the processors in between, it is asked again with more work.
func TestWorkers(t *testing.T) {
	const longest = 80 * time.Millisecond
	for unit := 5 * time.Millisecond; ; unit *= 2 {
		figures, err := workers(t.Context(), config{forks: 2, unit: unit})
		if err != nil {
			t.Skip(err)
		}
		wrong := wrongShares(figures)
		if len(wrong) == 0 {
			return
		}
		t.Logf("parts of %v: %s", unit, strings.Join(wrong, "; "))
		if unit >= longest {
			t.Fatal("no try has met the shares")
		}
	}
}

// wrongShares are the figures that are off by more than half, or smaller than one of fewer parts.
func wrongShares(figures []figure) (wrong []string) {
	for i, f := range figures {
		if off := f.off(); off < -0.5 || off > 0.5 || i > 0 && f.got[0] < figures[i-1].got[0] {
			wrong = append(wrong, fmt.Sprintf("%s: %v of %v", f.name, f.got, f.truth))
		}
	}
	return wrong
}

func TestWrong(t *testing.T) {
	for _, args := range [][]string{{"nothing"}, {"-forks", "0"}, {"-unit", "-1s"}, {"-x"}} {
		if err := run(t.Context(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
