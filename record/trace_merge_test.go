package record_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// randomTrace is one of a fork of the same program: with times of all calls of a
// function, so that sums of several can be checked.
func randomTrace(r *rand.Rand, times [][]float64) *record.Trace {
	tick := 0.4 * (1 + 1e-4*r.Float64()) // as well as a fork knows it
	t := &record.Trace{
		Mode: record.TraceExact, Clock: record.TraceCycles, Tick: tick, Ended: true, Window: record.AsmMarks, Windows: 1, Ops: 1 + r.Int64N(10),
		Probe: record.TraceProbe{Outside: 30 * r.Float64(), Inside: 10 * r.Float64()},
	}
	for i := range times {
		f := record.TraceFunc{Name: fmt.Sprint("p.F", i), File: "f.go", Line: i}
		counts := map[int]int64{}
		var own []float64
		for range r.IntN(20) {
			octave, sub := r.IntN(20), r.IntN(8)
			own = append(own, math.Ldexp(float64(8+sub), octave)*tick)
			counts[octave*8+sub]++
		}
		times[i] = append(times[i], own...)
		for k := range 160 {
			if n := counts[k]; n > 0 {
				step := math.Ldexp(tick, k/8)
				f.Hist = append(f.Hist, record.TraceBucket{From: float64(8+k%8) * step, To: float64(9+k%8) * step, N: n})
			}
		}
		f.Calls, f.Timed = int64(len(own)), int64(len(own))
		f.Mean, f.Squares, f.Min, f.Max = moments(own)
		f.Total = f.Mean * float64(len(own))
		f.Self, f.Corrected, f.CorrectedSelf = f.Total, f.Total/2, f.Total/2
		t.Calls += f.Calls
		t.Funcs = append(t.Funcs, f)
		if parent := len(t.Tree) - 1; f.Calls > 0 && r.IntN(2) > 0 {
			t.Tree = append(t.Tree, record.TraceCall{Func: i, Parent: r.IntN(parent+2) - 1, Calls: f.Calls, Timed: f.Timed, Total: f.Total})
		}
	}
	return t
}

func moments(xs []float64) (mean, squares, least, most float64) {
	if len(xs) == 0 {
		return
	}
	least, most = xs[0], xs[0]
	for _, x := range xs {
		mean += x / float64(len(xs))
		least, most = min(least, x), max(most, x)
	}
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	return
}

// TestMergeTraces: counts and moments of the whole are those of all calls, nothing of
// the histogram or the tree is lost, and the parts stay as they are.
func TestMergeTraces(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		times := make([][]float64, 5)
		var parts []*record.Trace
		for range 1 + r.IntN(4) {
			parts = append(parts, randomTrace(r, times))
		}
		before, _ := json.Marshal(parts)
		x, err := record.MergeTraces(parts)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if after, _ := json.Marshal(parts); string(after) != string(before) {
			t.Fatalf("seed %d: the parts have changed", seed)
		}
		if err := x.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var ops, tree, treeWant int64
		for _, p := range parts {
			ops += p.Ops
			for _, c := range p.Tree {
				treeWant += c.Calls
			}
		}
		for _, c := range x.Tree {
			tree += c.Calls
		}
		if x.Ops != ops || tree != treeWant || x.Windows != len(parts) || len(parts) > 1 && x.Forks != len(parts) {
			t.Errorf("seed %d: %d operations, %d calls in the tree, %d windows, %d forks of %d", seed, x.Ops, tree, x.Windows, x.Forks, len(parts))
		}
		for i := range x.Funcs {
			f := &x.Funcs[i]
			mean, squares, least, most := moments(times[i])
			if f.Calls != int64(len(times[i])) || !near(f.Mean, mean) || !near(f.Squares, squares) || f.Min != least || f.Max != most {
				t.Errorf("seed %d: %+v, want %d calls of mean %g", seed, f, len(times[i]), mean)
			}
			var n int64
			for _, b := range f.Hist {
				n += b.N
			}
			if n != f.Timed || len(f.Hist) > 160 {
				t.Errorf("seed %d: %d calls in %d buckets, of %d", seed, n, len(f.Hist), f.Timed)
			}
			perOp, fewest, most := x.PerOp(f)
			if !(fewest <= perOp+1e-9 && perOp <= most+1e-9) {
				t.Errorf("seed %d: %g calls per operation, from %g to %g", seed, perOp, fewest, most)
			}
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b), 1) }

