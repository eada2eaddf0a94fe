package result

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// sidesRecord is a record of two sides whose forks have the iterations that draw returns.
func sidesRecord(test string, forks int, draw func(r *rand.Rand, new bool) []float64) *Builder {
	b := NewBuilder()
	b.Add(&record.Run{Version: 1, Kind: record.KindBench, Config: record.Config{Confidence: 0.95, Test: test}, Sides: []record.Side{{Name: "old"}, {Name: "new"}}})
	rnd := rand.New(rand.NewPCG(21, 1))
	id := 0
	for i, side := range []string{"old", "new"} {
		b.Add(&record.Bin{ID: i + 1, Side: side, SHA256: fmt.Sprint(i)})
		b.Add(&record.Case{ID: i + 1, Name: "Sum", Side: side, Bin: i + 1, Mode: record.ModeN, N: 1000})
		for round := range forks {
			id++
			for j, ns := range draw(rnd, i == 1) {
				b.Add(&record.Sample{Fork: id, Iter: j + 2, Phase: record.PhaseMeasure, Ns: int64(ns * 1e6), Wall: int64(ns * 1.01e6), Ops: 1000, V: record.Values{{Unit: "ns/op", Value: ns}}})
			}
			b.Add(&record.Fork{ID: id, Case: i + 1, Bin: i + 1, Round: round + 1, Purpose: record.PurposeTiming, State: record.StateOK})
		}
	}
	b.Add(&record.End{State: record.EndCompleted})
	return b
}

// noise is of a disturbed machine: most iterations are a little slower, some much.
func noise(r *rand.Rand) float64 {
	x := 1 + 0.005*r.ExpFloat64()
	if r.Float64() < 0.3 {
		x *= 1 + 0.3*r.ExpFloat64()
	}
	return x
}

// TestSeededChanges: each kind of change that the best iterations may not show is reported, and without a change nothing
// is reported.
func TestSeededChanges(t *testing.T) {
	eight := func(base float64, each func(r *rand.Rand) float64) func(r *rand.Rand) []float64 {
		return func(r *rand.Rand) []float64 {
			xs := make([]float64, 8)
			for i := range xs {
				xs[i] = base * noise(r) * each(r)
			}
			return xs
		}
	}
	plain := func(*rand.Rand) float64 { return 1 }
	cycles := func(cost float64) func(r *rand.Rand) float64 { // three collections an iteration, more or less
		return func(r *rand.Rand) float64 {
			n, at := 0.0, r.ExpFloat64()
			for ; at < 3; at += r.ExpFloat64() {
				n++
			}
			return 1 + cost*n
		}
	}
	spikes := func(height float64) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 {
			if r.Float64() < 0.4 {
				return height
			}
			return 1
		}
	}
	mode := func(share, slow float64) func(r *rand.Rand) []float64 {
		return func(r *rand.Rand) []float64 {
			base := 10.0
			if r.Float64() < share {
				base *= slow
			}
			return eight(base, plain)(r)
		}
	}
	for _, test := range []struct {
		name     string
		old, new func(r *rand.Rand) []float64
		verdict  string
		by       string
		also     string
	}{
		{"nothing", eight(10, plain), eight(10, plain), "equivalent", "undisturbed", ""},
		{"5 % slower", eight(10, plain), eight(10.5, plain), "slower", "undisturbed", ""},
		{"collection alone", eight(10, cycles(0.02)), eight(10, cycles(0.05)), "slower", "typical", ""},
		{"tail alone", eight(10, spikes(2)), eight(10, spikes(4)), "", "undisturbed", QuantityTail},
		{"one mode of two", mode(0.6, 1.5), mode(0.6, 2.0), "slower", "typical", QuantitySlowForks},
	} {
		b := sidesRecord(record.TestSavage, 20, func(r *rand.Rand, new bool) []float64 {
			if new {
				return test.new(r)
			}
			return test.old(r)
		})
		c := b.Result().Comparisons[0]
		named := ""
		for _, s := range c.Also {
			named += s.Quantity + " "
			if test.also == "" && test.by == "undisturbed" {
				t.Errorf("%s: %s is named: %+v", test.name, s.Quantity, s)
			}
		}
		if !slices.Equal(c.Unseen, []string{QuantityCollection}) {
			t.Errorf("%s: not compared: %q", test.name, c.Unseen)
		}
		if test.verdict != "" && c.Verdict != test.verdict || c.By != test.by || test.also != "" && named == "" {
			t.Errorf("%s: %s by %s, also %s; undisturbed %+v, typical %+v", test.name, c.Verdict, c.By, named, *c.Undisturbed, *c.Typical)
		}
		found := test.also == ""
		for _, s := range c.Also {
			found = found || s.Quantity == test.also
		}
		if !found {
			t.Errorf("%s: %s is not named, only %q", test.name, test.also, named)
		}
	}
}

