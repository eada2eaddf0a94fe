package emptyloop

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

var floor = Floor{Lo: 0.27, Hi: 0.54, First: 150, Measured: true}

// looks are what the search for N sees of a benchmark whose iterations take fixed + each·n ns.
func looks(fixed, each float64, ns ...int64) (out []record.CalibrationLook) {
	for _, n := range ns {
		out = append(out, record.CalibrationLook{N: n, Ns: fixed + each*float64(n)})
	}
	return out
}

// row is such a benchmark, measured at N operations an iteration.
func row(fixed, each float64, n int64, ns ...int64) Row {
	return Row{Ns: each + fixed/float64(n), N: n, Floor: floor, Tried: looks(fixed, each, ns...)}
}

// TestJudge: shapes of benchmarks as they were recorded, and what is said of them.
func TestJudge(t *testing.T) {
	with := func(r Row, change func(*Row)) Row { change(&r); return r }
	reset := func(r *Row) { r.Reset = true }
	busy := func(r *Row) { r.Busy = true }
	for _, test := range []struct {
		name string
		r    Row
		want string // code
		text string // a part of the text
	}{
		{"body removed", row(150, 0.28, 40e6, 1, 30, 900, 27000, 810000), diagnosis.EmptyLoop, "0.27 … 0.54 ns/op, by address"},
		{"body removed, at a bad address", row(150, 0.55, 20e6, 1, 30, 900), diagnosis.EmptyLoop, "compiler"},
		{"consumes 176 µs in the first", row(176e3, 0.59, 20e6, 1, 30, 900, 27000, 810000), diagnosis.EmptyLoop, "176 µs"},
		{"consumes 176 µs in the first, by b.Loop", with(row(176e3, 1.1, 10e6, 1, 30, 900), reset), diagnosis.EmptyLoop, "the work is done once"},
		{"consumes 176 µs in the first, busy machine", with(row(176e3, 0.9, 20e6, 1, 30, 900), busy), diagnosis.EmptyLoop, "176 µs"},
		{"a single calibration, busy machine", with(row(176e3, 0.9, 20e6, 1), busy), diagnosis.NearLoop, ""},
		{"consumes as fast as an empty loop", row(176e3, 0.3, 40e6, 1, 30, 900), diagnosis.EmptyLoop, "first operation"},
		{"getter of two loads", row(150, 0.8, 15e6, 1, 30, 900), diagnosis.NearLoop, "little more"},
		{"call, 1.6 ns", row(170, 1.6, 8e6, 1, 30, 900), "", ""},
		{"atomic add, 2.3 ns", row(160, 2.3, 5e6, 1, 30, 900), "", ""},
		{"cheap, cold at first", row(1500, 1.2, 10e6, 1, 30, 900), "", ""},
		{"usual", row(100, 700, 18000, 1, 30, 900), "", ""},
		{"usual, first look disturbed", with(row(0, 700, 18000, 1, 30, 900), func(r *Row) { r.Tried[0].Ns = 9e6 }), "", ""},
		{"set-up of 30 µs, 100 ns", row(30e3, 100, 120e3, 1, 30, 900, 27000), "", ""},
		{"set-up of 30 µs, 100 ns, timer reset: reads to the end", with(row(30e3, 100, 120e3, 1, 30, 900, 27000), reset), diagnosis.FirstOperation, "30 µs"},
		{"set-up of 30 µs, 100 ns, timer reset, busy machine", with(row(30e3, 100, 120e3, 1, 30, 900), func(r *Row) { reset(r); busy(r) }), "", ""},
		{"buffer grows in the first", with(row(3e3, 60, 200e3, 1, 30, 900), reset), "", ""},
		{"set-up of 6 ms timed, 10 µs", row(6e6, 10e3, 600, 1, 2, 5, 100), diagnosis.FixedCost, "50 %"},
		{"set-up of 6 ms timed, 10 µs, busy machine", with(row(6e6, 10e3, 600, 1, 2, 5, 100), busy), "", ""},
		{"flat: 40 ms whatever N", row(40e6, 10, 3, 1, 2), diagnosis.FixedCost, "100 %"},
		{"flat, and no loop is known", row(40e6, 10, 3, 1, 2), diagnosis.FixedCost, "does not use b.N, or"},
		{"flat, with a loop", with(row(40e6, 10, 3, 1, 2), func(r *Row) { r.Loops = true }), diagnosis.FixedCost, "operations: set-up"},
		{"ignores b.N", Row{Ns: 2e-5, N: 1 << 37, Whole: 8e6, Floor: floor, Tried: looks(3e3, 0, 1, 30, 900, 27000)}, diagnosis.NUnused, "does not use b.N"},
		{"ignores b.N, busy machine", with(Row{Ns: 2e-5, N: 1 << 37, Whole: 80e6, Floor: floor}, busy), diagnosis.NUnused, "does not use b.N"},
		{"uses b.N, and its calibration is wrong", Row{Ns: 81e3, N: 1320, Whole: 3, Floor: floor}, "", ""},
		{"stops its timer", Row{Ns: 0.005, N: 21700, Whole: 58e6, Floor: floor, Tried: looks(100, 0, 1, 30, 900)}, diagnosis.EmptyLoop, ""},
		{"body removed, whole known", with(row(150, 0.28, 40e6, 1, 30), func(r *Row) { r.Whole = 11e6 }), diagnosis.EmptyLoop, "compiler"},
		{"all in the first, 7 ms", with(row(7e6, 5, 1e6, 1, 30, 900), reset), diagnosis.FixedCost, "only the first operation"},
		{"two of 20 ms", row(0, 20e6, 2, 1, 2), "", ""},
		{"two, the first look slow", with(row(0, 20e6, 2, 1, 2), func(r *Row) { r.Tried[0].Ns *= 1.3 }), "", ""},
		{"set-up of 60 ms timed, two calibrations", row(60e6, 1e3, 1, 1, 2), diagnosis.FixedCost, "100 %"},
		{"set-up of 60 ms timed, two calibrations, busy machine", with(row(60e6, 1e3, 1, 1, 2), busy), "", ""},
		{"set-up of 13 ms timed, N replaced by one", Row{Ns: 16e6, N: 1, Floor: floor, Tried: []record.CalibrationLook{{N: 1, Ns: 13.1e6}, {N: 4, Ns: 15.9e6}, {N: 6, Ns: 13.9e6}}}, diagnosis.FixedCost, ""},
		{"one of 13 ms, N replaced by one", Row{Ns: 16e6, N: 1, Floor: floor, Tried: looks(0, 13e6, 1, 4, 6)}, "", ""},
		{"one of 60 ms", row(0, 60e6, 1, 1, 2), "", ""},
		{"one of 60 ms, the second look quick", with(row(0, 60e6, 1, 1, 2), func(r *Row) { r.Tried[1].Ns *= 0.8 }), "", ""},
		{"one operation", row(0, 200e6, 1, 1), "", ""},
		{"time grows as the square", Row{Ns: 20e3, N: 2000, Floor: floor, Tried: []record.CalibrationLook{{N: 1, Ns: 10}, {N: 30, Ns: 9000}, {N: 900, Ns: 8.1e6}}}, "", ""},
		{"time grows as the root", Row{Ns: 1e5 / math.Sqrt(2e4), N: 2e4, Floor: floor, Tried: []record.CalibrationLook{{N: 1, Ns: 1e5}, {N: 30, Ns: 5.5e5}, {N: 900, Ns: 3e6}}}, "", ""},
		{"no N", Row{Ns: 0.3, Floor: floor}, diagnosis.EmptyLoop, ""},
		{"loop of tare's own, near", Row{Ns: 0.5, Floor: Floor{Lo: 0.27, Hi: 0.27}}, "", ""},
		{"loop not known", Row{Ns: 0.2}, "", ""},
		{"impossible", Row{Ns: math.NaN(), Floor: floor}, "", ""},
	} {
		var got record.Warn
		if w := Judge(test.r); w != nil {
			got = *w
		}
		if got.Code != test.want || !strings.Contains(got.Text, test.text) {
			t.Errorf("%s: %q %s; want %q, %s", test.name, got.Code, got.Text, test.want, test.text)
		}
	}
}