// TestMergeTracesTree: elements of the same way are one, others follow.
func TestMergeTracesTree(t *testing.T) {
	part := func(tree ...record.TraceCall) *record.Trace {
		x := &record.Trace{Mode: record.TraceExact, Funcs: []record.TraceFunc{{Name: "a"}, {Name: "b"}}, Ops: 1}
		for _, c := range tree {
			x.Funcs[c.Func].Calls += c.Calls
			x.Calls += c.Calls
		}
		x.Tree = tree
		return x
	}
	x, err := record.MergeTraces([]*record.Trace{
		part(record.TraceCall{Func: 0, Parent: -1, Calls: 2}, record.TraceCall{Func: 0, Parent: 0, Back: 1, Calls: 3}),
		part(record.TraceCall{Func: 1, Parent: -1, Calls: 1}, record.TraceCall{Func: 0, Parent: 0, Calls: 5}, record.TraceCall{Func: 0, Parent: -1, Calls: 7}),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []record.TraceCall{{Func: 0, Parent: -1, Calls: 9}, {Func: 0, Parent: 0, Back: 1, Calls: 3}, {Func: 1, Parent: -1, Calls: 1}, {Func: 0, Parent: 2, Calls: 5}}
	if !reflect.DeepEqual(x.Tree, want) {
		t.Errorf("%+v, want %+v", x.Tree, want)
	}
	if a := &x.Funcs[0]; a.FewestPerOp != 5 || a.MostPerOp != 12 {
		t.Errorf("%+v", a)
	}
}

// TestMergeTracesRefuses: what was not traced alike is not merged.
func TestMergeTracesRefuses(t *testing.T) {
	if _, err := record.MergeTraces(nil); err == nil {
		t.Error("nothing is merged")
	}
	good := record.Trace{Mode: record.TraceExact, Clock: record.TraceCycles, Funcs: []record.TraceFunc{{Name: "a", Line: 1}}}
	for _, change := range []func(*record.Trace){
		func(x *record.Trace) { x.Mode = record.TraceCount },
		func(x *record.Trace) { x.Every = 3 },
		func(x *record.Trace) { x.Clock = record.TraceMonotonic },
		func(x *record.Trace) { x.Funcs = nil },
		func(x *record.Trace) { x.Funcs = []record.TraceFunc{{Name: "a", Line: 2}} },
	} {
		bad := good
		change(&bad)
		if _, err := record.MergeTraces([]*record.Trace{&good, &bad}); err == nil || !strings.Contains(err.Error(), "different") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// TestMergeTracesAll: no figure of a function or of a call is forgotten, whatever is
// added to them.
func TestMergeTracesAll(t *testing.T) {
	fill := func(x any) {
		v := reflect.ValueOf(x).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i); f.Kind() {
			case reflect.Int64:
				f.SetInt(2)
			case reflect.Float64:
				f.SetFloat(2)
			}
		}
	}
	some := record.Trace{Mode: record.TraceExact, Funcs: make([]record.TraceFunc, 1), Tree: []record.TraceCall{{Parent: -1}}, Calls: 2, Ops: 2}
	none := record.Trace{Mode: record.TraceExact, Funcs: make([]record.TraceFunc, 1), Tree: []record.TraceCall{{Parent: -1}}, Ops: 2}
	fill(&some.Funcs[0])
	fill(&some.Tree[0])
	x, err := record.MergeTraces([]*record.Trace{&none, &some})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []any{x.Funcs[0], x.Tree[0]} {
		v := reflect.ValueOf(of)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if k := v.Field(i).Kind(); (k == reflect.Int64 || k == reflect.Float64) && v.Field(i).IsZero() && name != "FewestPerOp" {
				t.Errorf("%T.%s of the second trace is not in the whole", of, name)
			}
		}
	}
}
