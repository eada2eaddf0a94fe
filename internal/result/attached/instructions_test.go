package attached

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// counted returns what a fork counted of random functions.
func counted(rnd *rand.Rand) *record.Instructions {
	x := &record.Instructions{Ops: 1 + rnd.Int64N(1000), Files: []string{"/a/a.go", "/a/b.go"}}
	parts := record.Parts()
	for i := range 30 {
		part := parts[i%len(parts)]
		if rnd.IntN(3) == 0 {
			n := rnd.Int64N(2000) - 100
			x.Rest, x.Total = append(x.Rest, record.InstructionRest{Part: part, Functions: 1, Count: n}), x.Total+n
			continue
		}
		f := record.InstructionFunction{Name: fmt.Sprintf("p.f%d", i), Part: part, Rest: rnd.Int64N(50)}
		f.Count = f.Rest
		for j := range rnd.IntN(9) {
			n := rnd.Int64N(1<<30) - 1000
			f.Lines, f.Count = append(f.Lines, record.InstructionLine{File: rnd.IntN(2), Line: j, Count: n}), f.Count+n
		}
		x.Functions, x.Total = append(x.Functions, f), x.Total+f.Count
	}
	return x
}

// TestAddInstructions: sums of forks add up exactly: lines to functions, functions and the rest to parts, parts to the total.
// So do the differences of two sides.
func TestAddInstructions(t *testing.T) {
	if AddInstructions(nil) != nil {
		t.Error("instructions of no fork")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for range 100 {
		var sides [2]*Instructions
		for side := range sides {
			var forks []*record.Instructions
			total, ops := int64(0), int64(0)
			for range 1 + rnd.IntN(5) {
				f := counted(rnd)
				if err := f.Validate(); err != nil {
					t.Fatal(err)
				}
				forks, total, ops = append(forks, f), total+f.Total, ops+f.Ops
			}
			x := AddInstructions(forks)
			if x.Forks != len(forks) || x.Ops != ops || x.Count != total || float64(x.PerOp) != float64(total)/float64(ops) {
				t.Fatalf("%d of %d operations in %d forks, want %d of %d", x.Count, x.Ops, x.Forks, total, ops)
			}
			checkSums(t, x)
			sides[side] = x
		}
		checkDifferences(t, CompareInstructions(sides[0], sides[1]))
	}
}

func checkSums(t *testing.T, x *Instructions) {
	t.Helper()
	total, parts := int64(0), map[string]int64{}
	for _, f := range x.Functions {
		n := f.Rest
		for _, l := range f.Lines {
			n += l.Count
			if l.Lo > l.Hi || math.IsNaN(float64(l.Lo)) {
				t.Fatalf("%s:%d: %v … %v", f.Name, l.Line, l.Lo, l.Hi)
			}
		}
		if n != f.Count {
			t.Fatalf("the lines of %s have %d, and it has %d", f.Name, n, f.Count)
		}
		parts[f.Part] += n
	}
	for _, r := range x.Rest {
		parts[r.Part] += r.Count
	}
	for _, p := range x.Parts {
		if parts[p.Part] != p.Count {
			t.Fatalf("the functions of %s have %d, and it has %d", p.Part, parts[p.Part], p.Count)
		}
		total += p.Count
	}
	if total != x.Count {
		t.Fatalf("the parts have %d, and the total is %d", total, x.Count)
	}
}

func checkDifferences(t *testing.T, c *InstructionChanges) {
	t.Helper()
	sum := 0.0
	for _, p := range c.Parts {
		sum += float64(p.Delta)
	}
	if d := float64(c.Delta); math.Abs(sum-d) > 1e-9*(math.Abs(float64(c.Old))+math.Abs(float64(c.New))) {
		t.Fatalf("the parts differ by %g, and the total by %g", sum, d)
	}
}

func ofLines(counts ...int64) []InstructionLine {
	var out []InstructionLine
	for i, n := range counts {
		if n != 0 { // 0: a line without instructions
			l := InstructionLine{File: "/x/f.go", Line: i + 1}
			l.add(n, 1)
			l.total(1)
			out = append(out, l)
		}
	}
	return out
}

// TestPairLines: a line that moved is paired with itself. Lines between two such pairs are paired in order.
func TestPairLines(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []int64 // counts of the lines from 1 on
		want     []string
	}{
		{"the same", []int64{5, 6, 7}, []int64{5, 6, 7}, []string{"1-1", "2-2", "3-3"}},
		{"two lines above", []int64{5, 6, 7}, []int64{0, 0, 5, 6, 7}, []string{"1-3", "2-4", "3-5"}},
		{"one changed", []int64{5, 600, 7}, []int64{0, 5, 900, 7}, []string{"1-2", "2-3", "3-4"}},
		{"one more in between", []int64{50, 60, 70}, []int64{50, 99, 60, 70}, []string{"0-2", "1-1", "2-3", "3-4"}},
		{"one gone", []int64{50, 99, 60, 70}, []int64{50, 60, 70}, []string{"1-1", "2-0", "3-2", "4-3"}},
		{"one for two", []int64{50, 99, 70}, []int64{50, 20, 30, 70}, []string{"0-3", "1-1", "2-2", "3-4"}},
		{"none", nil, []int64{5}, []string{"0-1"}},
	} {
		a, b := ofLines(c.old...), ofLines(c.new...)
		for i := range b {
			b[i].File = "/somewhere/else/f.go"
		}
		var got []string
		for _, p := range pairLines(a, b) {
			got = append(got, fmt.Sprintf("%d-%d", p.old.Line, p.new.Line))
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPairLinesAll: of random lines each is in one pair, and there are as many pairs of the same count as can be.
func TestPairLinesAll(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	random := func() (out []int64) {
		for range rnd.IntN(40) {
			out = append(out, rnd.Int64N(4)*1000)
		}
		return out
	}
	for range 300 {
		a, b := ofLines(random()...), ofLines(random()...)
		var olds, news []int
		for _, p := range pairLines(a, b) {
			if p.old.Line == 0 && p.new.Line == 0 {
				t.Fatal("a pair of nothing")
			}
			if p.old.Line > 0 {
				olds = append(olds, p.old.Line)
			}
			if p.new.Line > 0 {
				news = append(news, p.new.Line)
			}
		}
		for _, x := range []struct {
			got []int
			of  []InstructionLine
		}{{olds, a}, {news, b}} {
			slices.Sort(x.got)
			if len(x.got) != len(x.of) || len(slices.Compact(slices.Clone(x.got))) != len(x.of) {
				t.Fatalf("pairs of the lines %v, want each of %v once", x.got, x.of)
			}
		}
	}
}

// TestCompareInstructions: what counts as a difference: beyond the noise of its part, and with forks that do not overlap.
func TestCompareInstructions(t *testing.T) {
	fork := func(own, gc int64) *record.Instructions {
		return &record.Instructions{
			Ops: 1, Total: own + gc, Files: []string{"f.go"},
			Functions: []record.InstructionFunction{
				{Name: "p.f", Part: record.PartOwn, Count: own, Lines: []record.InstructionLine{{File: 0, Line: 7, Count: own}}},
				{Name: "runtime.gc", Part: record.PartGC, Count: gc, Rest: gc},
			},
		}
	}
	three := func(x *record.Instructions) []*record.Instructions { return []*record.Instructions{x, x, x} }
	for _, c := range []struct {
		name     string
		old, new []*record.Instructions
		own, gc  bool
	}{
		{"the same", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(9000, 1000)}, false, false},
		{"own code by 0.05 %", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(9005, 1000)}, false, false},
		{"own code by 0.5 %", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(9050, 1000)}, true, false},
		{"collector by 0.5 %", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(9000, 1050)}, false, false},
		{"collector by 5 %, one fork", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(9000, 1500)}, false, false},
		{"collector by 20 %, one fork", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(9000, 3000)}, false, true},
		{"collector by 5 %", three(fork(9000, 1000)), three(fork(9000, 1500)), false, true},
		{"collector by 5 %, one side", three(fork(9000, 1000)), []*record.Instructions{fork(9000, 1500)}, false, false},
		{"collector by 1 %", three(fork(9000, 1000)), three(fork(9000, 1100)), false, false},
		{"forks overlap", []*record.Instructions{fork(9000, 1000), fork(9300, 1000)}, []*record.Instructions{fork(9200, 1000), fork(9400, 1000)}, false, false},
		{"less", []*record.Instructions{fork(9000, 1000)}, []*record.Instructions{fork(8000, 1000)}, true, false},
	} {
		x := CompareInstructions(AddInstructions(c.old), AddInstructions(c.new))
		got := map[string]bool{}
		for _, p := range x.Parts {
			got[p.Part] = p.Beyond
		}
		if got[record.PartOwn] != c.own || got[record.PartGC] != c.gc {
			t.Errorf("%s: %v", c.name, got)
		}
		for _, f := range x.Functions {
			if lines := len(f.Lines); f.Name == "p.f" && lines != map[bool]int{true: 1}[c.own] {
				t.Errorf("%s: %d lines differ", c.name, lines)
			}
		}
	}
}