// TestJudgeNoise: noise that lengthens each time does not make a benchmark that does its work look as if it did not.
func TestJudgeNoise(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		each := math.Exp(rng.Float64()*math.Log(20e6)) * 2 // 2 ns … 40 ms
		n := max(1, int64(12.5e6/each))
		var ns []int64
		for k := int64(1); k < n; k *= 30 {
			ns = append(ns, k)
		}
		r := row(150, each, n, append(ns, n)...)
		for i := range r.Tried {
			noise := math.Inf(1) // of the shortest of four iterations
			for range 4 {
				noise = min(noise, rng.ExpFloat64())
			}
			r.Tried[i].Ns = r.Tried[i].Ns*(1+0.3*noise) + 300*rng.ExpFloat64() // cold after a collection
		}
		r.Ns *= 1 + 0.1*rng.ExpFloat64()
		r.Reset = rng.IntN(2) == 0
		if w := Judge(r); w != nil && (n > 3 || w.Code != diagnosis.FixedCost) {
			t.Fatalf("seed %d, %g ns, N %d: %s: %s\n%v", seed, each, n, w.Code, w.Text, r.Tried)
		}
	}
}

// TestFloorOf: the form decides; where it is not certain the quickest counts.
func TestFloorOf(t *testing.T) {
	loops := []record.EmptyLoop{
		{Form: record.FormN, Procs: 2, Min: 0.27, Max: 0.54, First: 100}, {Form: record.FormLoop, Procs: 2, Min: 2, Max: 2.1, First: 120},
		{Form: record.FormParallel, Procs: 2, Min: 1.5, Max: 1.5}, {Form: record.FormN, Procs: 1, Min: 0.2, Max: 9},
	}
	for _, test := range []struct {
		forms  []string
		procs  int
		lo, hi float64
	}{
		{[]string{record.FormN}, 2, 0.27, 0.54},
		{[]string{record.FormLoop}, 2, 2, 2.1},
		{[]string{record.FormParallel}, 2, 1.5, 1.5},
		{[]string{record.FormN, record.FormLoop}, 2, 0.27, 0.54},
		{nil, 2, 0.27, 0.54},
		{nil, 1, 0.2, 0.2 * mostSpread},
		{nil, 4, 0, 0},
	} {
		if f := FloorOf(loops, test.forms, test.procs); f.Lo != test.lo || math.Abs(f.Hi-test.hi) > 1e-9 || f.Measured != (test.lo > 0) {
			t.Errorf("%q at %d: %+v", test.forms, test.procs, f)
		}
	}
}