// TestUnseen: a quantity without values is listed as unseen. It does not count as unchanged.
func TestUnseen(t *testing.T) {
	for n, want := range map[int][]string{2: {QuantityTail, QuantityCollection}, 4: {QuantityCollection}} {
		b := sidesRecord(record.TestSavage, 6, func(r *rand.Rand, _ bool) (out []float64) {
			for range n {
				out = append(out, 10+r.Float64())
			}
			return out
		})
		if c := b.Result().Comparisons[0]; !slices.Equal(c.Unseen, want) {
			t.Errorf("%d iterations: %q, want %q", n, c.Unseen, want)
		}
	}
}

// TestTestOfRecord: the record says which test compares, an old one that says nothing has the U test, and a judgement
// overrides it. Minima and maxima are those of the unit's direction.
func TestTestOfRecord(t *testing.T) {
	draw := func(r *rand.Rand, new bool) []float64 {
		x := 10 + 0.01*r.Float64()
		if new {
			return []float64{x, 2 * x}
		}
		return []float64{x, 1.5 * x}
	}
	for _, test := range []struct{ record, judged, want string }{
		{"", "", ""}, {record.TestU, "", ""}, {record.TestSavage, "", record.TestSavage},
		{"", record.TestSavage, record.TestSavage}, {record.TestSavage, record.TestU, ""},
	} {
		b := sidesRecord(test.record, 8, draw)
		b.Judge(Judgement{Test: test.judged})
		c := b.Result().Comparisons[0]
		if c.Test != test.want || (c.Undisturbed != nil) != (test.want != "") {
			t.Errorf("%+v: %q, %+v", test, c.Test, c.Undisturbed)
		}
		if test.want == "" && math.Abs(float64(c.Ratio)-1.2) > 0.01 {
			t.Errorf("%+v: ratio of medians %v", test, c.Ratio)
		}
		if test.want != "" && (math.Abs(float64(c.Undisturbed.Ratio)-1) > 0.01 || math.Abs(float64(c.Typical.Ratio)-1.2) > 0.01) {
			t.Errorf("%+v: %+v, %+v", test, c.Undisturbed, c.Typical)
		}
	}
}

// TestAbsorbTests: records of different tests are compared by the one that all can be read as.
func TestAbsorbTests(t *testing.T) {
	one := func(test string) *Builder {
		b := NewBuilder()
		b.Add(&record.Run{Version: 1, Kind: record.KindBench, Config: record.Config{Test: test}})
		b.Add(&record.Case{ID: 1, Name: "Sum", Mode: record.ModeN, N: 1})
		for i := range 6 {
			b.Add(&record.Sample{Fork: i + 1, Iter: 2, Phase: record.PhaseMeasure, Ns: 1e8, Ops: 1, V: record.Values{{Unit: "ns/op", Value: 100 + float64(i)}}})
			b.Add(&record.Fork{ID: i + 1, Case: 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK})
		}
		return b
	}
	for _, test := range []struct{ first, second, want string }{
		{record.TestSavage, record.TestSavage, record.TestSavage}, {record.TestSavage, "", ""}, {"", record.TestSavage, ""},
	} {
		all := NewBuilder()
		for i, x := range []string{test.first, test.second} {
			if err := all.Absorb(one(x), fmt.Sprint(i)); err != nil {
				t.Fatal(err)
			}
		}
		if c := all.Result().Comparisons[0]; c.Test != test.want {
			t.Errorf("%+v: %q", test, c.Test)
		}
	}
}
